#include "analysis/baseline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "analysis/overhead.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/units.h"

static const char header[] = "memlog baseline 1";

/* How the kinds are written, and how many parts their key has. */
static const struct {
	const char *name;
	int parts;
	bool rate;
} kinds[BASELINE_KINDS] = {
	[BASELINE_GROWTH] = { "growth", 1, true },
	[BASELINE_LEAK] = { "leak", FINGERPRINT_PARTS, true },
	[BASELINE_PEAK] = { "peak", 1, false },
};

void baseline_release(struct baseline *baseline)
{
	free(baseline->entry);
	arena_release(&baseline->arena);
	*baseline = (struct baseline)BASELINE_INIT;
}

static int compare(enum baseline_kind kind, const char *key, const struct baseline_entry *e)
{
	return kind != e->kind ? (kind < e->kind ? -1 : 1) : strcmp(key, e->key);
}

/* Where the entry is, or where it belongs. */
static size_t position(const struct baseline *b, enum baseline_kind kind, const char *key)
{
	size_t low = 0, high = b->entries;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(kind, key, &b->entry[middle]) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(const struct baseline *b, size_t at, enum baseline_kind kind, const char *key)
{
	return at < b->entries && !compare(kind, key, &b->entry[at]);
}

const struct baseline_entry *baseline_find(const struct baseline *baseline, enum baseline_kind kind,
					   const char *key)
{
	size_t at = position(baseline, kind, key);

	return is_at(baseline, at, kind, key) ? &baseline->entry[at] : NULL;
}

static void insert(struct baseline *b, size_t at, struct baseline_entry entry)
{
	if (b->entries == b->room) {
		b->room = b->room ? 2 * b->room : 16;
		b->entry = xrealloc(b->entry, b->room, sizeof(*b->entry));
	}
	memmove(&b->entry[at + 1], &b->entry[at], (b->entries - at) * sizeof(*b->entry));
	b->entry[at] = entry;
	b->entries++;
}

static void take(struct baseline *b, enum baseline_kind kind, const char *key, double value,
		 double high)
{
	size_t at = position(b, kind, key);
	struct baseline_entry *e;

	high = fmax(high, value);
	if (!is_at(b, at, kind, key)) {
		insert(b, at,
		       (struct baseline_entry){ kind, arena_text(&b->arena, span_of(key)), value,
						high });
		return;
	}
	e = &b->entry[at];
	e->value = fmax(e->value, value);
	e->high = fmax(e->high, high);
}

void baseline_add(struct baseline *baseline, const struct timeline *timeline,
		  const struct analysis *analysis)
{
	struct fingerprint print;
	struct ledger ledger;

	for (int i = 0; i < GROWTH_LEVELS; i++) {
		const struct growth *g = &analysis->growth[i];

		/*
		 * What is only kept for reuse is no growth of the program; and what shrinks (views
		 * are counted twice, so that hidden may) must not make standing still a failure.
		 */
		if (g->known && !g->percent && i != GROWTH_CACHED && analysis->verdict != VERDICT_UNDECIDED)
			take(baseline, BASELINE_GROWTH, growth_level_names[i],
			     round(fmax(g->estimate, 0)), ceil(fmax(g->high, 0)));
	}
	for (size_t i = 0; i < analysis->findings; i++) {
		const struct finding *f = &analysis->finding[i];

		if (f->kind == FINDING_NOTE)
			continue;
		fingerprint_of(&print, &baseline->arena, f);
		/* a share of a card of unknown size is known by its place, whatever its size */
		take(baseline, BASELINE_LEAK, fingerprint_text(&baseline->arena, &print),
		     f->percent ? 0 : round(f->bytes_per_iteration),
		     f->percent ? INFINITY : ceil(f->high));
	}
	if (overhead_ledger(timeline, &ledger))
		take(baseline, BASELINE_PEAK, ledger.total_name, (double)ledger.total,
		     (double)(ledger.total + series_rounding(overhead_total(timeline))));
}

static void write_number(struct strbuf *out, double number)
{
	if (isfinite(number))
		strbuf_addf(out, " | %.0f", number);
	else
		strbuf_adds(out, " | -");
}

void baseline_write(const struct baseline *baseline, struct strbuf *out)
{
	char value[SIZE_TEXT], high[SIZE_TEXT];

	strbuf_addf(out, "%s\n", header);
	strbuf_adds(out,
		    "# The worst that was accepted. memlog gate --save-baseline writes this; "
		    "review its changes.\n"
		    "# bytes (growth and leak: an iteration) | the most that the log allows\n");
	for (size_t i = 0; i < baseline->entries; i++) {
		const struct baseline_entry *e = &baseline->entry[i];

		strbuf_addf(out, "%s | %s", kinds[e->kind].name, e->key);
		write_number(out, e->value);
		write_number(out, e->high);
		size_format(value, (int64_t)e->value, SIZE_IEC);
		strbuf_addf(out, " | %s%s", value, kinds[e->kind].rate ? " an iteration" : "");
		if (isfinite(e->high) &&
		    strcmp(value, size_format(high, (int64_t)e->high, SIZE_IEC)))
			strbuf_addf(out, ", at most %s", high);
		strbuf_addc(out, '\n');
	}
}

/* ---- reading ---- */

static int complain(const struct baseline *b, int64_t line, const char *text)
{
	return error_input("%s:%" PRId64 ": %s", b->name, line, text);
}

/* A whole number that a double holds exactly. */
static bool read_number(struct span text, double *out)
{
	struct decimal number;
	struct span rest;

	if (span_is(text, "-")) {
		*out = INFINITY;
		return true;
	}
	if (!decimal_parse(text, &number, &rest) || rest.len || number.decimals ||
	    number.mantissa > INT64_C(1) << 53 || number.mantissa < -(INT64_C(1) << 53))
		return false;
	*out = (double)number.mantissa;
	return true;
}

static int read_key(struct baseline *b, int64_t line, int parts, struct span *rest,
		    const char **key)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = 0;

	for (int i = 0; i < parts && !rc; i++) {
		struct span part = span_trim(span_split(*rest, '|', rest));

		if (!part.len)
			rc = complain(b, line, "a field is missing");
		strbuf_adds(&sb, i ? " | " : "");
		strbuf_addspan(&sb, part);
	}
	*key = arena_text(&b->arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return rc;
}

static int read_entry(struct baseline *b, int64_t line, struct span text)
{
	struct span rest, name = span_trim(span_split(text, '|', &rest));
	const char *key;
	double value, high;
	int kind = 0;

	while (kind < BASELINE_KINDS && !span_is(name, kinds[kind].name))
		kind++;
	if (kind == BASELINE_KINDS)
		return complain(b, line, "an entry begins with growth, leak or peak");
	if (read_key(b, line, kinds[kind].parts, &rest, &key) < 0)
		return -1;
	if (!read_number(span_trim(span_split(rest, '|', &rest)), &value) || !isfinite(value) ||
	    !read_number(span_trim(span_split(rest, '|', &rest)), &high) || high < value)
		return complain(b, line,
				"two whole numbers must follow, the second no less than "
				"the first");
	if (baseline_find(b, (enum baseline_kind)kind, key))
		return complain(b, line, "this entry comes twice");
	take(b, (enum baseline_kind)kind, key, value, high);
	return 0;
}

int baseline_parse(struct baseline *out, const char *name, struct span text)
{
	struct span rest = text;
	int64_t line = 1;
	int rc = 0;

	*out = (struct baseline)BASELINE_INIT;
	out->name = arena_text(&out->arena, span_of(name));
	if (!span_is(span_trim(span_split(rest, '\n', &rest)), header))
		return complain(out, 1,
				"this is no baseline; memlog gate --save-baseline FILE "
				"writes one");
	while (!rc && rest.len) {
		struct span one = span_trim(span_split(rest, '\n', &rest));

		line++;
		if (one.len && memchr(one.ptr, '\0', one.len))
			rc = complain(out, line, "this is no text");
		else if (one.len && one.ptr[0] != '#')
			rc = read_entry(out, line, one);
	}
	return rc;
}

/* ---- tolerance ---- */

int tolerance_parse(struct tolerance *out, const char *text)
{
	struct decimal number;
	struct span rest;

	*out = (struct tolerance){ 0, 0 };
	if (decimal_parse(span_of(text), &number, &rest) && span_is(span_trim(rest), "%")) {
		out->share = (double)number.mantissa / pow(10, number.decimals) / 100;
		return out->share >= 0 ? 0 : error_usage("--tolerance: '%s' is below zero", text);
	}
	if (!size_parse(text, &out->bytes))
		return 0;
	return error_usage("--tolerance: '%s' is neither a share like 5%% nor a size like 1MiB",
			   text);
}

double tolerance_above(struct tolerance tolerance, double value)
{
	return value + fmax(tolerance.share * fabs(value), (double)tolerance.bytes);
}
