#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

/*
 * A command's options: a table beside it, over a struct of its own.
 *
 *	struct { bool all; const char *tag; int at; int64_t capacity; struct option_list runs; } o =
 *{ .at = -1, .capacity = QUANTITY_UNKNOWN
 *	};
 *	const struct option table[] = {
 *		{ "all", 'a', OPT_FLAG, &o.all, NULL, "every finding" },
 *		{ "capacity", 0, OPT_SIZE, &o.capacity, "SIZE", "memory of the card" },
 *		{ 0 },
 *	};
 *	struct arguments rest = ARGUMENTS_INIT;
 *	int rc = options_parse(table, common, usage, argc, argv, &rest);
 *
 * Targets keep what they hold when their option is not given; given twice, the last one counts.
 */
enum option_type {
	OPT_FLAG, /* bool: set to true */
	OPT_TEXT, /* const char *: lives until arguments_release() */
	OPT_INT,  /* int */
	OPT_SIZE, /* int64_t: bytes, read by size_parse() */
	OPT_LIST, /* struct option_list: may be given more than once */
};

struct option_list {
	const char **at; /* lives until arguments_release() */
	size_t len;
};

struct option {
	const char *name; /* without dashes; NULL ends the table */
	char short_name;  /* 0: none */
	enum option_type type;
	void *target;         /* of the C type beside `type` */
	const char *argument; /* its name in the help; NULL for OPT_FLAG */
	const char *help;
};

/* What is no option, in order. */
struct arguments {
	const char **at;
	size_t len;
	struct arena arena;
};

#define ARGUMENTS_INIT \
	{ \
		NULL, 0, ARENA_INIT \
	}

/*
 * Reads argv[1] …; argv[0] is the name of the command and opens the messages.  Options stand
 * anywhere before "--"; "-" is an argument.  `common` (may be NULL) is a second table, for what all
 * commands share.  --help and -h are added to every command.
 *
 * `usage` says what follows "memlog " on the usage line, then after a line end what the command
 * does: "leaks [RUN...]\nverdicts, findings and advice".
 *
 * Returns 0; 1 when help was asked for and printed to stdout; -1 with a usage error such as "memlog
 * leaks: unknown option '--foo'; see memlog help leaks".  Call arguments_release() in every case.
 */
int options_parse(const struct option *table, const struct option *common, const char *usage,
		  int argc, const char **argv, struct arguments *rest);

/* The help of a command, as --help prints it. */
void options_print(FILE *out, const struct option *table, const struct option *common,
		   const char *usage);

void arguments_release(struct arguments *arguments);

#endif
