#ifndef ANALYSIS_LOOPS_H
#define ANALYSIS_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/positions.h"

/*
 * The loops of a run, found from the sequence of positions.
 *
 * Two things mark an iteration: a position that comes again, and a step from one position to
 * another that comes again.  The second finds loops that have no track() call of their own: in
 * AAABAAAB the step B→A comes once an outer iteration.  Markers that take turns one to one are
 * several track() calls of one loop.  A loop whose every iteration holds two or more iterations of
 * another is its outer loop.  A log without positions is one loop of samples.
 */
enum loop_kind {
	LOOP_CODE,    /* code positions or labels */
	LOOP_SAMPLES, /* every point is one */
	LOOP_PERIOD,  /* one position for everything: found in the numbers (analysis/period.h) */
};

struct loop {
	enum loop_kind kind;
	int32_t position; /* of the heads; -1 for samples */
	uint32_t *head;   /* point that ends each iteration */
	size_t n;         /* iterations */
	size_t from;      /* first point of the first iteration */
	size_t calls;     /* most common number of points an iteration */
	size_t samples;   /* iterations that the unit holds: 1, or a cycle of labels */
	int outer;        /* index of the next outer loop, or -1 */
	int inner;        /* index of a loop inside, or -1 */
	const char *unit; /* "iteration", "outer iteration", "sample", "cycle" */
};

enum { LOOPS_MAX = 16 };

struct loops {
	struct loop at[LOOPS_MAX];
	size_t len;
};

/* Loops of at least two iterations, most iterations first; arrays live in the arena. */
void loops_find(struct loops *out, struct arena *arena, const struct positions *positions);

/*
 * Adds the loop in which every point is one.  With `cycle` above 1 so many points are told as one
 * cycle: labels that take turns.
 */
void loops_add_samples(struct loops *loops, struct arena *arena, const struct positions *positions,
		       size_t cycle);

/* First point of iteration k (from 0). */
static inline size_t loop_start(const struct loop *loop, size_t k)
{
	return k == 0 ? loop->from : (size_t)loop->head[k - 1] + 1;
}

/* How many of its units the loop holds; the last may be cut short. */
static inline int64_t loop_units(const struct loop *loop)
{
	return (int64_t)((loop->n + loop->samples - 1) / loop->samples);
}

/*
 * How often the step between positions p→s comes; the loop that a growth arriving at this step
 * belongs to has about as many iterations.
 */
size_t loops_count_step(const struct positions *positions, int32_t p, int32_t s);

#endif
