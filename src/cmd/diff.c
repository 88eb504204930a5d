#include "cmd/common.h"

int cmd_diff(const struct command *self, int argc, const char **argv)
{
	(void)self;
	(void)argc;
	(void)argv;
	return 0;
}
