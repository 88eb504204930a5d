#ifndef ANALYSIS_PERIOD_H
#define ANALYSIS_PERIOD_H

#include "analysis/loops.h"
#include "model/timeline.h"

/*
 * Reports from before 2021-04 print the frame of the tracker's constructor: nested loops all stand
 * at one position, and their period is in the numbers only.  If the changes of the visible bytes
 * (or of the device's) repeat exactly with a period of two points or more, that is the outer loop.
 *
 * Looks at each loop whose position has a module and no file, and adds an outer loop, unit "cycle".
 */
void period_find(struct loops *loops, struct arena *arena, const struct timeline *timeline);

#endif
