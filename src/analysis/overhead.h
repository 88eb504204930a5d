#ifndef ANALYSIS_OVERHEAD_H
#define ANALYSIS_OVERHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * Where the bytes are that no tensor explains.
 *
 * The total is the widest quantity of the log that shows the tensors: the device's, else the
 * allocator's.  Other logs that were joined to it are aligned too roughly for differences from
 * point to point; the ledger of one point reaches up to what they tell.  Between two points,
 * unexplained = change of the total − change of the visible tensors.  A figure's tolerance is the
 * sum of the steps its terms were printed with, halved where the print is rounded.
 */

/* What an interval looks like, as far as the two sums tell. */
enum overhead_kind {
	OVERHEAD_QUIET,     /* nothing changed */
	OVERHEAD_TENSORS,   /* the tensors explain the change */
	OVERHEAD_FIRST_USE, /* the first tensors, and much more than they hold */
	OVERHEAD_KEPT,      /* tensors went, the total stayed: cached */
	OVERHEAD_RETURNED,  /* the total fell by more than the tensors: a cache was emptied */
	OVERHEAD_REUSED,    /* tensors came, the total rose by less: out of the cache */
	OVERHEAD_VIEWS,     /* the allocator holds less than the tensors add up to */
	OVERHEAD_OTHER,     /* workspaces, graph buffers, rounding, other processes */
	OVERHEAD_KINDS
};

enum { OVERHEAD_REASONS = 4 };

struct overhead_interval {
	size_t from, to; /* points */
	int64_t total_change, visible_change, unexplained_change, tolerance;
	enum overhead_kind kind;
	const char *why; /* reason[0] */
	/* What usually makes a difference of this size, likeliest first; constant texts. */
	const char *reason[OVERHEAD_REASONS];
	size_t reasons;
};

/* What "total" is in this run; NULL: it has none, and nothing can be said. */
const struct series *overhead_total(const struct timeline *timeline);
/* The device's total holds more than this run. */
bool overhead_is_device(const struct timeline *timeline);

/* Bytes of the tensors at a point; where a report prints no row yet, none is visible. */
int64_t overhead_visible(const struct timeline *timeline, size_t point);

/*
 * The interval that ends at the first point after `from` which has a total and a visible sum; false
 * if there is none.  `from` must be such a point: overhead_first().
 */
bool overhead_next(const struct timeline *timeline, size_t from, struct overhead_interval *out);
bool overhead_first(const struct timeline *timeline, size_t *point);
/* The interval between any two such points; false if one of them is none. */
bool overhead_between(const struct timeline *timeline, size_t from, size_t to,
		      struct overhead_interval *out);

enum ledger_how {
	LEDGER_MEASURED, /* printed */
	LEDGER_INFERRED, /* a difference of what is printed */
	LEDGER_BOUNDED,  /* at most this */
	LEDGER_HOWS
};
extern const char *const ledger_how_names[LEDGER_HOWS];

enum { LEDGER_PARTS = 10 };

struct ledger {
	size_t point;
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

/*
 * The ledger at the point with the largest total.  The parts sum to the total exactly: each is what
 * remains between two sums, and what no rule claims is a part too.  False if the run has no total.
 *
 * Where only the device's total is known, the history of the run tells its parts apart: what was
 * there before the first tensor, what its first use brought, what stayed when tensors went.
 */
bool overhead_ledger(const struct timeline *timeline, struct ledger *out);
/* The same at a point; false if it has no total. */
bool overhead_ledger_at(const struct timeline *timeline, size_t point, struct ledger *out);
/*
 * What a monitor alone tells of a device at its own peak: the processes on it, and the rest.  Names
 * live in the arena.  False if it was never seen.
 */
bool overhead_device_ledger(const struct timeline *timeline, const struct subject *device,
			    struct arena *arena, struct ledger *out);
/* The point with the largest total: the first of several, or the last, which is the most settled.
 */
bool overhead_peak(const struct timeline *timeline, bool last, size_t *point);

#endif
