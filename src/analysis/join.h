#ifndef ANALYSIS_JOIN_H
#define ANALYSIS_JOIN_H

#include "model/timeline.h"

/*
 * Several logs of one run read as one: a tracker's report, a monitor's, the job's own.
 *
 * The base keeps its points; what the other logs say of devices, processes and the allocator is put
 * at these points.  A log with time stamps needs the base's times: printed ones, else those of the
 * curve that both show (align.h), from the header's time on.  Without time stamps the visits of a
 * step that comes equally often in both are paired.  What cannot be placed is left out, and said.
 *
 * The run's own process is the only one, or the one that rises and falls with the run's tensors; it
 * is on the device where it holds most.
 */

/* The log that should be the base: one with tensors, else with processes, else the first. */
size_t join_base(const struct timeline *const *timelines, size_t n);

/* Puts the parts into `base`, which copies what it keeps. */
void join_parts(struct timeline *base, const struct timeline *parts, size_t n);

#endif
