#include "analysis/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/families.h"
#include "analysis/series.h"
#include "base/alloc.h"
#include "base/vec.h"

/* Fewer iterations than this are helped by the state before the first one. */
enum { SHORT_RUN = 5, CHECKPOINTS = 16 };

/* Two histories are in step if their shares of growth never differ by more than this. */
static const double step_tolerance = 0.15;

/* Few, but as many more at each: no proof of a leak, and none of its absence. */
static bool rises_evenly(const int64_t *history, size_t n)
{
	if (n < 3 || n >= SHORT_RUN || history[1] <= history[0])
		return false;
	for (size_t k = 2; k < n; k++)
		if (history[k] - history[k - 1] != history[1] - history[0])
			return false;
	return true;
}

bool counts_judge(struct trend *trend, const int64_t *history, size_t n, size_t first,
		  enum counts_rules rules)
{
	bool whole = rules & COUNTS_WHOLE, outer = rules & COUNTS_OUTER;
	double *t = xmalloc((2 * n + 4) * sizeof(*t)), *v = t + n + 2;
	size_t len = 0;

	/* a population that the loop itself made: before its first iteration there were none */
	if (n < SHORT_RUN && whole) {
		t[len] = (double)first;
		v[len++] = 0;
	}
	for (size_t k = 0; k < n; k++) {
		t[len] = (double)(first + k + 1);
		v[len++] = (double)history[k];
	}
	trend_judge(trend, t, v, len, (struct trend_rules){ .exact = true });
	free(t);
	if (!trend_grows(trend) && outer && rises_evenly(history, n)) {
		trend->shape = TREND_WEAK;
		trend->estimate = trend->low = trend->high = (double)(history[1] - history[0]);
	}
	if (trend->first < 1)
		trend->first = 1;
	return trend_grows(trend);
}

struct grown *counts_add(struct grown_rows *out)
{
	if (out->len == out->cap) {
		size_t cap = out->cap ? 2 * out->cap : 16;
		struct grown *at = arena_alloc(out->arena, cap * sizeof(*at));

		if (out->len)
			memcpy(at, out->at, out->len * sizeof(*at));
		out->at = at;
		out->cap = cap;
	}
	out->at[out->len] = (struct grown){ .kind = GROWN_COUNT };
	return &out->at[out->len++];
}

static void find_lines(struct grown *g, const struct loop *loop, size_t first)
{
	for (size_t c = 0; c < g->row->nchanges; c++) {
		const struct tensor_change *change = &g->row->change[c];

		if (change->point < loop_start(loop, first) ||
		    change->point > loop->head[loop->n - 1])
			continue;
		if (!g->first_line)
			g->first_line = change->line;
		g->last_line = change->line;
	}
}

static void judge_row(struct grown_rows *out, const struct tensor_row *row, const struct loop *loop,
		      size_t first, int64_t *scratch)
{
	size_t n = loop->n - first;
	struct trend trend;
	struct grown *g;
	int64_t *history;

	/* most rows do not grow at all: seen without looking at every iteration */
	if (series_count_at(row, loop->head[loop->n - 1]) <= 0 ||
	    series_count_at(row, loop->head[loop->n - 1]) <=
		    series_count_at(row, loop->head[first]))
		return;
	series_counts(loop, row, first, scratch);
	if (!counts_judge(&trend, scratch, n, first,
			  (first == 0 ? COUNTS_WHOLE : 0) | (loop->inner >= 0 ? COUNTS_OUTER : 0)))
		return;
	history = arena_alloc(out->arena, n * sizeof(*history));
	memcpy(history, scratch, n * sizeof(*history));
	g = counts_add(out);
	g->row = row;
	g->shape = row->shape;
	g->trend = trend;
	g->history = history;
	g->iterations = n;
	g->count_rate = trend.estimate;
	g->bytes_rate = trend.estimate * (double)row->numel * row->itemsize;
	find_lines(g, loop, first);
}

static int by_bytes(const void *a, const void *b)
{
	const struct grown *x = a, *y = b;

	if (x->bytes_rate != y->bytes_rate)
		return x->bytes_rate < y->bytes_rate ? 1 : -1;
	return strcmp(x->shape, y->shape);
}

void counts_find(struct grown_rows *out, struct arena *arena, const struct timeline *timeline,
		 const struct loop *loop, size_t first)
{
	int64_t *scratch = xmalloc((loop->n + 1) * sizeof(*scratch));

	*out = (struct grown_rows){ .arena = arena };
	for (size_t r = 0; r < timeline->rows; r++)
		judge_row(out, &timeline->row[r], loop, first, scratch);
	free(scratch);
	families_find(out, timeline, loop, first);
	if (out->len)
		qsort(out->at, out->len, sizeof(*out->at), by_bytes);
}

static double share(const struct grown *g, size_t k)
{
	int64_t base = g->history[0], total = g->history[g->iterations - 1] - base;

	return total > 0 ? (double)(g->history[k] - base) / (double)total : 0;
}

static size_t count_rises(const struct grown *g)
{
	size_t rises = 0;

	for (size_t k = 1; k < g->iterations; k++)
		rises += g->history[k] > g->history[k - 1];
	return rises;
}

bool counts_in_step(const struct grown *a, const struct grown *b)
{
	size_t often, seldom;

	if (a->kind != b->kind || a->iterations != b->iterations)
		return false;
	/* what grows at each iteration and what grows at each fifth do not hang together */
	often = count_rises(a);
	seldom = count_rises(b);
	if (2 * seldom < often || 2 * often < seldom)
		return false;
	for (size_t c = 0; c < CHECKPOINTS; c++) {
		size_t k = (a->iterations - 1) * c / (CHECKPOINTS - 1);

		if (fabs(share(a, k) - share(b, k)) > step_tolerance)
			return false;
	}
	return true;
}

bool counts_is_parameter(const struct tensor_row *row)
{
	return row->parameter || (row->class_name && strstr(row->class_name, "Parameter"));
}
