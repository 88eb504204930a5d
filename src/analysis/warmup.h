#ifndef ANALYSIS_WARMUP_H
#define ANALYSIS_WARMUP_H

#include "analysis/loops.h"
#include "model/timeline.h"

/*
 * How many iterations belong to the start, at least one: a training's optimizer state, workspaces
 * and the first batch appear in it.  It lasts until no new tensor row appears; where shapes vary
 * and new rows keep coming, until no new rank and dtype does; never longer than a third of the run.
 * The state at the end of the warm-up is the base from which growth is judged.
 */
size_t warmup_find(const struct timeline *timeline, const struct loop *loop);

#endif
