#ifndef ANALYSIS_PLACES_H
#define ANALYSIS_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * The places of one run found again in another, whatever the folder and the tracker (tools before
 * 2021-04 print the module, later ones the file).
 *
 * Lines move with every edit above them.  So where both runs came to equally many places of a
 * function, these are paired in their order; else only the same lines are the same place.  Labels
 * stand for themselves.
 */
enum { PLACE_NONE = -1 };

/* For each site of `b` the index of its site of `a`, or PLACE_NONE; none of `a` twice.  In the
 * arena. */
int *places_pair(struct arena *arena, const struct timeline *a, const struct timeline *b);

#endif
