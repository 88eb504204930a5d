#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/units.h"
#include "render/markup.h"
#include "render/report.h"

/* A name that tries to leave its place in every format. */
#define EVIL "x\n::error::y\r\"<b>&'|`]]>%,:\x1b[31m\xff\xe2\x80\xae"

static const struct site site = { .file = EVIL, .code_line = 7, .function = EVIL };
static const struct gate_tensor tensor = { EVIL, EVIL, 1, 4 };

static char *report(const char *name, const struct gate_result *result)
{
	struct render_options options = { false, 80 };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	cr_assert_eq(gate_reporter_find(name)->report(result, out, &options), 0);
	fclose(out);
	return text;
}

static void add(struct gate_result *result, enum gate_outcome outcome)
{
	struct gate_rule *r = gate_add(result);

	*r = (struct gate_rule){
		.rule = "no-leaks",
		.option = "--no-leaks",
		.run = EVIL,
		.source = EVIL,
		.outcome = outcome,
		.measure = GATE_BYTES_RATE,
		.limit = QUANTITY_UNKNOWN,
		.measured_known = true,
		.measured = 4,
		.low = 4,
		.high = 4,
		.unit = "iteration",
		.site = &site,
		.where = EVIL,
		.path = EVIL,
		.cause = "tensor-count",
		.fingerprint = EVIL,
		.tensor = &tensor,
		.tensors = 1,
		.because = EVIL,
		.advice = EVIL,
		.why = EVIL,
		.again = EVIL,
	};
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

/* No report but csv lets a control byte or a direction mark of a log through. */
Test(gate_reports, names_stay_names)
{
	static const char *const names[] = { "text", "github", "markdown", "junit" };
	struct gate_result result = GATE_RESULT_INIT;

	add(&result, GATE_FAIL);
	gate_note(&result, "%s", EVIL);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *text = report(names[i], &result);

		cr_assert_null(strchr(text, '\x1b'), "%s", names[i]);
		cr_assert_null(strchr(text, '\r'), "%s", names[i]);
		cr_assert_null(strstr(text, "\xe2\x80\xae"), "%s", names[i]);
		cr_assert_null(strchr(text, '\xff'), "%s", names[i]);
		cr_assert_null(strstr(text, "\n::error::y"), "%s", names[i]);
		free(text);
	}
	gate_result_release(&result);
}

/* An annotation is one line, whatever its names hold. */
Test(gate_reports, github_gets_one_line_an_annotation)
{
	struct gate_result result = GATE_RESULT_INIT;
	char *text;

	for (int i = 0; i < 3; i++)
		add(&result, GATE_FAIL);
	add(&result, GATE_PASS);
	text = report("github", &result);
	cr_assert_eq(count(text, "\n"), 3);
	cr_assert_eq(count(text, ",line=7,title=memlog gate fail%3A"), 3);
	cr_assert_eq(strncmp(text, "::error file=x%0A%3A%3Aerror%3A%3Ay\\x0d", 38), 0, "%s", text);
	free(text);
	gate_result_release(&result);
}

/* Ten are shown; the tenth says how many more. */
Test(gate_reports, github_gets_ten_annotations)
{
	struct gate_result result = GATE_RESULT_INIT;
	char *text;

	for (int i = 0; i < 10; i++)
		add(&result, GATE_FAIL);
	text = report("github", &result);
	cr_assert_eq(count(text, "::error "), 10);
	free(text);
	for (int i = 0; i < 15; i++)
		add(&result, GATE_WARN);
	text = report("github", &result);
	cr_assert_eq(count(text, "\n"), 10);
	cr_assert_not_null(strstr(text, "::and 16 more: 10 failed, 15 warned\n"));
	free(text);
	gate_result_release(&result);
}

Test(gate_reports, text_has_twelve_lines_at_most)
{
	for (int rules = 1; rules < 30; rules++) {
		struct gate_result result = GATE_RESULT_INIT;
		char *text;

		for (int i = 0; i < rules; i++)
			add(&result, i % 2 ? GATE_FAIL : GATE_PASS);
		gate_note(&result, "note");
		text = report("text", &result);
		cr_assert_leq(count(text, "\n"), 12, "%d rules: %zu", rules, count(text, "\n"));
		if (rules > 8)
			cr_assert_not_null(strstr(text, "more (--report json has all)"));
		free(text);
		gate_result_release(&result);
	}
}

/* One case a rule; the counts are those of the cases. */
Test(gate_reports, junit_counts_its_cases)
{
	struct gate_result result = GATE_RESULT_INIT;
	char *text;

	add(&result, GATE_FAIL);
	add(&result, GATE_PASS);
	add(&result, GATE_UNDECIDED);
	add(&result, GATE_WARN);
	text = report("junit", &result);
	cr_assert_eq(count(text, "<testcase "), 4);
	cr_assert_eq(count(text, "<failure "), 1);
	cr_assert_eq(count(text, "<error "), 1);
	cr_assert_eq(count(text, "<system-out>"), 1);
	cr_assert_not_null(strstr(text, "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"0\""));
	free(text);
	result.undecided_means = GATE_PASS;
	text = report("junit", &result);
	cr_assert_eq(count(text, "<skipped>"), 1);
	cr_assert_not_null(strstr(text, "tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\""));
	free(text);
	gate_result_release(&result);
}

/* Passed rules are no results; the address is a valid URI. */
Test(gate_reports, sarif_tells_what_did_not_pass)
{
	struct gate_result result = GATE_RESULT_INIT;
	char *text;

	add(&result, GATE_FAIL);
	add(&result, GATE_PASS);
	add(&result, GATE_UNDECIDED);
	text = report("sarif", &result);
	cr_assert_eq(count(text, "\"ruleId\": \"tensor-count\""), 2);
	cr_assert_eq(count(text, "\"level\": \"error\""), 1);
	cr_assert_eq(count(text, "\"kind\": \"open\""), 1);
	cr_assert_not_null(strstr(text, "\"uri\": \"x%0A%3A%3Aerror%3A%3Ay%0D%22%3Cb%3E%26%27%7C"));
	free(text);
	gate_result_release(&result);
}

Test(gate_reports, xml_holds_any_text)
{
	static const char *const cases[][2] = {
		{ "a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;" },
		{ "1\n2\t3", "1&#10;2&#9;3" },
		{ "\x01\x1f\x7f", "\\x01\\x1f\\x7f" },
		{ "\xff", "\\xff" },
		{ "\xef\xbf\xbe\xef\xbf\xbf", "\\ufffe\\uffff" },
		{ "\xe6\x98\xbe\xe5\xad\x98", "\xe6\x98\xbe\xe5\xad\x98" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf sb = STRBUF_INIT;

		xml_escape(&sb, span_of(cases[i][0]));
		cr_assert_str_eq(sb.buf, cases[i][1]);
		strbuf_release(&sb);
	}
}
