#ifndef RENDER_AXES_H
#define RENDER_AXES_H

#include <stdbool.h>

#include "model/plot.h"

/*
 * The scales of a plot: ranges, round steps and the unit of y.  Both ways of drawing share them.
 *
 * y starts at 0 unless everything drawn is a line far above it, where starting at 0 would hide the
 * growth.  A level far above the data (a nearly empty card) would flatten it: such a level stays
 * out of the range, see axes_shows().
 */
struct axes {
	double x_low, x_high, x_step;
	double y_low, y_high, y_step; /* in `unit` bytes, tensors or percent */
	double unit;
	const char *unit_name; /* with the blank before it */
	bool is_time;
	/* Which part of an ISO 8601 time labels a step, and which the whole axis; length 0: none.
	 */
	struct axes_slice {
		int from, len;
	} step_part, axis_part;
};

/* About as many steps as asked for; a plot without points gets ranges of 0 to 1. */
void axes_init(struct axes *axes, const struct plot *plot, int x_steps, int y_steps);

/* Whether a height, not in units, is inside the range. */
bool axes_shows(const struct axes *axes, double y);

enum { AXIS_TEXT = 64 };

/* The label of a step: "0.5 GiB"; "16:22" or "1,200". */
const char *axes_y_label(char out[AXIS_TEXT], const struct axes *axes, double y);
const char *axes_x_label(char out[AXIS_TEXT], const struct axes *axes, double x);
/* The label of the whole x axis with the date its steps leave out: "time (UTC), 2026-11-29";
 * nothing without a label. */
char *axes_x_title(const struct axes *axes, const struct plot *plot);

/* Where the i-th step of an axis is, counted from 0; false beyond the last. */
bool axes_y_at(const struct axes *axes, int i, double *y);
bool axes_x_at(const struct axes *axes, int i, double *x);

#endif
