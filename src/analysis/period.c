#include "analysis/period.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Cycles needed to believe in a period, the longest one tried, and how exactly it must repeat. */
enum { CYCLES = 4, LONGEST = 64 };
static const double repeats = 0.9;

/* Changes from one iteration to the next, known to the end; false if there are gaps. */
static bool changes_of(int64_t *change, const struct series *s, const struct loop *loop)
{
	if (!s->value)
		return false;
	for (size_t k = 0; k + 1 < loop->n; k++) {
		change[k] = quantity_sub(s->value[loop->head[k + 1]], s->value[loop->head[k]]);
		if (!quantity_known(change[k]))
			return false;
	}
	return true;
}

static bool repeats_at(const int64_t *change, size_t n, size_t period)
{
	size_t same = 0;

	for (size_t i = 0; i + period < n; i++)
		same += change[i] == change[i + period];
	return (double)same >= repeats * (double)(n - period);
}

/* The shortest period; 1 if there is none of its own. */
static size_t period_of(const int64_t *change, size_t n)
{
	for (size_t p = 1; p <= LONGEST && p * CYCLES <= n; p++)
		if (repeats_at(change, n, p))
			return p;
	return 1;
}

/* A cycle ends before the largest rise of a typical one (the second: the first has the warm-up). */
static size_t phase_of(const int64_t *change, size_t period)
{
	size_t best = period;

	for (size_t i = period; i < 2 * period; i++)
		if (change[i] > change[best])
			best = i;
	return best % period;
}

static void add_cycle(struct loops *loops, struct arena *arena, size_t inner, size_t period,
		      size_t phase)
{
	struct loop *in = &loops->at[inner], *out = &loops->at[loops->len];

	*out = (struct loop){ .kind = LOOP_PERIOD, .position = in->position, .calls = period };
	out->head = arena_alloc(arena, (in->n / period + 2) * sizeof(*out->head));
	for (size_t k = phase; k < in->n; k += period)
		out->head[out->n++] = in->head[k];
	out->from = in->from;
	out->samples = 1;
	out->outer = -1;
	out->inner = (int)inner;
	out->unit = "cycle";
	in->outer = (int)loops->len++;
}

void period_find(struct loops *loops, struct arena *arena, const struct timeline *timeline)
{
	size_t known = loops->len;

	for (size_t l = 0; l < known && loops->len < LOOPS_MAX; l++) {
		const struct loop *loop = &loops->at[l];
		const struct site *site =
			loop->position < 0 ? NULL : &timeline->site[loop->position];
		int64_t *change;
		size_t period = 1;

		if (!site || site->file || !site->module || loop->outer >= 0 ||
		    loop->n < 2 * CYCLES)
			continue;
		change = xmalloc(loop->n * sizeof(*change));
		if (changes_of(change, &timeline->level[LEVEL_VISIBLE], loop) ||
		    changes_of(change, &timeline->level[LEVEL_DEVICE], loop))
			period = period_of(change, loop->n - 1);
		if (period > 1)
			add_cycle(loops, arena, l, period, phase_of(change, period));
		free(change);
	}
}
