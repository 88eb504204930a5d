#ifndef MODEL_PLOT_H
#define MODEL_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * A picture, before anyone draws it: series over a common x axis, marks, labels.
 * All of it lives in the caller's arena; texts come from logs and are not escaped.
 */

enum plot_style {
	PLOT_LINE,
	PLOT_STEP,
	PLOT_AREA, /* from zero; the first is at the back: a stack lists its highest top first */
	PLOT_POINTS,
	PLOT_DASHED, /* not measured (fitted, forecast), or a line that may lie on another */
	PLOT_BAND,   /* from low to y, behind everything */
};

struct plot_point {
	double x, y; /* y NaN: a gap */
	double low;  /* PLOT_BAND only */
};

/* Colours that mean the same in every picture. */
enum plot_color {
	PLOT_COLOR_AUTO, /* by its place among the series */
	PLOT_BLUE,
	PLOT_ORANGE,
	PLOT_GREEN,
	PLOT_PINK,
	PLOT_SKY,
	PLOT_BLACK, /* as an area: grey */
	PLOT_YELLOW,
};

struct plot_series {
	const char *name; /* NULL: not in the legend */
	enum plot_style style;
	const struct plot_point *point; /* x rising */
	size_t points;
	enum plot_color color;
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

/* What y counts. */
enum plot_unit { PLOT_BYTES, PLOT_COUNT, PLOT_PERCENT };

struct plot {
	const char *title;    /* says the answer */
	const char *subtitle; /* NULL: none */
	const char *x_label;
	bool x_is_time;       /* x in seconds since 1970 UTC */
	double x_low, x_high; /* low < high: the range of x; else that of the data */
	enum plot_unit unit;
	const struct plot_series *series;
	size_t nseries;
	const struct plot_mark *mark;
	size_t marks;
	const struct plot_level *level;
	size_t levels;
	/*
	 * Pictures below each other over the same x: each a plot with its own title, series and
	 * levels, and the x range of all.  The plot that holds them has none of these but the
	 * titles and what is said of x.
	 */
	const struct plot *panel;
	size_t panels;
};

#endif
