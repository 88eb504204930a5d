#ifndef ANALYSIS_POSITIONS_H
#define ANALYSIS_POSITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * The position of each point, as far as repetition is concerned.  Two labels are one position if
 * they differ in numbers only: "Epoch 3, loss 0.71" and "Epoch 4, loss 0.69" are printed by one
 * line of code.  Code positions stand as they are.
 */
struct positions {
	int32_t *at;     /* by point: index of the first site that is the same position, or -1 */
	size_t points;   /* of the timeline */
	size_t sites;    /* of the timeline */
	size_t placed;   /* points that have a position */
	size_t repeated; /* most points at one position */
};

/* Arrays live in the arena. */
void positions_find(struct positions *out, struct arena *arena, const struct timeline *timeline);

/* "train.py:105", "mod f:105", the label, or "this log" for NULL; lives in the arena. */
const char *position_text(struct arena *arena, const struct site *site);

#endif
