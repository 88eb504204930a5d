#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/baseline.h"
#include "analysis/gate.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/options.h"

/*
 * A command line of any bytes, an argument a line: options are read into what their types allow, or
 * refused with a reason; nothing that was given is lost.  Each argument is tried, too, as the value
 * of every limit of a gate and as its tolerance.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGUMENTS = 64 };

struct given {
	bool flag;
	const char *text;
	int number;
	int64_t bytes;
	struct option_list list;
};

/* --help prints, and there is nothing of ours in what it does. */
static bool asks_for_help(const char *argument)
{
	return argument[0] == '-' && strchr(argument, 'h');
}

static void check_options(int argc, const char **argv)
{
	struct given got = { .bytes = QUANTITY_UNKNOWN };
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, &got.flag, NULL, "a" },
		{ "tag", 't', OPT_TEXT, &got.text, "TEXT", "t" },
		{ "at", 0, OPT_INT, &got.number, "N", "n" },
		{ "capacity", 'c', OPT_SIZE, &got.bytes, "SIZE", "c" },
		{ "run", 'r', OPT_LIST, &got.list, "RUN", "r" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	int rc = options_parse(table, NULL, "fuzz", argc, argv, &rest);

	assert(rc == 0 || rc == -1);
	if (rc < 0)
		assert(*error_text());
	else
		assert(rest.len + got.list.len < (size_t)argc);
	assert(!quantity_known(got.bytes) || got.bytes >= 0);
	for (size_t i = 0; rc == 0 && i < rest.len; i++)
		assert(rest.at[i]);
	arguments_release(&rest);
}

static void check_limits(const char *text)
{
	struct arena arena = ARENA_INIT;
	struct tolerance tolerance;

	for (const struct gate_limit_type *type = gate_limit_types; type->name; type++) {
		struct gate_limit limit = { 0 };

		if (type->argument && !gate_limit_parse(&limit, &arena, type, text))
			assert(limit.type == type && limit.number >= 0 && limit.level >= 0 &&
			       limit.level <= GROWTH_LEVELS);
	}
	if (!tolerance_parse(&tolerance, text)) {
		assert(tolerance.share >= 0 && tolerance.bytes >= 0);
		assert(tolerance_above(tolerance, 0) >= 0);
	}
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size), *next = text;
	const char *argv[ARGUMENTS + 1] = { "fuzz" };
	int argc = 1;

	while (next && argc < ARGUMENTS) {
		char *argument = next;

		next = strchr(argument, '\n');
		if (next)
			*next++ = '\0';
		if (!asks_for_help(argument))
			argv[argc++] = argument;
	}
	for (int i = 1; i < argc; i++)
		check_limits(argv[i]);
	check_options(argc, argv);
	free(text);
	return 0;
}
