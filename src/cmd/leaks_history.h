#ifndef CMD_LEAKS_HISTORY_H
#define CMD_LEAKS_HISTORY_H

#include "model/finding.h"
#include "model/timeline.h"
#include "store/store.h"

/*
 * Since when a leak has been there: the earlier runs of the database are judged again, newest
 * first, until one was at the same place without it.  Runs of other programs are passed over, and
 * so much of the past is looked at that it stays unnoticed: HISTORY_RUNS runs, HISTORY_POINTS
 * points.
 */
enum { HISTORY_RUNS = 50, HISTORY_POINTS = 500000 };

struct leak_since {
	int64_t run;          /* id of the earliest run that has it; QUANTITY_UNKNOWN: no earlier */
	const char *run_name; /* of it */
	size_t runs;          /* earlier runs that have it */
	const char *run_before; /* that was there without it; NULL: none was found */
};

/* One entry a finding of the analysis, in the arena; notes have none.  NULL with an error. */
const struct leak_since *leaks_since(struct arena *arena, struct store *store,
				     const struct timeline *timeline,
				     const struct analysis *analysis);

#endif
