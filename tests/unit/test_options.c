#include <criterion/criterion.h>

#include "base/error.h"
#include "cli/options.h"
#include "cli/terminal.h"

struct values {
	bool all, verbose;
	const char *tag;
	int at;
	int64_t capacity;
	struct option_list only;
	struct arguments rest;
};

static int parse(struct values *v, const char **argv)
{
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, &v->all, NULL, "every finding" },
		{ "tag", 't', OPT_TEXT, &v->tag, "TAG", "runs with this tag" },
		{ "at", 0, OPT_INT, &v->at, "N", "this point" },
		{ "capacity", 0, OPT_SIZE, &v->capacity, "SIZE", "memory of the card" },
		{ "only", 0, OPT_LIST, &v->only, "CAUSE", "only these causes" },
		{ 0 },
	};
	const struct option common[] = {
		{ "verbose", 'v', OPT_FLAG, &v->verbose, NULL, "say more" },
		{ 0 },
	};
	int argc = 0;

	while (argv[argc])
		argc++;
	v->rest = (struct arguments)ARGUMENTS_INIT;
	return options_parse(table, common, "leaks [RUN...]\nVerdicts and advice.", argc, argv,
			     &v->rest);
}

#define PARSE(v, ...) parse(v, (const char *[]){ "leaks", __VA_ARGS__, NULL })

Test(options, may_stand_anywhere)
{
	struct values v = { .at = -1 };

	cr_assert_eq(PARSE(&v, "run", "--all", "-", "--tag=x y", "-v", "--capacity", "1.5 GiB",
			   "--at", "-3", "--only", "a", "--only=b", "--only", "c", "--", "--tag"),
		     0, "%s", error_text());
	cr_assert(v.all && v.verbose);
	cr_assert_str_eq(v.tag, "x y");
	cr_assert_eq(v.at, -3);
	cr_assert_eq(v.capacity, INT64_C(1610612736));
	cr_assert_eq(v.only.len, 3);
	cr_assert_str_eq(v.only.at[0], "a");
	cr_assert_str_eq(v.only.at[2], "c");
	cr_assert_eq(v.rest.len, 3);
	cr_assert_str_eq(v.rest.at[0], "run");
	cr_assert_str_eq(v.rest.at[1], "-");
	cr_assert_str_eq(v.rest.at[2], "--tag");
	arguments_release(&v.rest);
}

Test(options, keep_their_defaults)
{
	struct values v = { .at = 7, .tag = "none" };

	cr_assert_eq(parse(&v, (const char *[]){ "leaks", NULL }), 0);
	cr_assert_eq(v.at, 7);
	cr_assert_str_eq(v.tag, "none");
	cr_assert_eq(v.rest.len, 0);
	arguments_release(&v.rest);
}

Test(options, errors_name_command_and_option)
{
	static const struct {
		const char *argv[4], *text;
	} cases[] = {
		{ { "leaks", "--foo" },
		  "memlog leaks: unknown option '--foo'; see memlog help leaks" },
		{ { "leaks", "--foo=3" },
		  "memlog leaks: unknown option '--foo=3'; see memlog help leaks" },
		{ { "leaks", "-x" }, "memlog leaks: unknown option '-x'; see memlog help leaks" },
		{ { "leaks", "--tag" },
		  "memlog leaks: option '--tag' needs a value; see memlog help leaks" },
		{ { "leaks", "--all=1" },
		  "memlog leaks: option '--all=1' takes no value; see memlog help leaks" },
		{ { "leaks", "--at", "3x" }, "memlog leaks: --at: '3x' is not a whole number" },
		{ { "leaks", "--at=99999999999" },
		  "memlog leaks: --at: '99999999999' is not a whole number" },
		{ { "leaks", "--capacity", "3 XB" },
		  "memlog leaks: --capacity: '3 XB': unknown unit 'XB'; use B, KiB, MiB, GiB, KB, "
		  "MB or GB" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct values v = { 0 };

		cr_assert_eq(parse(&v, (const char **)cases[i].argv), -1);
		cr_assert_eq(error_kind(), ERROR_USAGE);
		cr_assert_str_eq(error_text(), cases[i].text);
		arguments_release(&v.rest);
	}
}

Test(options, help_lists_them)
{
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, NULL, NULL, "every finding" },
		{ "a-rather-long-name", 0, OPT_TEXT, NULL, "VALUE", "something" },
		{ 0 },
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	options_print(out, table, NULL, "leaks [RUN...]\nVerdicts and advice.");
	fclose(out);
	cr_assert_str_eq(text, "usage: memlog leaks [RUN...]\n"
			       "\n"
			       "Verdicts and advice.\n"
			       "\n"
			       "Options:\n"
			       "  -a, --all                 every finding\n"
			       "      --a-rather-long-name VALUE\n"
			       "                            something\n"
			       "\n"
			       "  -h, --help                show this help\n");
	free(text);
}

Test(options, help_returns_1)
{
	struct values v = { 0 };

	cr_assert_not_null(freopen("/dev/null", "w", stdout));
	cr_assert_eq(PARSE(&v, "run", "-h"), 1);
	arguments_release(&v.rest);
}

Test(terminal, width_comes_from_columns_first)
{
	FILE *file = tmpfile();

	setenv("COLUMNS", "123", 1);
	cr_assert_eq(terminal_width(file), 123);
	setenv("COLUMNS", "many", 1);
	cr_assert_eq(terminal_width(file), 100);
	unsetenv("COLUMNS");
	cr_assert_eq(terminal_width(file), 100);
	cr_assert_not(terminal_is(file));
	cr_assert_not(terminal_color(file));
	fclose(file);
}
