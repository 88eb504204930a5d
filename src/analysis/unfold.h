#ifndef ANALYSIS_UNFOLD_H
#define ANALYSIS_UNFOLD_H

#include "analysis/growth.h"
#include "analysis/loops.h"
#include "model/finding.h"

/*
 * A folded run (model/timeline.h) is judged as it stands; what is told counts the visits of the log.
 */

/* Visits that one iteration of the loop stands for; 1 for a run that is not folded, or no loop. */
int64_t unfold_factor(const struct timeline *timeline, const struct loop *loop);

/* Growth an iteration of the folded loop -> an iteration of the log. */
void unfold_levels(struct level_growth level[GROWTH_LEVELS], int64_t factor);
void unfold_finding(struct finding *finding, struct arena *arena, const struct timeline *timeline,
		    const struct loop *loop);

/* n iterations of the folded loop in iterations of the log; the last may stand for fewer. */
int64_t unfold_count(const struct timeline *timeline, const struct loop *loop, int64_t n);

#endif
