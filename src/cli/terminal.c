#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 20, WIDEST = 10000, USUAL = 80, NO_TERMINAL = 100 };

bool terminal_is(FILE *stream)
{
	return isatty(fileno(stream));
}

static int plausible(long columns)
{
	return columns >= NARROWEST && columns <= WIDEST ? (int)columns : 0;
}

static int environment_width(void)
{
	const char *text = getenv("COLUMNS");
	char *end;
	long columns;

	if (!text || !*text)
		return 0;
	columns = strtol(text, &end, 10);
	return *end ? 0 : plausible(columns);
}

int terminal_width(FILE *stream)
{
	struct winsize size;
	int columns = environment_width();

	if (columns)
		return columns;
	if (!terminal_is(stream))
		return NO_TERMINAL;
	if (!ioctl(fileno(stream), TIOCGWINSZ, &size))
		columns = plausible(size.ws_col);
	return columns ? columns : USUAL;
}

bool terminal_color(FILE *stream)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return terminal_is(stream) && term && *term && strcmp(term, "dumb") != 0;
}
