#ifndef ANALYSIS_FIRST_USE_H
#define ANALYSIS_FIRST_USE_H

#include "analysis/overhead.h"
#include "base/arena.h"

/*
 * Several short runs beside one another: is it the tensors, or the first use of the device?
 *
 * The argument needs three runs.  One whose first tensors bring much more than they hold; one that
 * goes on where it ended, in which other tensors bring next to nothing more; one in which those
 * very tensors come first, and bring as much again.  Then it is not the first run's tensors.
 */

/* The interval of a run in which its first tensors came. */
struct first_tensors {
	const char *run;  /* in the caller's arena */
	const char *site; /* where the interval ends, and where it begins */
	const char *from_site;
	int64_t before, after; /* the total */
	struct overhead_interval in;
};

/* False if the run has no device total, or no tensors come between two of its points. */
bool first_tensors_find(struct first_tensors *out, const struct timeline *timeline);

struct first_use {
	const struct first_tensors *jump;  /* first tensors with a jump */
	const struct first_tensors *later; /* goes on after jump: no jump */
	const struct first_tensors *alone; /* the tensors of `later`, first: a jump */
	int64_t low, high;                 /* of all jumps */
	size_t jumps;
};

/* False if the runs do not make the argument. */
bool first_use_argue(struct first_use *out, const struct first_tensors *runs, size_t n);

#endif
