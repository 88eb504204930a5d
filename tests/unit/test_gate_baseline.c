#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/baseline.h"
#include "base/error.h"

static const char good[] = "memlog baseline 1\n"
			   "# a comment\n"
			   "\n"
			   "growth | allocated | 0 | 3518 | for people\n"
			   "growth | visible | 0 | 0\n"
			   "leak | tensor-count | train.py | f | (*, 10) | torch.float32 | 4 | -\n"
			   "peak | allocated | 89548390 | 89600819 | 85.4 MiB\n";

Test(gate_baseline, reads_what_is_written)
{
	struct baseline baseline;
	const struct baseline_entry *e;

	cr_assert_eq(baseline_parse(&baseline, "b", span_of(good)), 0, "%s", error_text());
	cr_assert_eq(baseline.entries, 4);
	e = baseline_find(&baseline, BASELINE_LEAK,
			  "tensor-count | train.py | f | (*, 10) | torch.float32");
	cr_assert_not_null(e);
	cr_assert_eq(e->value, 4);
	cr_assert(isinf(e->high));
	e = baseline_find(&baseline, BASELINE_PEAK, "allocated");
	cr_assert_eq(e->high, 89600819);
	cr_assert_null(baseline_find(&baseline, BASELINE_PEAK, "device"));
	baseline_release(&baseline);
}

/* What is written reads the same again, in whatever order it came. */
Test(gate_baseline, is_sorted_and_stable)
{
	static const char mixed[] = "memlog baseline 1\n"
				    "peak | device | 7 | 8\n"
				    "growth | visible | 0 | 0\n"
				    "leak | b | - | - | - | - | 1 | 1\n"
				    "leak | a | - | - | - | - | 1 | 1\n"
				    "growth | allocated | 0 | 1\n";
	struct baseline first, second;
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

	cr_assert_eq(baseline_parse(&first, "b", span_of(mixed)), 0, "%s", error_text());
	baseline_write(&first, &a);
	cr_assert_eq(baseline_parse(&second, "b", strbuf_span(&a)), 0, "%s", error_text());
	baseline_write(&second, &b);
	cr_assert_str_eq(a.buf, b.buf);
	cr_assert(strstr(a.buf, "allocated") < strstr(a.buf, "visible"));
	cr_assert(strstr(a.buf, "leak | a") < strstr(a.buf, "leak | b"));
	cr_assert(strstr(a.buf, "leak | b") < strstr(a.buf, "peak"));
	strbuf_release(&a);
	strbuf_release(&b);
	baseline_release(&first);
	baseline_release(&second);
}

Test(gate_baseline, says_what_is_wrong_and_where)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "b:1: this is no baseline" },
		{ "memlog baseline 2\n", "b:1: this is no baseline" },
		{ "memlog baseline 1\nspeed | x | 1 | 1\n", "b:2: an entry begins with" },
		{ "memlog baseline 1\npeak | device | 1\n", "b:2: two whole numbers" },
		{ "memlog baseline 1\npeak | device | 2 | 1\n", "b:2: two whole numbers" },
		{ "memlog baseline 1\npeak | device | 1.5 | 2\n", "b:2: two whole numbers" },
		{ "memlog baseline 1\npeak | device | - | -\n", "b:2: two whole numbers" },
		{ "memlog baseline 1\npeak | device | 9007199254740993 | -\n", "b:2: two whole" },
		{ "memlog baseline 1\npeak || 1 | 1\n", "b:2: a field is missing" },
		{ "memlog baseline 1\npeak | a | 1 | 1\npeak | a | 1 | 1\n", "b:3: this entry" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct baseline baseline;

		cr_assert_eq(baseline_parse(&baseline, "b", span_of(cases[i].text)), -1, "%s",
			     cases[i].text);
		cr_assert(!strncmp(error_text(), cases[i].error, strlen(cases[i].error)), "%s: %s",
			  cases[i].text, error_text());
		cr_assert_eq(error_kind(), ERROR_INPUT);
		baseline_release(&baseline);
	}
}

/* What shrinks is written as 0: views are counted twice, and hidden memory may seem to fall. */
Test(gate_baseline, takes_the_worst_of_several_runs)
{
	struct timeline timeline = { .points = 0 };
	struct analysis a = { .verdict = VERDICT_CLEAN }, b = { .verdict = VERDICT_CLEAN };
	struct baseline baseline = BASELINE_INIT;
	const struct baseline_entry *e;

	a.growth[GROWTH_ALLOCATED] = (struct growth){ true, 10, -5, 25.5 };
	b.growth[GROWTH_ALLOCATED] = (struct growth){ true, 12.4, 0, 20 };
	b.growth[GROWTH_HIDDEN] = (struct growth){ true, -100, -110, -90 };
	b.growth[GROWTH_CACHED] = (struct growth){ true, 1000, 1000, 1000 };
	baseline_add(&baseline, &timeline, &a);
	baseline_add(&baseline, &timeline, &b);
	cr_assert_eq(baseline.entries, 2);
	e = baseline_find(&baseline, BASELINE_GROWTH, "allocated");
	cr_assert_eq(e->value, 12);
	cr_assert_eq(e->high, 26);
	e = baseline_find(&baseline, BASELINE_GROWTH, "hidden");
	cr_assert_eq(e->value, 0);
	cr_assert_eq(e->high, 0);
	baseline_release(&baseline);
}

Test(gate_baseline, tolerance_is_a_share_or_a_size)
{
	static const struct {
		const char *text;
		double above_1000; /* what passes where the baseline says 1000 */
	} cases[] = {
		{ "5%", 1050 }, { "0", 1000 }, { "0%", 1000 }, { "2.5 %", 1025 }, { "1KiB", 2024 },
	};
	struct tolerance tolerance;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		cr_assert_eq(tolerance_parse(&tolerance, cases[i].text), 0);
		cr_assert_float_eq(tolerance_above(tolerance, 1000), cases[i].above_1000, 1e-9,
				   "%s", cases[i].text);
	}
	cr_assert_eq(tolerance_parse(&tolerance, "much"), -1);
	cr_assert_eq(tolerance_parse(&tolerance, "-5%"), -1);
}
