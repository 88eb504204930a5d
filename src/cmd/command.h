#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/*
 * A command: one file, one row in commands.c, one golden case or more.
 *
 * `run` parses its options (an options table beside it, over a local struct), opens what it needs,
 * wires the stages and prints through a renderer.  It returns 0, or one of EXIT_… above 0 for an
 * outcome that is not a failure (a gate that fails), or -1 with an error set, which main() prints.
 */

enum {
	EXIT_FINE = 0,
	EXIT_GATE = 1, /* the gate failed; leaks --exit-code found a leak */
	EXIT_USAGE = 2,
	EXIT_INPUT = 3,     /* an input could not be read or no dialect fits */
	EXIT_TROUBLE = 4,   /* database, disk or gnuplot */
	EXIT_UNDECIDED = 5, /* the gate has too little data */
	EXIT_INTERRUPTED = 130,
};

struct command {
	const char *name;
	int (*run)(const struct command *self, int argc, const char **argv);
	const char *arguments; /* after the name, in usage lines */
	const char *summary;
	const char *details; /* paragraphs for help, or NULL */
};

/* Ends with a row without a name. */
extern const struct command commands[];
const struct command *command_find(const char *name);

/* Where the database is by default: $MEMLOG_DB, else ./memlog.db. */
const char *default_database(void);

#define COMMAND(name) int cmd_##name(const struct command *self, int argc, const char **argv)
COMMAND(import);
COMMAND(runs);
COMMAND(show);
COMMAND(leaks);
COMMAND(overhead);
COMMAND(diff);
COMMAND(scale);
COMMAND(plot);
COMMAND(report);
COMMAND(gate);
COMMAND(query);
COMMAND(export);
COMMAND(formats);
COMMAND(help);
COMMAND(version);

#endif
