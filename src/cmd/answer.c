#include "cmd/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/common.h"
#include "cmd/sketch.h"
#include "render/text.h"

enum { NAME_COLUMNS = 48 };

const char *answer_short(struct arena *arena, const char *text, int columns)
{
	struct strbuf clean = STRBUF_INIT, cut = STRBUF_INIT;
	const char *out;

	text_strip(&clean, span_of(text));
	text_shorten(&cut, strbuf_span(&clean), columns);
	out = arena_text(arena, strbuf_span(&cut));
	strbuf_release(&clean);
	strbuf_release(&cut);
	return out ? out : "";
}

/* Of a path only: a slash elsewhere is part of the name. */
static const char *base_name(const char *name)
{
	const char *slash = *name == '/' ? strrchr(name, '/') : NULL;

	return slash && slash[1] ? slash + 1 : name;
}

const char *answer_site(struct arena *arena, const struct site *site)
{
	struct site place;

	if (!site)
		return "an unnamed place";
	/* The line says it; the function makes a title long. */
	place = *site;
	if (place.code_line && (place.file || place.module))
		place.function = NULL;
	return answer_short(arena, site_text(arena, &place), NAME_COLUMNS);
}

const char *answer_subject(struct arena *arena, const struct subject *s)
{
	const char *device = s->device >= 0 ? arena_printf(arena, "GPU %" PRId64, s->device) : NULL;
	const char *name;

	if (!s->is_process)
		return device         ? device
		       : s->device_name ? answer_short(arena, s->device_name, NAME_COLUMNS)
				        : "the device";
	name = answer_short(arena, s->process ? base_name(s->process) : "process", NAME_COLUMNS);
	if (s->pid >= 0)
		name = arena_printf(arena, "%s %" PRId64, name, s->pid);
	return device ? arena_printf(arena, "%s on %s", name, device) : name;
}

const struct finding *answer_finding(const struct analysis *a)
{
	bool grows = a->verdict == VERDICT_LEAK || a->verdict == VERDICT_SUSPECT;

	return grows && a->findings && a->finding[0].kind != FINDING_NOTE ? &a->finding[0] : NULL;
}

const char *answer_unit(const char *unit)
{
	return unit ? unit : "iteration";
}

const char *answer_rate(struct arena *arena, double estimate, double low, double high,
			const char *unit, enum size_style units)
{
	char e[SIZE_TEXT], l[SIZE_TEXT], h[SIZE_TEXT];
	const char *article = strchr("aeiou", *answer_unit(unit)) ? "an" : "a";

	size_format_change(e, (int64_t)llround(estimate), units);
	if (!isfinite(low) || !isfinite(high))
		return arena_printf(arena, "%s %s %s", e, article, answer_unit(unit));
	size_format(l, (int64_t)llround(low), units);
	size_format(h, (int64_t)llround(high), units);
	if (!strcmp(l, h))
		return arena_printf(arena, "%s %s %s", e, article, answer_unit(unit));
	return arena_printf(arena, "%s %s %s (%s to %s)", e, article, answer_unit(unit), l, h);
}

const char *answer_share(struct arena *arena, const struct finding *f)
{
	return arena_printf(arena, "%+.2f %% of the card %s %s", f->bytes_per_iteration / 100,
			    strchr("aeiou", *answer_unit(f->unit)) ? "an" : "a", answer_unit(f->unit));
}

const char *answer_forecast(struct arena *arena, const struct analysis *a, enum size_style units)
{
	const struct forecast *f = &a->forecast;
	const char *unit = answer_unit(a->unit);
	char size[SIZE_TEXT], left[SIZE_TEXT];

	if (!f->in_sight || !quantity_known(f->capacity) || !answer_finding(a))
		return "";
	size_format(size, f->capacity, units);
	if (!f->left)
		return arena_printf(arena, ", %s full in the next %s", size, unit);
	return arena_printf(arena, ", %s full in %s %s%s", size, count_format(left, f->left), unit,
			    f->left == 1 ? "" : "s");
}

static bool ran_out(const struct timeline *t)
{
	for (size_t i = 0; i < t->events; i++) {
		if (event_is_oom(&t->event[i]))
			return true;
	}
	return false;
}

static const char *where_of(struct arena *arena, const struct finding *f)
{
	if (f->subject && f->subject->is_process)
		return arena_printf(arena, " in %s", answer_subject(arena, f->subject));
	if (f->subject)
		return arena_printf(arena, " on %s", answer_subject(arena, f->subject));
	return f->site ? arena_printf(arena, " at %s", answer_site(arena, f->site)) : "";
}

const char *answer_text(struct arena *arena, const struct timeline *t, const struct analysis *a,
			enum size_style units)
{
	const struct finding *f = answer_finding(a);
	const char *rate, *end;
	char first[SIZE_TEXT];

	if (a->verdict == VERDICT_CLEAN)
		return arena_printf(arena, "no growth in %s%s%s",
				    plural(arena, a->iterations, answer_unit(a->unit)),
				    a->site ? " at " : "",
				    a->site ? answer_site(arena, a->site) : "");
	if (!f)
		return arena_printf(arena, "%s: %s", verdict_names[a->verdict],
				    answer_short(arena, a->why, 160));
	rate = f->percent ? answer_share(arena, f)
			  : answer_rate(arena, f->bytes_per_iteration, NAN, NAN, f->unit, units);
	if (f->kind == FINDING_SUSPECT)
		return arena_printf(arena, "perhaps %s%s: the log does not settle it", rate,
				    where_of(arena, f));
	end = ran_out(t) ? ", until out of memory" : answer_forecast(arena, a, units);
	return arena_printf(arena, "%s%s, from the %s on%s", rate, where_of(arena, f),
			    ordinal_format(first, f->first), end);
}
