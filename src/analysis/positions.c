#include "analysis/positions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number with its fraction and exponent becomes one '#'; runs of blanks become one. */
static void add_skeleton(struct strbuf *out, const char *label)
{
	for (const char *p = label; *p;) {
		if (is_digit(*p)) {
			while (is_digit(*p) || ((*p == '.' || *p == ',') && is_digit(p[1])))
				p++;
			if ((*p == 'e' || *p == 'E') && (p[1] == '-' || p[1] == '+') &&
			    is_digit(p[2]))
				for (p += 2; is_digit(*p);)
					p++;
			strbuf_addc(out, '#');
		} else if (*p == ' ' || *p == '\t') {
			p += strspn(p, " \t");
			strbuf_addc(out, ' ');
		} else {
			strbuf_addc(out, *p++);
		}
	}
}

static void add_key(struct strbuf *out, const struct site *site)
{
	const char *part[] = { site->file, site->module, site->function };

	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		strbuf_adds(out, part[i] ? part[i] : "");
		strbuf_addc(out, '\0');
	}
	strbuf_addf(out, "%lld", (long long)site->code_line);
	strbuf_addc(out, '\0');
	if (site->label)
		add_skeleton(out, site->label);
}

/* Sites are few; points are many. */
static int32_t *canonical_sites(const struct timeline *timeline)
{
	int32_t *first = xmalloc((timeline->sites + 1) * sizeof(*first));
	int32_t *same = xmalloc((timeline->sites + 1) * sizeof(*same));
	struct intern keys = INTERN_INIT;
	struct strbuf key = STRBUF_INIT;

	for (size_t i = 0; i < timeline->sites; i++) {
		bool added = false;
		size_t number;

		strbuf_clear(&key);
		add_key(&key, &timeline->site[i]);
		number = intern(&keys, strbuf_span(&key), &added);
		if (added)
			first[number] = (int32_t)i;
		same[i] = first[number];
	}
	intern_release(&keys);
	strbuf_release(&key);
	free(first);
	return same;
}

/*
 * Labels that come once each, in a log that mostly has none, are lines of other text: a log of
 * samples that happens to hold a heading stays one.
 */
static void drop_stray_labels(struct positions *p, const struct timeline *timeline)
{
	if (p->repeated != 1 || 2 * p->placed >= p->points)
		return;
	for (size_t i = 0; i < p->points; i++)
		if (p->at[i] >= 0 && !timeline->site[p->at[i]].label)
			return;
	for (size_t i = 0; i < p->points; i++)
		p->at[i] = -1;
	p->placed = p->repeated = 0;
}

void positions_find(struct positions *out, struct arena *arena, const struct timeline *timeline)
{
	int32_t *same = canonical_sites(timeline);
	size_t *count = xcalloc(timeline->sites + 1, sizeof(*count));

	*out = (struct positions){ .points = timeline->points, .sites = timeline->sites };
	out->at = arena_alloc(arena, (timeline->points + 1) * sizeof(*out->at));
	for (size_t i = 0; i < timeline->points; i++) {
		int32_t site = timeline->position ? timeline->position[i] : -1;

		out->at[i] = site < 0 || (size_t)site >= timeline->sites ? -1 : same[site];
		if (out->at[i] < 0)
			continue;
		out->placed++;
		if (++count[out->at[i]] > out->repeated)
			out->repeated = count[out->at[i]];
	}
	drop_stray_labels(out, timeline);
	free(count);
	free(same);
}

const char *position_text(struct arena *arena, const struct site *site)
{
	const char *base;

	if (!site)
		return "this log";
	if (site->label)
		return arena_printf(arena, "'%s'", site->label);
	base = site->file ? strrchr(site->file, '/') : NULL;
	base = base ? base + 1 : site->file ? site->file : site->module ? site->module : "?";
	return arena_printf(arena, "%s:%lld", base, (long long)site->code_line);
}
