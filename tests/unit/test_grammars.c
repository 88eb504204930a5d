#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "feed.h"
#include "grammar/grammar.h"
#include "grammar/match.h"
#include "grammar/selftest.h"

/* Criterion copies parameters into workers of another layout: an index, not a pointer. */
ParameterizedTestParameters(grammars, samples_of_each_dialect)
{
	static size_t indexes[256];
	const char *name, *text;
	size_t n = 0;

	while (n < 256 && grammar_builtin(n, &name, &text)) {
		indexes[n] = n;
		n++;
	}
	return cr_make_param_array(size_t, indexes, n);
}

static void add_failure(void *context, const char *text)
{
	strbuf_addf(context, "%s\n", text);
}

ParameterizedTest(size_t *index, grammars, samples_of_each_dialect)
{
	struct strbuf said = STRBUF_INIT;
	struct selftest test = { 0, 0, add_failure, &said };
	struct grammars *g = feed_grammars();
	const struct dialect *d;
	const char *name, *text;

	cr_assert(grammar_builtin(*index, &name, &text));
	d = grammars_find(g, name);
	cr_assert_not_null(d, "%s.grammar names itself otherwise", name);
	cr_expect(d->about && *d->about, "%s has no about", name);
	cr_assert_eq(selftest_run(&test, g, d), 0, "%s", error_text());
	cr_expect_eq(test.failed, 0, "%s: %s", name, said.buf);
	/* A rule without a sample fails, so each has passed at least one. */
	cr_expect_geq(test.passed, d->rules, "%s", name);
	grammars_free(g);
	strbuf_release(&said);
}

Test(grammars, there_are_no_two_of_a_name)
{
	struct grammars *g = feed_grammars();
	const char *name, *text;
	size_t n = 0;

	while (grammar_builtin(n, &name, &text))
		n++;
	cr_expect_eq(g->len, n);
	cr_expect_null(grammars_find(g, "no-such-dialect"));
	grammars_free(g);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[4200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	cr_assert_not_null(file, "%s", path);
	fputs(text, file);
	fclose(file);
}

static void remove_folder(const char *dir, const char *const *names)
{
	char path[4200];

	for (; *names; names++) {
		snprintf(path, sizeof(path), "%s/%s", dir, *names);
		unlink(path);
	}
	cr_expect_eq(rmdir(dir), 0, "%s", dir);
}

#define MINE "name gputil\nabout mine\nrule r\nmatch ^mine$\nis ignore\nsample mine\n"

Test(grammars, a_file_of_the_user_takes_the_place_of_a_built_in_one)
{
	char dir[] = "/tmp/grammars-XXXXXX";
	struct grammars *g, *built_in = feed_grammars();

	cr_assert_not_null(mkdtemp(dir));
	write_file(dir, "gputil.grammar", MINE);
	write_file(dir, "other.grammar", "name other\nrule r\nmatch ^o$\nis ignore\nsample o\n");
	write_file(dir, ".hidden.grammar", "not a grammar");
	write_file(dir, "notes.txt", "not a grammar");
	cr_assert_eq(grammars_load(&g, dir), 0, "%s", error_text());
	cr_expect_eq(g->len, built_in->len + 1);
	cr_expect_str_eq(grammars_find(g, "gputil")->about, "mine");
	cr_expect_eq(grammars_find(g, "gputil")->rules, 1);
	cr_expect_eq(grammars_find(g, "gputil")->index, grammars_find(built_in, "gputil")->index);
	cr_expect_not_null(strstr(grammars_find(g, "gputil")->origin, dir));
	cr_expect_not_null(grammars_find(g, "other"));
	grammars_free(g);
	/* One broken file is an error that names it, not a dialect less. */
	write_file(dir, "other.grammar", "nmae other\n");
	cr_expect_eq(grammars_load(&g, dir), -1);
	cr_expect_not_null(strstr(error_text(), "other.grammar:1:1: "));
	grammars_free(built_in);
	remove_folder(dir, (const char *const[]){ "gputil.grammar", "other.grammar",
						  ".hidden.grammar", "notes.txt", NULL });
}

Test(grammars, an_absent_folder_is_none)
{
	struct grammars *g;

	cr_assert_eq(grammars_load(&g, "/nowhere/at/all"), 0, "%s", error_text());
	cr_expect_gt(g->len, 20);
	grammars_free(g);
}

Test(grammars, fields_and_their_names)
{
	for (int f = 0; f < FIELD_COUNT; f++) {
		cr_expect_eq(field_by_name(span_of(field_names[f])), f, "%s", field_names[f]);
		cr_expect_gt(strlen(field_meanings[f]), 0, "%s", field_names[f]);
	}
	cr_expect_eq(field_by_name(SPAN_LITERAL("")), -1);
	cr_expect_eq(field_by_name(SPAN_LITERAL("use")), -1);
}
