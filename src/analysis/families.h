#ifndef ANALYSIS_FAMILIES_H
#define ANALYSIS_FAMILIES_H

#include "analysis/counts.h"

/*
 * Adds the growth that no row shows alone: one tensor that grows is a new row at each iteration,
 * and kept tensors of varying length are all rows of one.  Rows already in `out` are left out.
 */
void families_find(struct grown_rows *out, const struct timeline *timeline, const struct loop *loop,
		   size_t first);

#endif
