#include "analysis/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Samples within this share of the range above its bottom are idle. */
static const double idle_share = 0.02;

/* So many steps or fewer make a whole card. */
enum { COARSE_STEPS = 100 };

double quantity_quantum(struct quantity q)
{
	double plus = q.plus->quantum > 1 ? (double)q.plus->quantum : 0;

	return plus + (q.minus && q.minus->quantum > 1 ? (double)q.minus->quantum : 0);
}

bool quantity_coarse(const struct timeline *timeline, struct quantity q)
{
	int64_t total = timeline->capacity;

	for (size_t i = 0; i < timeline->subjects; i++)
		if (q.plus == &timeline->subject[i].used && !timeline->subject[i].is_process)
			total = timeline->subject[i].total;
	return q.plus->percent ||
	       (quantity_known(total) && total > 0 && q.plus->quantum >= total / COARSE_STEPS);
}

int64_t quantity_at(struct quantity q, size_t point)
{
	int64_t value = q.plus->value[point];

	return q.minus ? quantity_sub(value, q.minus->value[point]) : value;
}

size_t series_floors(const struct loop *loop, struct quantity q, size_t first, double *t, double *v)
{
	size_t n = 0;

	for (size_t k = first; k < loop->n; k++) {
		int64_t floor = QUANTITY_UNKNOWN;

		for (size_t i = loop_start(loop, k); i <= loop->head[k]; i++) {
			int64_t value = quantity_at(q, i);

			if (quantity_known(value) && (!quantity_known(floor) || value < floor))
				floor = value;
		}
		if (!quantity_known(floor))
			continue;
		t[n] = (double)(k + 1);
		v[n++] = (double)floor;
	}
	return n;
}

size_t series_trim_idle(double *t, double *v, size_t n)
{
	double low = INFINITY, high = -INFINITY, idle;
	size_t first = 0, last = n;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	idle = low + idle_share * (high - low);
	while (first < n && v[first] <= idle)
		first++;
	if (first < 3 || first == n)
		return n;
	while (last > first + 1 && v[last - 1] <= idle)
		last--;
	memmove(t, t + first, (last - first) * sizeof(*t));
	memmove(v, v + first, (last - first) * sizeof(*v));
	return last - first;
}

void series_judge(struct trend *out, const struct timeline *timeline, const struct loop *loop,
		  struct quantity q, size_t first)
{
	double *t = xmalloc((2 * loop->n + 2) * sizeof(*t)), *v = t + loop->n + 1;
	size_t n = series_floors(loop, q, first, t, v);
	struct trend_rules rules = { .quantum = quantity_quantum(q),
				     .samples = loop->kind == LOOP_SAMPLES,
				     .coarse = quantity_coarse(timeline, q) };

	if (loop->kind == LOOP_SAMPLES)
		n = series_trim_idle(t, v, n);
	trend_judge(out, t, v, n, rules);
	if (loop->kind == LOOP_SAMPLES && out->shape != TREND_STEADY && n >= 3 * TREND_BLOCKS) {
		struct trend later;

		/* a monitor sees the job's start-up, which may take up to a third of its log */
		trend_judge(&later, t + n / 3, v + n / 3, n - n / 3, rules);
		if (later.shape == TREND_STEADY)
			*out = later;
	}
	out->estimate *= (double)loop->samples;
	out->low *= (double)loop->samples;
	out->high *= (double)loop->samples;
	free(t);
}

void series_counts(const struct loop *loop, const struct tensor_row *row, size_t first,
		   int64_t *out)
{
	int64_t count = 0;
	size_t c = 0;

	for (size_t k = first; k < loop->n; k++) {
		int64_t floor;

		while (c < row->nchanges && row->change[c].point <= loop_start(loop, k))
			count = row->change[c++].count;
		floor = count;
		while (c < row->nchanges && row->change[c].point <= loop->head[k]) {
			count = row->change[c++].count;
			floor = count < floor ? count : floor;
		}
		out[k - first] = floor;
	}
}

int64_t series_count_at(const struct tensor_row *row, size_t point)
{
	size_t low = 0, high = row->nchanges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (row->change[middle].point <= point)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? row->change[low - 1].count : 0;
}
