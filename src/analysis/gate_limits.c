/* The limits that a gate may be given: one row each. */
#include <string.h>

#include "analysis/gate_parts.h"
#include "base/error.h"
#include "base/units.h"

static int usage(const struct gate_limit *limit, const char *text, const char *wanted)
{
	return error_usage("memlog gate: --%s: '%s' is not %s", limit->type->name, text, wanted);
}

static int parse_bytes(struct gate_limit *limit, struct arena *arena, const char *text)
{
	(void)arena;
	if (!size_parse(text, &limit->number))
		return 0;
	return usage(limit, text, "a size such as 512MiB, 1.5GiB or 4096");
}

/* "hidden:1KiB/iter": the level and the unit of time are optional. */
static int parse_growth(struct gate_limit *limit, struct arena *arena, const char *text)
{
	static const char *const suffixes[] = { "/iteration", "/iter" };
	struct span rest, size, level = span_split(span_of(text), ':', &rest);

	limit->level = GROWTH_LEVELS;
	size = rest.ptr ? rest : level;
	if (rest.ptr) {
		limit->level = 0;
		while (limit->level < GROWTH_LEVELS &&
		       !span_is(level, growth_level_names[limit->level]))
			limit->level++;
		if (limit->level == GROWTH_LEVELS)
			return usage(limit, text,
				     "of a level; those are visible, hidden, allocated, cached, "
				     "outside, process and device");
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t n = strlen(suffixes[i]);

		if (size.len > n && !memcmp(size.ptr + size.len - n, suffixes[i], n)) {
			size.len -= n;
			break;
		}
	}
	if (!size_parse(arena_text(arena, size), &limit->number))
		return 0;
	return usage(limit, text, "a size an iteration such as 1KiB, hidden:1MiB or 4096/iter");
}

static int parse_count(struct gate_limit *limit, struct arena *arena, const char *text)
{
	struct decimal number;
	struct span rest;

	(void)arena;
	if (!decimal_parse(span_of(text), &number, &rest) || rest.len || number.decimals ||
	    number.mantissa < 0)
		return usage(limit, text, "a number of tensors; 0 allows none");
	limit->number = number.mantissa;
	return 0;
}

static int parse_nothing(struct gate_limit *limit, struct arena *arena, const char *text)
{
	(void)limit;
	(void)arena;
	(void)text;
	return 0;
}

static int parse_cause(struct gate_limit *limit, struct arena *arena, const char *text)
{
	if (cause_find(text)) {
		limit->cause = cause_find(text)->name;
		return 0;
	}
	return error_usage("memlog gate: --cause: there is no cause '%s'; there are %s", text,
			   cause_list(arena));
}

const struct gate_limit_type gate_limit_types[] = {
	{ "max-growth", "[LEVEL:]SIZE",
	  "fail if memory grows more than this an iteration, at any level or at one: visible, "
	  "hidden, allocated, outside, process, device",
	  parse_growth, judge_growth },
	{ "max-growth-count", "N", "fail if more tensors than this stay alive from each iteration",
	  parse_count, judge_growth_count },
	{ "max-peak", "SIZE", "fail if the total passes this at any point", parse_bytes,
	  judge_peak },
	{ "max-hidden", "SIZE",
	  "fail if the allocator ever holds more than this beyond what Python sees", parse_bytes,
	  judge_hidden },
	{ "no-leaks", NULL, "fail if memlog leaks finds a leak", parse_nothing, judge_leaks },
	{ "cause", "NAME", "fail if a finding has this cause", parse_cause, judge_cause },
	{ NULL, NULL, NULL, NULL, NULL },
};

_Static_assert(sizeof(gate_limit_types) / sizeof(*gate_limit_types) == GATE_LIMIT_TYPES + 1,
	       "GATE_LIMIT_TYPES counts the rows");

int gate_limit_parse(struct gate_limit *out, struct arena *arena,
		     const struct gate_limit_type *type, const char *text)
{
	*out = (struct gate_limit){ .type = type, .level = GROWTH_LEVELS };
	out->written = text ? arena_text(arena, span_of(text)) : NULL;
	return type->parse(out, arena, text);
}
