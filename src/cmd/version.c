#include <stdio.h>

#include "cmd/command.h"

int cmd_version(const struct command *self, int argc, const char **argv)
{
	(void)self;
	(void)argc;
	(void)argv;
	printf("memlog %s\n", VERSION);
	return EXIT_FINE;
}
