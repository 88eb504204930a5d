#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "feed.h"
#include "grammar/grammar.h"
#include "grammar/selftest.h"

#define PATH "my.grammar"

static int add(struct grammars *g, const char *text)
{
	return grammars_add(g, PATH, span_of(text));
}

/* Everything a dialect may say, with tabs, comments, CRLF and a byte order mark. */
static const char everything[] =
	"\xef\xbb\xbf# a comment\r\n"
	"name   every-word\r\n"
	"about\tall there is\r\n"
	"\r\n"
	"time %Y-%m-%d %H:%M:%S\r\n"
	"none N/A\r\n"
	"none -\r\n"
	"prefix ^> +\r\n"
	"rule one\r\n"
	"\tmatch ^At (?<time>\\S+ \\S+) (?<code_line>\\d+) (?<allocated>[\\d.]+)(?<allocated_unit>[KM]iB)? "
	"(?<reserved>\\S+)$\r\n"
	"\tis point opens\r\n"
	"\tunit allocated measured MiB\r\n"
	"\tunit reserved KB\r\n"
	"\tfield file main.py\r\n"
	"\tcarry code_line file\r\n"
	"\tforget rank\r\n"
	"\tlabel previous!\r\n"
	"\tsection body\r\n"
	"\tin - body\r\n"
	"\tgiven before\r\n"
	"\tsample At 2026-11-29 16:22:56 7 1.5 N/A\r\n"
	"\texpect code_line=7 file=main.py allocated=1572864 reserved=none label=before\r\n"
	"\texpect time=2026-11-29T16:22:56Z\r\n"
	"\tsample > At 2026-11-29 16:22:56 7 2KiB 3\r\n"
	"\texpect allocated=2048 reserved=3000\r\n"
	"\treject At\r\n"
	"rule two\r\n"
	"\tmatch ^(?<text>bad thing)$\r\n"
	"\tis event\r\n"
	"\tcode bad-thing\r\n"
	"\ttime %H:%M\r\n"
	"\tsample bad thing\r\n"
	"table three\r\n"
	"\theader ^id,\r\n"
	"\tis measure\r\n"
	"\tsplit ,\r\n"
	"\tstrip ^;|;$\r\n"
	"\tcolumn device id\r\n"
	"\tcolumn device_used used \\[(MiB|KiB)\\]\r\n"
	"\tcolumn device_total MiB total\r\n"
	"\tcolumn process name\r\n"
	"\twide process\r\n"
	"\trow ^\\d\r\n"
	"\tskip ^-+$\r\n"
	"\tend ^$\r\n"
	"\tcolumns id,used [MiB]\r\n"
	"\tgiven id,name,used [MiB],total\r\n"
	"\tsample 0,a,b,5,7\r\n"
	"\texpect device=0 process=a,b device_used=5242880 device_total=7340032\r\n";

static void on_failure(void *context, const char *text)
{
	(void)context;
	cr_log_error("%s", text);
}

Test(grammar_file, knows_every_word)
{
	struct selftest test = { 0, 0, on_failure, NULL };
	struct grammars *g = feed_grammars();
	const struct dialect *d;

	cr_assert_eq(add(g, everything), 0, "%s", error_text());
	d = grammars_find(g, "every-word");
	cr_assert_not_null(d);
	cr_expect_str_eq(d->about, "all there is");
	cr_expect_str_eq(d->origin, PATH);
	cr_assert_eq(d->rules, 3);
	cr_expect_eq(d->none.len, 2);
	cr_expect_eq(d->prefixes, 1);
	cr_expect_eq(d->rule[0].file_line, 9);
	cr_expect_eq(d->rule[0].captures, 5);
	cr_expect_eq(d->rule[0].boundary, BOUNDARY_OPENS);
	cr_expect_eq(d->rule[0].carry, UINT64_C(1) << FIELD_code_line | UINT64_C(1) << FIELD_file);
	cr_expect_eq(d->rule[0].label, LABEL_PREVIOUS_ENDS);
	cr_expect_eq(d->rule[0].in, 3, "in none, and in the first section");
	cr_expect_str_eq(d->rule[1].code, "bad-thing");
	cr_expect(d->rule[2].is_table);
	cr_expect_eq(d->rule[2].columns, 4);
	cr_expect_eq(d->rule[2].wide, FIELD_process);
	cr_assert_eq(selftest_run(&test, g, d), 0, "%s", error_text());
	cr_expect_eq(test.failed, 0);
	/* Samples and rejects: 2 + 1 + 1 + 1; expectations: 6 + 2 + 4. */
	cr_expect_eq(test.passed, 5 + 12);
	grammars_free(g);
}

#define RULE "name d\nrule r\n"
#define WHOLE "match ^a$\nis ignore\n"

