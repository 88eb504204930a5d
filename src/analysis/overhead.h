#ifndef ANALYSIS_OVERHEAD_H
#define ANALYSIS_OVERHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "model/timeline.h"

/*
 * Where the bytes are that no tensor explains.
 *
 * The total is the widest quantity the run has: the device's, else the allocator's.  Between two
 * points, unexplained = change of the total − change of the visible tensors.  A figure's tolerance
 * is the sum of the steps its terms were printed with, halved where the print is rounded.
 */

struct overhead_interval {
	size_t from, to; /* points */
	int64_t total_change, visible_change, unexplained_change, tolerance;
	const char *why; /* constant text */
};

/* What "total" is in this run; NULL: it has none, and nothing can be said. */
const struct series *overhead_total(const struct timeline *timeline);

/*
 * The interval that ends at the first point after `from` which has a total and a visible sum; false
 * if there is none.  `from` must be such a point: overhead_first().
 */
bool overhead_next(const struct timeline *timeline, size_t from, struct overhead_interval *out);
bool overhead_first(const struct timeline *timeline, size_t *point);

enum ledger_how { LEDGER_MEASURED, LEDGER_INFERRED, LEDGER_BOUNDED, LEDGER_HOWS };
extern const char *const ledger_how_names[LEDGER_HOWS];

enum { LEDGER_PARTS = 6 };

struct ledger {
	size_t point; /* the one with the largest total */
	int64_t total;
	const char *total_name; /* "device", "allocated", … */
	struct ledger_part {
		const char *part; /* "visible", "hidden", …; joint parts have joint names */
		int64_t bytes, tolerance;
		enum ledger_how how;
		const char *meaning;
	} part[LEDGER_PARTS];
	size_t parts;
};

/* The parts sum to the total exactly.  False if the run has no total. */
bool overhead_ledger(const struct timeline *timeline, struct ledger *out);

#endif
