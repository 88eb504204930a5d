#ifndef MODEL_PLOT_H
#define MODEL_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * A picture, before anyone draws it: series over a common x axis, marks, labels.
 * y is bytes, or hundredths of a percent.  All of it lives in the caller's arena; texts come from logs and are not escaped.
 */

enum plot_style { PLOT_LINE, PLOT_STEP, PLOT_AREA, PLOT_POINTS };

struct plot_point {
	double x, y; /* y NaN: a gap */
};

struct plot_series {
	const char *name;
	enum plot_style style;
	const struct plot_point *point; /* x rising */
	size_t points;
};

/* A vertical mark with a label. */
struct plot_mark {
	double x;
	const char *label;
	bool bad; /* out of memory */
};

/* A horizontal line with a label: capacity. */
struct plot_level {
	double y;
	const char *label;
};

struct plot {
	const char *title;    /* says the answer */
	const char *subtitle; /* NULL: none */
	const char *x_label;
	bool x_is_time;	   /* x in seconds since 1970 UTC */
	bool y_is_percent; /* y in hundredths of a percent */
	const struct plot_series *series;
	size_t nseries;
	const struct plot_mark *mark;
	size_t marks;
	const struct plot_level *level;
	size_t levels;
};

#endif
