#include "analysis/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/counts.h"
#include "analysis/overhead.h"
#include "analysis/roles.h"
#include "analysis/series.h"
#include "analysis/stats.h"
#include "base/alloc.h"
#include "base/shape.h"

const char *const scale_follows_names[SCALE_FOLLOWS] = {
	[SCALE_UNDECIDED] = NULL,
	[SCALE_NEITHER] = "neither",
	[SCALE_SAMPLES] = "samples",
	[SCALE_BATCH] = "batch",
};

/* A share of the smallest peak: counts that change memory by less do not matter to anyone. */
static const double negligible = 0.01;
/* Runs that lie further off the line, as a share of the range of the peaks, do not follow it. */
static const double close = 0.1;

/* ---- one run ---- */

/* The run's own total first: the device's mixes all processes. */
static bool find_peak(struct scale_run *out, const struct timeline *t)
{
	static const enum level order[] = { LEVEL_ALLOCATED, LEVEL_RESERVED, LEVEL_PROCESS,
					    LEVEL_DEVICE, LEVEL_VISIBLE };

	out->peak = QUANTITY_UNKNOWN;
	for (size_t l = 0; l < sizeof(order) / sizeof(*order) && !quantity_known(out->peak); l++) {
		const struct series *s = &t->level[order[l]];

		out->level = order[l];
		out->quantum = s->quantum;
		for (size_t i = 0; s->value && !s->percent && i < t->points; i++) {
			if (!quantity_known(s->value[i]) || series_peak(s, i) <= out->peak)
				continue;
			out->peak = series_peak(s, i);
			out->point = i;
		}
	}
	return quantity_known(out->peak);
}

static const char *pattern_of(struct arena *arena, const char *shape)
{
	const char *comma = strchr(shape, ',');

	return comma ? arena_printf(arena, "(*%s", comma) : NULL;
}

static int most_bytes_first(const void *a, const void *b)
{
	const struct scale_tensor *x = a, *y = b;
	int64_t left = x->bytes * x->first, right = y->bytes * y->first;

	if (left != right)
		return left < right ? 1 : -1;
	return strcmp(x->pattern, y->pattern);
}

static void read_tensors(struct scale_run *out, struct arena *arena, const struct timeline *t)
{
	struct scale_tensor *tensor = arena_alloc(arena, (t->rows + 1) * sizeof(*tensor));
	size_t n = 0;

	for (size_t r = 0; r < t->rows; r++) {
		const struct tensor_row *row = &t->row[r];
		int64_t count = series_count_at(row, out->point);
		struct shape shape;

		if (count <= 0 || !shape_parse(span_of(row->shape), &shape) || !shape.rank ||
		    !shape.dim[0])
			continue;
		tensor[n++] = (struct scale_tensor){
			.pattern = pattern_of(arena, row->shape),
			.dtype = arena_text(arena, span_of(row->dtype)),
			.first = shape.dim[0],
			.count = count,
			.bytes = count * (row->numel / shape.dim[0]) * row->itemsize,
			.parameter = counts_is_parameter(row),
		};
	}
	qsort(tensor, n, sizeof(*tensor), most_bytes_first);
	out->tensor = tensor;
	out->tensors = n;
}

bool scale_read(struct scale_run *out, struct arena *arena, const struct timeline *t)
{
	*out = (struct scale_run){ .samples = QUANTITY_UNKNOWN, .capacity = t->capacity };
	if (!find_peak(out, t))
		return false;
	out->name = arena_text(arena, span_of(t->name));
	read_tensors(out, arena, t);
	out->batch = roles_batch(arena, t, out->point);
	return true;
}

/* ---- a line through the runs ---- */

struct xy {
	double x, y;
};

static int by_x(const void *a, const void *b)
{
	const struct xy *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static size_t different(const struct xy *at, size_t n)
{
	size_t counts = n > 0;

	for (size_t i = 1; i < n; i++)
		counts += at[i].x > at[i - 1].x;
	return counts;
}

static double intercept_at(const double *x, const double *y, size_t n, double slope, double *rest)
{
	for (size_t i = 0; i < n; i++)
		rest[i] = y[i] - slope * x[i];
	return stats_median(rest, n);
}

static void fit(struct scale_line *out, struct xy *at, size_t n, double quantum)
{
	double *x = xcalloc(3 * n + 1, sizeof(*x)), *y = x + n, *rest = y + n, range;
	struct slope slope;

	*out = (struct scale_line){ 0 };
	qsort(at, n, sizeof(*at), by_x);
	out->counts = different(at, n);
	for (size_t i = 0; i < n; i++) {
		x[i] = at[i].x;
		y[i] = at[i].y;
	}
	if (out->counts > 1) {
		slope = stats_slope(x, y, n, quantum);
		out->slope = slope.estimate;
		out->low = slope.low;
		out->high = slope.high;
		out->intercept = intercept_at(x, y, n, slope.estimate, rest);
		out->intercept_low = intercept_at(x, y, n, slope.high, rest) - quantum / 2;
		out->intercept_high = intercept_at(x, y, n, slope.low, rest) + quantum / 2;
		range = fabs(slope.estimate) * (x[n - 1] - x[0]) + quantum;
		for (size_t i = 0; i < n; i++) {
			double off = fabs(y[i] - out->intercept - slope.estimate * x[i]);

			out->worst = fmax(out->worst, off / range);
		}
	}
	free(x);
}

static void fit_runs(struct scale_line *out, const struct scale_run *runs, size_t n, bool by_batch)
{
	struct xy *at = xcalloc(n + 1, sizeof(*at));
	double quantum = 1;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t x = by_batch ? runs[i].batch : runs[i].samples;

		if (!quantity_known(x) || x <= 0)
			continue;
		at[k++] = (struct xy){ (double)x, (double)runs[i].peak };
		quantum = fmax(quantum, (double)runs[i].quantum);
	}
	fit(out, at, k < STATS_MAX_FLOORS ? k : STATS_MAX_FLOORS, quantum);
	free(at);
}

