#ifndef ANALYSIS_SCALE_H
#define ANALYSIS_SCALE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * Does memory follow the number of samples, or the size of a batch?
 *
 * Of each run: its peak, and the tensors alive there whose first dimension may be that number. Over
 * runs with different counts: peak = a + b × count, by the median of all slopes, with the interval
 * that the prints' steps and the noise leave.  Everything lives in the arena.
 */

/* A row alive at the peak, without its first dimension. */
struct scale_tensor {
	const char *pattern; /* "(*, 64, 375, 500)" */
	const char *dtype;   /* or NULL */
	int64_t first;       /* the first dimension */
	int64_t count;       /* tensors */
	int64_t bytes;       /* of one element of the first dimension, all `count` together */
	bool parameter;
};

struct scale_run {
	const char *name;
	int64_t samples; /* given by the caller; unknown: the batch is taken */
	int64_t batch;   /* first dimension that most bytes have; 0: none */
	enum level level;
	int64_t peak, quantum;
	int64_t capacity; /* or unknown */
	size_t point;
	const struct scale_tensor *tensor;
	size_t tensors;
};

/* Reads a run at its peak; false: it has no total.  The strings are copied. */
bool scale_read(struct scale_run *out, struct arena *arena, const struct timeline *timeline);

enum scale_follows {
	SCALE_UNDECIDED, /* too few counts */
	SCALE_NEITHER,   /* the counts differ, the memory does not */
	SCALE_SAMPLES,
	SCALE_BATCH, /* not the samples: the size of the batch */
	SCALE_FOLLOWS
};
extern const char *const scale_follows_names[SCALE_FOLLOWS]; /* undecided is NULL */

struct scale_line {
	size_t counts; /* different ones */
	double intercept, intercept_low, intercept_high;
	double slope, low, high;
	double worst; /* largest distance of a run from the line, as a share of the peaks' range */
};

/* A pattern that runs share, and how its first dimension goes with the count. */
struct scale_carrier {
	const struct scale_tensor *tensor; /* in the run with the largest count */
	int64_t bytes_per_count;
};

struct scale {
	enum scale_follows follows;
	bool counts_given;      /* some samples came from the caller */
	bool mixed_levels;      /* the runs' totals are not the same quantity */
	struct scale_line line; /* over the count that memory follows, else over the samples */
	struct scale_line by_samples, by_batch;
	const struct scale_carrier *carrier; /* most bytes first */
	size_t carriers;
	int64_t carried;       /* bytes a count of all carriers */
	bool batch_is_samples; /* where both are known they are equal in each run */
	const char *why;
};

/* Runs without a number of their own get their batch's. */
void scale_judge(struct scale *out, struct arena *arena, struct scale_run *runs, size_t n);

/* The largest count whose peak stays within the capacity; -1: no limit is in sight. */
int64_t scale_largest_fit(const struct scale_line *line, int64_t capacity);

#endif