/* The whole message: place, sentence, the line and a caret under the place. */
static const struct {
	const char *text, *message;
} errors[] = {
	{ "nmae d\n", PATH ":1:1: before the first rule there is no 'nmae'\nnmae d\n^" },
	/* Latin-1 in a comment is nobody's harm. */
	{ "# \xe9\nname \xe9t\xe9\n", PATH ":2:6: a byte that is not UTF-8\nname \xe9t\xe9\n     ^" },
	{ RULE WHOLE "sample \xc3\n", PATH ":5:8: a byte that is not UTF-8\nsample \xc3\n       ^" },
	{ "name\n", PATH ":1:5: a name is missing\nname\n    ^" },
	{ "name d\n", PATH ":1:1: the dialect has no rule\n\n^" },
	{ "rule r\n" WHOLE, PATH ":3:1: the dialect has no name\n\n^" },
	{ "name d\nrule\n", PATH ":2:5: a name is missing\nrule\n    ^" },
	{ "name d\ntable \n", PATH ":2:6: a name is missing\ntable \n     ^" },
	{ "name d\nmatch ^a\n", PATH ":2:1: before the first rule there is no 'match'\nmatch ^a\n^" },
	{ "name d\nprefix ^(\n", PATH ":2:10: missing closing parenthesis\nprefix ^(\n         ^" },
	{ RULE "header ^a\n", PATH ":3:1: a rule has no 'header'\nheader ^a\n^" },
	{ "name d\ntable t\nmatch ^a\n", PATH ":3:1: a table has no 'match'\nmatch ^a\n^" },
	{ RULE "\tmatch a\n", PATH ":3:8: a pattern begins with ^\n\tmatch a\n\t      ^" },
	{ RULE "match\n", PATH ":3:6: a pattern is missing\nmatch\n     ^" },
	{ RULE "match ^a\nmatch ^b\n", PATH ":4:7: given twice\nmatch ^b\n      ^" },
	{ RULE "match ^a(\n", PATH ":3:10: missing closing parenthesis\nmatch ^a(\n         ^" },
	{ RULE "match ^(?<colour>a)\n",
	  PATH ":3:7: the capture 'colour' is no field; see memlog formats fields\n"
	       "match ^(?<colour>a)\n      ^" },
	{ RULE "is thing\n", PATH ":3:4: there is no kind 'thing'\nis thing\n   ^" },
	{ RULE "is point shuts\n",
	  PATH ":3:10: there is no boundary 'shuts'\nis point shuts\n         ^" },
	{ RULE "unit size MiB\n", PATH ":3:6: there is no field 'size'\nunit size MiB\n     ^" },
	{ RULE "unit printed pages\n",
	  PATH ":3:14: there is no unit 'pages'\nunit printed pages\n             ^" },
	{ RULE "unit printed\n", PATH ":3:13: a unit is missing\nunit printed\n            ^" },
	{ RULE "unit printed measured\n",
	  PATH ":3:22: a unit is missing\nunit printed measured\n                     ^" },
	{ RULE "field size 3\n", PATH ":3:7: there is no field 'size'\nfield size 3\n      ^" },
	{ RULE "carry file size\n",
	  PATH ":3:12: there is no field 'size'\ncarry file size\n           ^" },
	{ RULE "forget size\n", PATH ":3:8: there is no field 'size'\nforget size\n       ^" },
	{ RULE "label next\n", PATH ":3:7: there is no label mode 'next'\nlabel next\n      ^" },
	{ RULE "expect op=+\n",
	  PATH ":3:1: an expectation stands below its sample\nexpect op=+\n^" },
	{ RULE "is ignore\nsample a\n", PATH ":2:1: this rule has no match\nr\n^" },
	{ RULE "match ^a\n", PATH ":2:1: this rule does not say what it is\nr\n^" },
	{ RULE "match ^a\nis event\n", PATH ":2:1: an event needs a code\nr\n^" },
	{ RULE WHOLE "given x\n", PATH ":2:1: a given line has no sample below it\nr\n^" },
	{ RULE WHOLE "given x\nrule s\n" WHOLE,
	  PATH ":2:1: a given line has no sample below it\nr\n^" },
	{ "name d\ntable t\nis measure\n", PATH ":2:1: this table has no header\nt\n^" },
	{ "name d\ntable t\nheader ^a\nis measure\nsplit ,\n",
	  PATH ":2:1: a table needs split and column\nt\n^" },
	{ "name d\ntable t\nheader ^a\nis measure\ncolumn pid p\n",
	  PATH ":2:1: a table needs split and column\nt\n^" },
	{ "name d\ntable t\nsplit (\n", PATH ":3:8: missing closing parenthesis\nsplit (\n       ^" },
	{ "name d\ntable t\nstrip [\n",
	  PATH ":3:8: missing terminating ] for character class\nstrip [\n       ^" },
	{ "name d\ntable t\nrow (\n", PATH ":3:6: missing closing parenthesis\nrow (\n     ^" },
	{ "name d\ntable t\nskip (\n", PATH ":3:7: missing closing parenthesis\nskip (\n      ^" },
	{ "name d\ntable t\nend (\n", PATH ":3:6: missing closing parenthesis\nend (\n     ^" },
	{ "name d\ntable t\ncolumn size x\n",
	  PATH ":3:8: there is no field 'size'\ncolumn size x\n       ^" },
	{ "name d\ntable t\ncolumn pid (\n",
	  PATH ":3:13: missing closing parenthesis\ncolumn pid (\n            ^" },
	{ "name d\ntable t\ncolumn pid\n", PATH ":3:11: a pattern is missing\ncolumn pid\n          ^" },
	{ "name d\ntable t\nwide size\n", PATH ":3:6: there is no field 'size'\nwide size\n     ^" },
};

