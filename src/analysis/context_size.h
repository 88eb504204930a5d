#ifndef ANALYSIS_CONTEXT_SIZE_H
#define ANALYSIS_CONTEXT_SIZE_H

#include "model/timeline.h"

/*
 * What a process takes of a card before any tensor: CUDA context, kernels, libraries.
 *
 * A process begins with it: what it holds when a monitor first sees it at rest.  Tensors may be in
 * there already, so it is an upper bound, and of several runs the tightest one is the best.  Cards
 * differ, runs on one card hardly do.
 */
struct context_size {
	const char *card; /* the device's name; NULL: the logs do not say */
	int64_t bytes, tolerance;
};

/* False unless a monitor shows the run's own process. */
bool context_measure(struct context_size *out, const struct timeline *timeline);

#endif
