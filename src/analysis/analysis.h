#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include <stdint.h>

#include "base/units.h"
#include "model/finding.h"
#include "model/timeline.h"

/*
 * Is this run a leak, of which kind, where, how fast, what to do?  One timeline in, one analysis
 * out: no SQL, no printing, no clock; the same input gives the same answer everywhere.
 *
 *	struct analysis analysis;
 *
 *	analyse(&analysis, &timeline, &ANALYSIS_OPTIONS_DEFAULT);
 *	...
 *	analysis_release(&analysis);
 *
 * The flow: positions → loops → per loop: warm-up, growth of levels and of tensor counts →
 * detectors (detector.h) → select (which loop a growth belongs to) → forecast → verdict.
 *
 * The analysis points into the timeline (sites, rows, subjects), which must outlive it.
 */
struct analysis_options {
	int64_t capacity;           /* bytes; QUANTITY_UNKNOWN: what the log says */
	int64_t minimum_iterations; /* for "clean"; exact counts may show a leak earlier */
};

#define ANALYSIS_MINIMUM_ITERATIONS 5
#define ANALYSIS_OPTIONS_DEFAULT \
	((struct analysis_options){ QUANTITY_UNKNOWN, ANALYSIS_MINIMUM_ITERATIONS })

/* Returns 0; there is no input that cannot be judged, at worst the verdict is "undecided". */
int analyse(struct analysis *out, const struct timeline *timeline,
	    const struct analysis_options *options);

#endif
