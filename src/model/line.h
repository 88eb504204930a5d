#ifndef MODEL_LINE_H
#define MODEL_LINE_H

#include <stdint.h>

#include "base/span.h"

/*
 * One line of a log, as valid UTF-8 without its line end, colour codes and NULs.
 * `text` is valid until the next line is read.  A carriage return inside a line (a progress bar)
 * makes several lines of the same number.
 */
struct line {
	struct span text;
	int64_t number; /* from 1 */
};

#endif
