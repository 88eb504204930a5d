#include "analysis/align.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "base/alloc.h"
#include "base/timestamp.h"

/* The table has points × samples cells: longer curves are thinned out. */
enum { MOST_POINTS = 1000, MOST_SAMPLES = 3000 };

/* How much an even spread counts beside the curve, as a share of its range. */
static const double evenness = 0.02;
/* Values that differ by less, as a share of the range, are the same. */
static const double same_share = 0.01;
/* A monitor's first sample may come a little before the log's time, which has whole seconds. */
static const int64_t slack = 2 * SECOND;

struct problem {
	double *point; /* values of the points that are known, thinned */
	size_t *index; /* their numbers */
	size_t points;
	double *sample;
	int64_t *time;
	size_t samples;
	double range;   /* of the samples, in units of the points */
	uint32_t *from; /* cell → best sample of the point before */
};

static void release(struct problem *p)
{
	free(p->point);
	free(p->index);
	free(p->sample);
	free(p->time);
	free(p->from);
}

static size_t stride(size_t n, size_t most)
{
	return (n + most - 1) / most;
}

static void take_points(struct problem *p, const double *value, size_t points)
{
	size_t known = 0, seen = 0, step;

	for (size_t i = 0; i < points; i++)
		known += !isnan(value[i]);
	step = known ? stride(known, MOST_POINTS) : 1;
	p->point = xcalloc(known + 1, sizeof(*p->point));
	p->index = xcalloc(known + 1, sizeof(*p->index));
	for (size_t i = 0; i < points; i++) {
		if (isnan(value[i]) || seen++ % step)
			continue;
		p->point[p->points] = value[i];
		p->index[p->points++] = i;
	}
}

static void take_samples(struct problem *p, const struct curve *timed, int64_t from)
{
	size_t first = 0, step;

	while (from != TIME_UNKNOWN && first < timed->n && timed->time[first] < from - slack)
		first++;
	step = timed->n > first ? stride(timed->n - first, MOST_SAMPLES) : 1;
	p->sample = xcalloc(timed->n + 1, sizeof(*p->sample));
	p->time = xcalloc(timed->n + 1, sizeof(*p->time));
	for (size_t i = first; i < timed->n; i += step) {
		p->sample[p->samples] = timed->value[i];
		p->time[p->samples++] = timed->time[i];
	}
}

static void find_range(const double *value, size_t n, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*low = fmin(*low, value[i]);
		*high = fmax(*high, value[i]);
	}
}

/* Puts both on one scale.  Where their distance is not known their tops are at one height: a
 * monitor sees more of the bottom. */
static void level_out(struct problem *p, struct align_fit fit)
{
	double low[2], high[2], stretch = 1;
	bool known = !fit.shape && !isnan(fit.offset);

	find_range(p->point, p->points, &low[0], &high[0]);
	find_range(p->sample, p->samples, &low[1], &high[1]);
	if (fit.shape && high[0] > low[0] && high[1] > low[1])
		stretch = (high[1] - low[1]) / (high[0] - low[0]);
	for (size_t i = 0; i < p->points; i++)
		p->point[i] = known ? p->point[i] - fit.offset
				    : high[1] - (high[0] - p->point[i]) * stretch;
	p->range = high[1] > low[1] ? high[1] - low[1] : 1;
}

static double distance(const struct problem *p, size_t i, size_t k)
{
	double even = (double)i / (double)(p->points > 1 ? p->points - 1 : 1);
	double at = (double)(p->time[k] - p->time[0]) /
		    (double)(p->time[p->samples - 1] - p->time[0] + 1);

	return fabs(p->point[i] - p->sample[k]) / p->range + evenness * fabs(even - at);
}

/* Fills the table; returns the sample of the last point. */
static size_t warp(struct problem *p, double *cost)
{
	double *now = xcalloc(p->samples, sizeof(*now)),
	       *before = xcalloc(p->samples, sizeof(*now));
	size_t last = 0;

	p->from = xcalloc(p->points * p->samples, sizeof(*p->from));
	for (size_t i = 0; i < p->points; i++) {
		double least = INFINITY, *swap;
		size_t best = 0;

		for (size_t k = 0; k < p->samples; k++) {
			if (before[k] < least) {
				least = before[k];
				best = k;
			}
			now[k] = (i ? least : 0) + distance(p, i, k);
			p->from[i * p->samples + k] = (uint32_t)best;
		}
		swap = before;
		before = now;
		now = swap;
	}
	for (size_t k = 1; k < p->samples; k++)
		last = before[k] < before[last] ? k : last;
	*cost = before[last] / (double)p->points;
	free(now);
	free(before);
	return last;
}

/* How far sample k could move towards its neighbours' without the curve telling. */
static int64_t ambiguity(const struct problem *p, size_t k, size_t low, size_t high)
{
	double same = same_share * p->range;
	size_t first = k, last = k;

	while (first > low && fabs(p->sample[first - 1] - p->sample[k]) <= same)
		first--;
	while (last < high && fabs(p->sample[last + 1] - p->sample[k]) <= same)
		last++;
	/* One sample further each way the curve is seen to be another. */
	first -= first > 0;
	last += last + 1 < p->samples;
	return (p->time[last] - p->time[first]) / 2;
}

/* Between known points the time passes evenly. */
static void fill_between(struct alignment *out, const struct problem *p, size_t points)
{
	for (size_t i = 0, k = 0; i < points; i++) {
		size_t a, b;

		while (k + 1 < p->points && p->index[k + 1] <= i)
			k++;
		a = p->index[k];
		if (i <= a || k + 1 == p->points) {
			out->time[i] = out->time[a];
			continue;
		}
		b = p->index[k + 1];
		out->time[i] = out->time[a] +
			       (out->time[b] - out->time[a]) / (int64_t)(b - a) * (int64_t)(i - a);
	}
}

static void read_path(struct alignment *out, const struct problem *p, size_t last, size_t points)
{
	size_t *at = xcalloc(p->points, sizeof(*at));
	double *error = xcalloc(p->points, sizeof(*error));

	for (size_t i = p->points; i > 0; i--) {
		at[i - 1] = last;
		last = p->from[(i - 1) * p->samples + last];
	}
	for (size_t i = 0; i < p->points; i++) {
		size_t low = i ? at[i - 1] : 0;
		size_t high = i + 1 < p->points ? at[i + 1] : p->samples - 1;

		error[i] = (double)ambiguity(p, at[i], low, high);
		out->time[p->index[i]] = p->time[at[i]];
	}
	/* Before the first step and after the last nothing tells; one number must not hang on that.
	 */
	out->error = (int64_t)stats_median(error, p->points);
	free(error);
	fill_between(out, p, points);
	free(at);
}

bool align_points(struct alignment *out, struct arena *arena, const double *value, size_t points,
		  int64_t from, const struct curve *timed, struct align_fit fit)
{
	struct problem p = { 0 };
	bool possible;

	*out = (struct alignment){ 0 };
	take_points(&p, value, points);
	take_samples(&p, timed, from);
	possible = p.points > 1 && p.samples > 1;
	if (possible) {
		out->time = arena_alloc(arena, points * sizeof(*out->time));
		level_out(&p, fit);
		read_path(out, &p, warp(&p, &out->cost), points);
	}
	release(&p);
	return possible;
}