static double smallest_peak(const struct scale_run *runs, size_t n)
{
	double least = INFINITY;

	for (size_t i = 0; i < n; i++)
		least = fmin(least, (double)runs[i].peak);
	return least;
}

/* Memory goes up with the count, and all runs lie on the line. */
static bool follows(const struct scale_line *line)
{
	return line->counts > 1 && line->low > 0 && line->worst <= close;
}

/* All peaks are one, whatever the count. */
static bool is_flat(const struct scale_run *runs, size_t n)
{
	double least = smallest_peak(runs, n), most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, (double)runs[i].peak - (double)runs[i].quantum);
	return most - least <= negligible * least;
}

/* ---- which tensors carry the dimension ---- */

static const struct scale_tensor *find_tensor(const struct scale_run *run,
					      const struct scale_tensor *like)
{
	for (size_t i = 0; i < run->tensors; i++) {
		const struct scale_tensor *t = &run->tensor[i];

		if (!strcmp(t->pattern, like->pattern) && t->first != like->first &&
		    !strcmp(t->dtype ? t->dtype : "", like->dtype ? like->dtype : ""))
			return t;
	}
	return NULL;
}

static const struct scale_run *largest(const struct scale_run *runs, size_t n)
{
	const struct scale_run *best = &runs[0];

	for (size_t i = 1; i < n; i++)
		if (runs[i].peak > best->peak)
			best = &runs[i];
	return best;
}

/* A pattern of the largest run that some other run has with another first dimension. */
static void find_carriers(struct scale *out, struct arena *arena, const struct scale_run *runs,
			  size_t n)
{
	const struct scale_run *top = largest(runs, n);
	struct scale_carrier *carrier = arena_alloc(arena, (top->tensors + 1) * sizeof(*carrier));

	for (size_t i = 0; i < top->tensors; i++) {
		const struct scale_tensor *t = &top->tensor[i];
		bool varies = false;

		for (size_t k = 0; k < n && !varies && !t->parameter; k++)
			varies = &runs[k] != top && find_tensor(&runs[k], t);
		if (!varies)
			continue;
		carrier[out->carriers++] = (struct scale_carrier){ t, t->bytes };
		out->carried += t->bytes;
	}
	out->carrier = carrier;
}

/* ---- the judgement ---- */

static bool batches_are_samples(const struct scale_run *runs, size_t n)
{
	bool known = false;

	for (size_t i = 0; i < n; i++) {
		if (!quantity_known(runs[i].samples) || !runs[i].batch)
			continue;
		if (runs[i].samples != runs[i].batch)
			return false;
		known = true;
	}
	return known;
}

static const struct {
	enum scale_follows follows;
	const char *why;
} reasons[] = {
	{ SCALE_SAMPLES, "the peak rises by the same amount with each sample: all samples are on "
			 "the device at once" },
	{ SCALE_BATCH, "runs with the same batch size have the same peak, however many samples "
		       "they read: the batch size is what counts" },
	{ SCALE_NEITHER, "the peak is the same for different numbers of samples" },
	{ SCALE_UNDECIDED, "the runs do not lie on one line, neither over the samples nor over the "
			   "batch size" },
};

void scale_judge(struct scale *out, struct arena *arena, struct scale_run *runs, size_t n)
{
	*out = (struct scale){ .follows = SCALE_UNDECIDED };
	for (size_t i = 0; i < n; i++) {
		out->counts_given |= quantity_known(runs[i].samples);
		out->mixed_levels |= runs[i].level != runs[0].level;
	}
	out->batch_is_samples = batches_are_samples(runs, n);
	for (size_t i = 0; i < n; i++)
		if (!quantity_known(runs[i].samples) && runs[i].batch)
			runs[i].samples = runs[i].batch;
	fit_runs(&out->by_samples, runs, n, false);
	fit_runs(&out->by_batch, runs, n, true);
	out->line = out->by_samples;
	if (out->by_samples.counts > 1 && is_flat(runs, n)) {
		out->follows = SCALE_NEITHER;
	} else if (follows(&out->by_samples)) {
		out->follows = SCALE_SAMPLES;
	} else if (follows(&out->by_batch)) {
		out->follows = SCALE_BATCH;
		out->line = out->by_batch;
	}
	if (n)
		find_carriers(out, arena, runs, n);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].follows == out->follows)
			out->why = reasons[i].why;
	if (out->by_samples.counts < 2 && out->by_batch.counts < 2)
		out->why =
			"all runs have the same number of samples and the same batch size: there "
			"is nothing to compare";
}

int64_t scale_largest_fit(const struct scale_line *line, int64_t capacity)
{
	double fit;

	if (!(line->slope > 0))
		return -1;
	fit = floor(((double)capacity - line->intercept) / line->slope);
	return fit < 0 ? 0 : fit > 1e15 ? -1 : (int64_t)fit;
}
