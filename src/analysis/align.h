#ifndef ANALYSIS_ALIGN_H
#define ANALYSIS_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * When were the points of a log taken that has no time stamps?  By the curve it shares with one
 * that has them.
 *
 * Points come in order, so their times rise: of all rising assignments to the samples of the timed
 * curve the one with the least sum of distances is taken (dynamic programming, as in dynamic time
 * warping: Sakoe and Chiba, IEEE Trans. ASSP 26 (1978) 43).  Where the curves are flat nothing
 * tells the samples apart; there the points are spread evenly, and the error says how far that may
 * be off.
 */
struct curve {
	const int64_t *time; /* rising */
	const double *value;
	size_t n;
};

struct alignment {
	int64_t *time; /* of each point; lives in the arena */
	int64_t error; /* nanoseconds: how far a point could move unseen; of the points the median
			*/
	double cost;   /* mean distance, as a share of the timed curve's range */
};

struct align_fit {
	bool shape;    /* only the form is the same: both ranges are stretched to one */
	double offset; /* else: points = samples + offset; NAN: unknown, both tops are one */
};

/*
 * value: one a point, NAN where unknown.  Samples before `from` do not count (TIME_UNKNOWN: all
 * do). False if there is nothing to go by.
 */
bool align_points(struct alignment *out, struct arena *arena, const double *value, size_t points,
		  int64_t from, const struct curve *timed, struct align_fit fit);

#endif
