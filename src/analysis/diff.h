#ifndef ANALYSIS_DIFF_H
#define ANALYSIS_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/finding.h"
#include "model/timeline.h"

/*
 * Two runs side by side: B against A.
 *
 * Both are compared in bytes, whatever their tools print.  Things that mean the same are paired:
 * positions as places.h says, tensor rows by shape and dtype (by shape alone where one side prints
 * no dtypes), findings by cause and place.  What has no partner came or went.  Everything lives in
 * the arena; the timelines and analyses must outlive it.
 */

enum diff_change { DIFF_SAME, DIFF_CAME, DIFF_WENT, DIFF_GREW, DIFF_SHRANK, DIFF_CHANGES };
extern const char *const diff_change_names[DIFF_CHANGES];

/* QUANTITY_UNKNOWN: the run has none. */
struct diff_level {
	enum level level;
	int64_t peak[2];
	int64_t growth[2]; /* an iteration */
	int64_t tolerance; /* of the difference of the peaks */
	enum diff_change change;
};

struct diff_position {
	const struct site *site; /* of B, else of A */
	int64_t visits[2];
	int64_t peak[2]; /* highest total there */
	enum diff_change change;
};

struct diff_tensor {
	const char *shape, *dtype;  /* dtype NULL: not printed by both */
	int64_t count[2], bytes[2]; /* most at one point */
	enum diff_change change;
};

struct diff_finding {
	const struct finding *finding[2];
	enum diff_change change;
};

struct diff_side {
	const struct timeline *timeline;
	const struct analysis *analysis;
};

struct diff {
	struct diff_side side[2];
	/* The widest total of both: the quantity compared at positions; LEVELS: they have none in
	 * common, and the totals of the two stand for different things. */
	enum level total;
	struct diff_level level[LEVELS];
	size_t levels;
	struct diff_position *position; /* in the order of B, then what went */
	size_t positions;
	struct diff_tensor *tensor; /* largest difference first */
	size_t tensors;
	struct diff_finding *finding;
	size_t findings;
};

void diff_runs(struct diff *out, struct arena *arena, struct diff_side a, struct diff_side b);

#endif
