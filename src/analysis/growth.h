#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include "analysis/series.h"
#include "model/finding.h"

/*
 * Growth of each level of a run over one loop.  A level that the log cannot separate is not known.
 */
struct level_growth {
	bool known;
	struct trend trend;
	double quantum;
	bool percent; /* in hundredths of a percent, not in bytes */
	bool coarse;  /* quantity_coarse() */
	int64_t last; /* at the last point that says it */
};

/* The series behind a level; plus NULL: the run has none. */
struct quantity growth_quantity(const struct timeline *timeline, enum growth_level level);

/* first: iteration (from 0) that is the base. */
void growth_measure(struct level_growth out[GROWTH_LEVELS], const struct timeline *timeline,
		    const struct loop *loop, size_t first);

struct growth growth_of(const struct level_growth *level);

#endif
