#ifndef CMD_PLOT_TIMELINE_H
#define CMD_PLOT_TIMELINE_H

#include "model/finding.h"
#include "model/plot.h"
#include "model/timeline.h"

/*
 * The picture of one run over its points or its time: the widest total, the visible tensors, what
 * is hidden between them, positions, out-of-memory marks and the capacity.  All of it lives in the
 * arena.
 */
void plot_timeline(struct plot *plot, struct arena *arena, const struct timeline *timeline,
		   const struct analysis *analysis, enum size_style units);

#endif
