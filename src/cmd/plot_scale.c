#include <math.h>
#include <stdlib.h>

#include "analysis/scale.h"
#include "base/error.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"
#include "cmd/scale_view.h"

/*
 * The peak of each run against its number of samples, or the size of its batch where memory follows
 * that; the line through them, and up to where the capacity holds.
 */

struct scale_plot {
	struct sketch *s;
	struct scale_run *run;
	size_t runs;
	struct scale scale;
	int64_t capacity;
};

static int64_t count_of(const struct scale_plot *p, size_t i)
{
	const struct scale_run *run = &p->run[i];

	return p->scale.follows != SCALE_BATCH && quantity_known(run->samples) ? run->samples
									       : run->batch;
}

static int read_runs(struct scale_plot *p, const struct plot_input *in)
{
	p->run = arena_alloc(in->arena, in->runs * sizeof(*p->run));
	p->capacity = QUANTITY_UNKNOWN;
	for (size_t i = 0; i < in->runs; i++) {
		const struct loaded_run *run = &in->run[i];

		if (!scale_read(&p->run[i], in->arena, &run->timeline))
			return error_set("memlog plot: %s has no total to compare",
					 run->timeline.name);
		p->run[i].samples =
			run->row ? scale_tagged_count(run->row->tags, "samples") : QUANTITY_UNKNOWN;
		if (!quantity_known(p->capacity))
			p->capacity = quantity_known(run->analysis.forecast.capacity)
					      ? run->analysis.forecast.capacity
					      : p->run[i].capacity;
	}
	p->runs = in->runs;
	scale_judge(&p->scale, in->arena, p->run, p->runs);
	if (p->scale.line.counts < 2)
		return error_set("memlog plot: %s", p->scale.why);
	return 0;
}

static int by_x(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

/* Returns the largest count. */
static double add_runs(struct scale_plot *p)
{
	struct plot_point *point = sketch_points(p->s, p->runs);

	for (size_t i = 0; i < p->runs; i++)
		point[i] = (struct plot_point){ (double)count_of(p, i), (double)p->run[i].peak, 0 };
	qsort(point, p->runs, sizeof(*point), by_x);
	sketch_add(p->s, "peak of a run", PLOT_POINTS, PLOT_BLUE, point, p->runs);
	return point[p->runs - 1].x;
}

/* To the largest count that fits, if that leaves the runs readable. */
static double end_of(const struct scale_plot *p, double last)
{
	const double longest = 4;
	int64_t fit = quantity_known(p->capacity) ? scale_largest_fit(&p->scale.line, p->capacity)
						  : -1;

	return fit > last && (double)fit <= longest * last ? (double)fit : last;
}

static void add_line(struct scale_plot *p, double end, const char *unit)
{
	const struct scale_line *line = &p->scale.line;
	struct plot_point *fit = sketch_points(p->s, 2), *band = sketch_points(p->s, 2);

	for (int i = 0; i < 2; i++) {
		double x = i * end;
		double low = line->intercept_low + line->low * x;
		double high = line->intercept_high + line->high * x;

		fit[i] = (struct plot_point){ x, line->intercept + line->slope * x, 0 };
		band[i] = (struct plot_point){ x, fmax(high, fit[i].y), fmin(low, fit[i].y) };
	}
	/* Narrower than a line: not there. */
	if (band[1].y - band[1].low > 0.01 * fit[1].y)
		sketch_add(p->s, "range of the fit", PLOT_BAND, PLOT_BLACK, band, 2);
	sketch_add(p->s,
		   arena_printf(p->s->arena, "fit: %s",
				answer_rate(p->s->arena, line->slope, NAN, NAN, unit,
					    p->s->scope->units)),
		   PLOT_DASHED, PLOT_BLACK, fit, 2);
}

int plot_scale(struct plot *plot, const struct plot_input *in)
{
	struct scale_plot p = { .s = sketch_new(plot, in->arena, &in->run->timeline, in->scope) };
	static const struct {
		const char *answer, *unit, *units;
	} words[SCALE_FOLLOWS] = {
		[SCALE_UNDECIDED] = { "too few runs to tell what it follows", "sample", "samples" },
		[SCALE_NEITHER] = { "memory follows neither samples nor batch", "sample",
				    "samples" },
		[SCALE_SAMPLES] = { "memory follows the samples", "sample", "samples" },
		[SCALE_BATCH] = { "memory follows the batch size", "sample in a batch",
				  "samples in a batch" },
	};
	char base[SIZE_TEXT];

	if (read_runs(&p, in) < 0)
		return -1;
	add_line(&p, end_of(&p, add_runs(&p)), words[p.scale.follows].unit);
	sketch_capacity(p.s, p.capacity);
	plot->x_label = words[p.scale.follows].units;
	plot->title = arena_printf(
		in->arena, "%s over %s: %s",
		answer_rate(in->arena, p.scale.line.slope, NAN, NAN, words[p.scale.follows].unit,
			    in->scope->units),
		size_format(base, (int64_t)llround(p.scale.line.intercept), in->scope->units),
		words[p.scale.follows].answer);
	plot->subtitle = arena_printf(in->arena, "peak memory of %s",
				      plural(in->arena, (int64_t)in->runs, "run"));
	return 0;
}
