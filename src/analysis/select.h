#ifndef ANALYSIS_SELECT_H
#define ANALYSIS_SELECT_H

#include "analysis/detector.h"

/*
 * The same growth shows in every loop that passes by: a model kept per epoch also looks like slow
 * growth per step.  For each growth the loop is kept whose number of iterations comes closest to
 * how often the growth arrives: at the step between two positions where most of it appears.  What
 * an outer loop with enough iterations does not show is released by it, and no growth.
 *
 * Sorts the candidates: kept ones first; of these leaks, suspects, notes; each by bytes.
 */
void select_findings(struct candidates *candidates, const struct positions *positions,
		     const struct loops *loops);

/*
 * The position where the growth of a kept candidate arrives, if its loop passes there once an
 * iteration: of several track() calls the one after which it is there.  Else that of the loop.
 */
int32_t select_position(const struct candidate *c, const struct positions *positions,
			const struct loops *loops);

#endif
