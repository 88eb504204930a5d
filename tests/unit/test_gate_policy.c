#include <criterion/criterion.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "analysis/policy.h"
#include "base/error.h"
#include "base/timestamp.h"

#define DAY (86400 * SECOND)
/* Days from 1970-01-01 to 2027-01-31: 57 × 365 + 14 leap days (1972 … 2024) + 30. */
#define JAN_31_2027 ((57 * 365 + 14 + 30) * DAY)

static const char whole[] = "# limits\r\n"
			    "no-leaks\n"
			    "max-growth   visible:1KiB \n"
			    "\n"
			    "ignore\n"
			    "\tcause   tensor-*\n"
			    "\t# who asked for it\n"
			    "\tat      train.py evaluate\n"
			    "\tshape   (*, 10)\n"
			    "\tdtype   float32\n"
			    "\treason  kept for the plot; issue 123\n"
			    "\tuntil   2027-01-31\n"
			    "baseline memlog.baseline";

Test(gate_policy, reads_options_and_suppressions)
{
	struct policy policy;

	cr_assert_eq(policy_parse(&policy, "memlog.conf", span_of(whole)), 0);
	cr_assert_eq(policy.settings, 3);
	cr_assert_str_eq(policy.setting[0].name, "no-leaks");
	cr_assert_null(policy.setting[0].value);
	cr_assert_str_eq(policy.setting[1].value, "visible:1KiB");
	cr_assert_eq(policy.setting[1].line, 3);
	cr_assert_str_eq(policy.setting[2].value, "memlog.baseline");
	cr_assert_eq(policy.ignores, 1);
	cr_assert_str_eq(policy.ignore[0].file, "train.py");
	cr_assert_str_eq(policy.ignore[0].function, "evaluate");
	cr_assert_str_eq(policy.ignore[0].reason, "kept for the plot; issue 123");
	cr_assert_eq(policy.ignore[0].line, 5);
	cr_assert_eq(policy.ignore[0].last_day, JAN_31_2027);
	policy_release(&policy);
}

Test(gate_policy, says_what_is_wrong_and_where)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "\n cause x", "p:2: a line that begins with blanks" },
		{ "ignore all", "p:1: what to ignore stands on the lines below" },
		{ "ignore\n cause nonsense", "p:2: there is no cause 'nonsense'" },
		{ "ignore\n colour red", "p:2: an 'ignore' has cause, at, shape" },
		{ "ignore\n reason", "p:2: a value is missing" },
		{ "ignore\n until 2027-02-29", "p:2: until needs a day" },
		{ "ignore\n until 27-01-31", "p:2: until needs a day" },
		{ "ignore\n cause oom\n reason r", "p:1: this 'ignore' needs a reason and" },
		{ "ignore\n cause oom\n until 2027-01-31", "p:1: this 'ignore' needs a reason" },
		{ "ignore\n reason r\n until 2027-01-31", "p:1: this 'ignore' would hide" },
		{ "ignore\nno-leaks", "p:1: this 'ignore' needs a reason" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct policy policy;

		cr_assert_eq(policy_parse(&policy, "p", span_of(cases[i].text)), -1, "%s",
			     cases[i].text);
		cr_assert(!strncmp(error_text(), cases[i].error, strlen(cases[i].error)), "%s: %s",
			  cases[i].text, error_text());
		cr_assert_eq(error_kind(), ERROR_USAGE);
		policy_release(&policy);
	}
}

Test(gate_policy, refuses_bytes_that_are_no_text)
{
	struct policy policy;

	cr_assert_eq(policy_parse(&policy, "p", (struct span){ "a\0b", 3 }), -1);
	policy_release(&policy);
}

Test(gate_policy, patterns_fit_as_in_a_shell)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} cases[] = {
		{ "train.py", "train.py", true },
		{ "train.py", "train.pyc", false },
		{ "*", "", true },
		{ "", "", true },
		{ "", "a", false },
		{ "*.py", "train.py", true },
		{ "t*n*y", "train.py", true },
		{ "*a*a*a*b", "aaaaaaaaaaaaaaaa", false },
		{ "(*, 10)", "(64, 10)", true },
		{ "a**b", "ab", true },
		{ "*", NULL, true },
		{ "a", NULL, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_assert_eq(pattern_fits(cases[i].pattern, cases[i].text), cases[i].fits, "%s %s",
			     cases[i].pattern, cases[i].text);
}

static const struct site site = { .file = "/srv/job/train.py",
				  .code_line = 69,
				  .function = "evaluate" };
static const struct tensor_row row = { .shape = "(64, 10)", .dtype = "torch.float32" };

static struct finding a_finding(void)
{
	return (struct finding){
		.kind = FINDING_LEAK, .cause = "tensor-count", .site = &site, .handle = &row
	};
}

/* One line changed at a time: each part of an ignore must fit. */
Test(gate_policy, each_part_must_fit)
{
	static const struct {
		const char *lines;
		bool fits;
	} cases[] = {
		{ "cause tensor-count", true },
		{ "cause graph-retained", false },
		{ "cause *", true },
		{ "at train.py", true },
		{ "at train.py evaluate", true },
		{ "at train.py train", false },
		{ "at other.py", false },
		{ "shape (*, 10)", true },
		{ "shape (64, 10)", true },
		{ "shape (*, 20)", false },
		{ "shape (*, 64, 10)", false },
		{ "shape *", true },
		{ "dtype float32", true },
		{ "dtype torch.float32", true },
		{ "dtype float16", false },
		{ "shape (*, 10)\n dtype int64", false },
	};
	struct finding finding = a_finding();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena arena = ARENA_INIT;
		struct policy policy;
		const char *text = arena_printf(
			&arena, "ignore\n %s\n reason r\n until 2027-01-31\n", cases[i].lines);

		cr_assert_eq(policy_parse(&policy, "p", span_of(text)), 0, "%s", error_text());
		cr_assert_eq(policy_match(&policy, &finding, 0) != NULL, cases[i].fits, "%s",
			     cases[i].lines);
		policy_release(&policy);
		arena_release(&arena);
	}
}

