#ifndef ANALYSIS_FORECAST_H
#define ANALYSIS_FORECAST_H

#include "analysis/analysis.h"
#include "analysis/growth.h"

/*
 * When is the card full?  Iterations that still complete after the last point, from the growth of
 * the level closest to what is limited.  The interval is that of the growth, and one iteration less
 * at its low end: within an iteration more is in use than at its end.
 */
void forecast_make(struct forecast *out, const struct timeline *timeline,
		   const struct analysis_options *options, const struct loop *loop,
		   const struct level_growth level[GROWTH_LEVELS], const struct finding *top);

#endif
