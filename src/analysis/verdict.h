#ifndef ANALYSIS_VERDICT_H
#define ANALYSIS_VERDICT_H

#include "analysis/detector.h"

/*
 * The verdict of a run, why, and what to log next.  `loop` is the loop told to the reader, or NULL;
 * its level growth is in `level`.  Needs out->finding and out->findings; fills verdict, why,
 * smallest and log_next.
 */
void verdict_give(struct analysis *out, const struct timeline *timeline,
		  const struct analysis_options *options, const struct positions *positions,
		  const struct loop *loop, const struct level_growth level[GROWTH_LEVELS]);

#endif