Test(gate_policy, the_last_day_still_counts)
{
	struct policy policy;

	cr_assert_eq(policy_parse(&policy, "p", span_of(whole)), 0);
	cr_assert_not(suppression_expired(&policy.ignore[0], JAN_31_2027 + DAY - 1));
	cr_assert(suppression_expired(&policy.ignore[0], JAN_31_2027 + DAY));
	policy_release(&policy);
}

Test(gate_policy, one_that_is_valid_goes_before_one_that_is_over)
{
	static const char text[] = "ignore\n cause *\n reason old\n until 2026-01-01\n"
				   "ignore\n cause *\n reason new\n until 2027-01-31\n";
	struct finding finding = a_finding();
	struct policy policy;

	cr_assert_eq(policy_parse(&policy, "p", span_of(text)), 0);
	cr_assert_str_eq(policy_match(&policy, &finding, JAN_31_2027)->reason, "new");
	cr_assert_str_eq(policy_match(&policy, &finding, JAN_31_2027 + DAY)->reason, "old");
	policy_release(&policy);
}

/* ---- fingerprints ---- */

static const char *print(struct arena *arena, const struct finding *finding)
{
	struct fingerprint fingerprint;

	fingerprint_of(&fingerprint, arena, finding);
	return fingerprint_text(arena, &fingerprint);
}

Test(gate_fingerprint, knows_neither_line_nor_folder_nor_batch)
{
	struct arena arena = ARENA_INIT;
	struct site moved = { .file = "C:\\ci\\train.py", .code_line = 7, .function = "evaluate" };
	struct tensor_row smaller = { .shape = "(8, 10)", .dtype = "torch.float32" };
	struct finding a = a_finding(), b = a_finding();

	b.site = &moved;
	b.handle = &smaller;
	cr_assert_str_eq(print(&arena, &a),
			 "tensor-count | train.py | evaluate | (*, 10) | torch.float32");
	cr_assert_str_eq(print(&arena, &b), print(&arena, &a));
	arena_release(&arena);
}

Test(gate_fingerprint, keeps_what_tells_leaks_apart)
{
	static const struct site labelled = { .label = "Epoch 3, loss 0.71" };
	struct arena arena = ARENA_INIT;
	struct tensor_row weights = row;
	struct finding f = a_finding();

	weights.parameter = true;
	f.handle = &weights;
	cr_assert_str_eq(print(&arena, &f),
			 "tensor-count | train.py | evaluate | (64, 10) | torch.float32");
	f.handle = NULL;
	f.site = &labelled;
	cr_assert_str_eq(print(&arena, &f), "tensor-count | Epoch #, loss # | - | - | -");
	arena_release(&arena);
}

Test(gate_fingerprint, a_name_cannot_bring_lines_or_fields)
{
	struct arena arena = ARENA_INIT;
	struct site evil = { .file = "a|b\nleak | c\\.py", .code_line = 1, .function = " f " };
	struct finding f = a_finding();

	f.site = &evil;
	cr_assert_str_eq(print(&arena, &f), "tensor-count | a\\x7cb\\x0aleak \\x7c c\\x5c.py | "
					    "\\x20f\\x20 | (*, 10) | torch.float32");
	arena_release(&arena);
}

Test(gate_fingerprint, shapes)
{
	static const char *const cases[][2] = {
		{ "()", "()" },
		{ "(64,)", "(*,)" },
		{ "(64, 10)", "(*, 10)" },
		{ "(*, 10)", "(*, 10)" },
		{ "(1, 3, 8)", "(*, 3, 8)" },
		{ "", "" },
		{ "no shape", "no shape" },
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_assert_str_eq(shape_without_batch(&arena, cases[i][0]), cases[i][1]);
	arena_release(&arena);
}
