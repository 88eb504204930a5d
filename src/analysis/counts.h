#ifndef ANALYSIS_COUNTS_H
#define ANALYSIS_COUNTS_H

#include "analysis/loops.h"
#include "analysis/trend.h"
#include "model/finding.h"

/*
 * The tensor rows whose exact counts grow, and the families of rows that do so together: rows that
 * differ in one dimension (the batch, a length), or in all.
 */

enum grown_kind {
	GROWN_COUNT, /* more tensors */
	GROWN_SIZE,  /* as many tensors, one dimension grows */
};

struct grown {
	enum grown_kind kind;
	const struct tensor_row *row; /* of a family: the one that is there at the end */
	const char *shape;            /* of a family: with * for what varies */
	bool family;
	struct trend trend;     /* of the count; GROWN_SIZE: of the bytes of the largest */
	const int64_t *history; /* at each iteration from the base on; GROWN_SIZE: the dimension */
	size_t iterations;
	double count_rate, bytes_rate; /* an iteration */
	int64_t first_line, last_line; /* of the log: the changes in the judged range */
	bool claimed;                  /* a detector has made a finding of it */
};

struct grown_rows {
	struct grown *at; /* most bytes an iteration first */
	size_t len, cap;
	struct arena *arena;
};

/* first: iteration (from 0) that is the base.  Everything lives in the arena. */
void counts_find(struct grown_rows *out, struct arena *arena, const struct timeline *timeline,
		 const struct loop *loop, size_t first);

/* Do two grow in step: the same share of their growth at each time? */
bool counts_in_step(const struct grown *a, const struct grown *b);

/* Is some tensor of the row a parameter of a model? */
bool counts_is_parameter(const struct tensor_row *row);

/* For counts.c and families.c. */
struct grown *counts_add(struct grown_rows *out);
enum counts_rules {
	COUNTS_WHOLE = 1 << 0, /* the history begins with the run */
	COUNTS_OUTER = 1 << 1, /* of an outer loop: its iterations are few, and each is long */
};
bool counts_judge(struct trend *trend, const int64_t *history, size_t n, size_t first,
		  enum counts_rules rules);

#endif
