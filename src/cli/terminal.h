#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* What a stream is connected to, and how it may be written to. */

bool terminal_is(FILE *stream);

/*
 * Columns: $COLUMNS if it is set, else the width of the terminal (80 if it does not say), else 100:
 * a file or pipe, where it must not depend on the machine.
 */
int terminal_width(FILE *stream);

/* Colour only on a terminal that knows it, and not against $NO_COLOR (see no-color.org). */
bool terminal_color(FILE *stream);

#endif
