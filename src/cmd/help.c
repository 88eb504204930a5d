#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/command.h"

enum { USAGE_WIDTH = 34 };

static void print_all(void)
{
	printf("memlog -- reads GPU memory logs and says what grows, where, how fast and what to "
	       "change\n\n"
	       "usage: memlog [--db FILE] COMMAND ...\n\n");
	for (const struct command *c = commands; c->name; c++) {
		char usage[80];

		snprintf(usage, sizeof(usage), "%s%s%s", c->name, c->arguments ? " " : "",
			 c->arguments ? c->arguments : "");
		if (strlen(usage) > USAGE_WIDTH)
			printf("  %s\n  %-*s %s\n", usage, USAGE_WIDTH, "", c->summary);
		else
			printf("  %-*s %s\n", USAGE_WIDTH, usage, c->summary);
	}
	printf("\nmemlog help COMMAND tells a command's options.\n\n"
	       "everyday:  memlog import run.txt && memlog leaks && memlog plot --out mem.png\n"
	       "in CI:     memlog gate --max-growth 1MiB\n\n"
	       "exit: 0 done or passed, 1 the gate failed, 2 usage, 3 input, 4 database, disk or "
	       "gnuplot,\n"
	       "      5 the gate has too little data, 130 interrupted\n");
}

int cmd_help(const struct command *self, int argc, const char **argv)
{
	const struct command *command;
	const char *help[] = { NULL, "--help", NULL };

	(void)self;
	if (argc < 2) {
		print_all();
		return EXIT_FINE;
	}
	command = command_find(argv[1]);
	if (!command)
		return error_usage("memlog help: '%s' is not a memlog command; see memlog help", argv[1]);
	if (command->run == cmd_help || command->run == cmd_version) {
		printf("usage: memlog %s%s%s\n\n%s\n", command->name, command->arguments ? " " : "",
		       command->arguments ? command->arguments : "", command->summary);
		return EXIT_FINE;
	}
	help[0] = command->name;
	return command->run(command, 2, help);
}