Test(grammar_file, errors_name_file_line_and_column)
{
	struct grammars *g = feed_grammars();
	size_t before = g->len;

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		cr_expect_eq(add(g, errors[i].text), -1, "%s", errors[i].text);
		cr_expect_str_eq(error_text(), errors[i].message);
		cr_expect_eq(error_kind(), ERROR_INPUT);
	}
	cr_expect_eq(g->len, before, "a broken dialect is not kept");
	grammars_free(g);
}

Test(grammar_file, sections_have_a_limit)
{
	struct strbuf text = STRBUF_INIT;
	struct grammars *g = feed_grammars();

	strbuf_adds(&text, RULE WHOLE);
	for (int i = 0; i < 62; i++)
		strbuf_addf(&text, "in s%d\n", i);
	cr_expect_eq(add(g, text.buf), 0, "%s", error_text());
	strbuf_adds(&text, "section s62\n");
	cr_expect_eq(add(g, text.buf), -1);
	cr_expect_not_null(strstr(error_text(), "more than 62 sections"));
	strbuf_release(&text);
	grammars_free(g);
}

Test(grammar_file, sections_have_a_limit_on_one_line_too)
{
	struct strbuf text = STRBUF_INIT;
	struct grammars *g = feed_grammars();

	strbuf_adds(&text, RULE WHOLE "in -");
	for (int i = 0; i < 62; i++)
		strbuf_addf(&text, " s%d", i);
	cr_expect_eq(add(g, text.buf), 0, "%s", error_text());
	for (int i = 62; i < 80; i++)
		strbuf_addf(&text, " s%d", i);
	cr_expect_eq(add(g, text.buf), -1);
	cr_expect_not_null(strstr(error_text(), "more than 62 sections"));
	strbuf_release(&text);
	grammars_free(g);
}

/* However many begin with one byte, none is left out. */
Test(grammar_file, every_rule_is_asked)
{
	struct strbuf text = STRBUF_INIT;
	struct selftest test = { 0, 0, on_failure, NULL };
	struct grammars *g = feed_grammars();

	strbuf_adds(&text, "name d\n");
	for (int i = 0; i < 1030; i++)
		strbuf_addf(&text, "rule r%d\nmatch ^a%d$\nis ignore\nsample a%d\n", i, i, i);
	cr_assert_eq(add(g, text.buf), 0, "%s", error_text());
	cr_assert_eq(selftest_run(&test, g, grammars_find(g, "d")), 0, "%s", error_text());
	cr_expect_eq(test.passed, 1030);
	cr_expect_eq(test.failed, 0);
	strbuf_release(&text);
	grammars_free(g);
}

static void count_failure(void *context, const char *text)
{
	strbuf_addf(context, "%s\n", text);
}

/* What selftest says of a dialect, after "my.grammar:". */
static const struct {
	const char *text, *failure;
} failures[] = {
	{ RULE WHOLE, "2: rule r: no sample reaches this rule" },
	{ RULE WHOLE "sample b\n", "5: rule r: the sample does not match:\nb\n^" },
	{ RULE WHOLE "reject a\n", "5: rule r: takes a line it must reject: a" },
	{ RULE WHOLE "sample a\nexpect colour=red\n",
	  "6: rule r: there is no field 'colour' to expect" },
	{ RULE "match ^(?<step>\\d)$\nis point\nsample 7\nexpect step=8\n",
	  "6: rule r: expected step=8, read 7" },
	{ RULE "match ^(?<step>\\d)$\nis point\nsample 7\nexpect epoch=1\n",
	  "6: rule r: expected epoch=1, read absent" },
	{ RULE WHOLE "sample a\nrule s\nmatch ^a\nis ignore\nsample a\n",
	  "9: rule s: rule r takes the sample before it" },
};

Test(grammar_file, samples_are_tests)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		struct strbuf said = STRBUF_INIT;
		struct selftest test = { 0, 0, count_failure, &said };
		struct grammars *g = feed_grammars();

		cr_assert_eq(add(g, failures[i].text), 0, "%s", error_text());
		cr_assert_eq(selftest_run(&test, g, grammars_find(g, "d")), 0);
		cr_expect_geq(test.failed, 1);
		cr_expect_not_null(strstr(said.buf, failures[i].failure), "%s: %s",
				   failures[i].failure, said.buf);
		grammars_free(g);
		strbuf_release(&said);
	}
}
