/*
 * A graph is kept: tensors of several shapes grow in step, as the intermediates of a forward pass
 * do, or one row grows and the allocator's hidden bytes grow with it by more than the row's size.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/detector.h"
#include "base/alloc.h"
#include "base/shape.h"
#include "base/span.h"

/* Distinct shapes of floating-point tensors that make a graph; two do if hidden bytes grow too. */
enum { GRAPH_SHAPES = 3 };

static bool is_float(const struct tensor_row *row)
{
	return !row->dtype || span_starts(span_of(row->dtype), "torch.float") ||
	       span_starts(span_of(row->dtype), "torch.bfloat");
}

static double hidden_rate(const struct scene *scene)
{
	const struct level_growth *hidden = &scene->level[GROWTH_HIDDEN];

	if (!hidden->known || !(trend_grows(&hidden->trend) || trend_rises(&hidden->trend)))
		return 0;
	return fmax(hidden->trend.estimate, 0);
}

/* Is a dimension of the tensor what a weight takes in?  Then a layer consumes it. */
static bool is_consumed(const struct timeline *timeline, const struct tensor_row *row)
{
	struct shape shape, weight;
	int64_t features, flat;

	if (!shape_parse(span_of(row->shape), &shape) || shape.rank < 2)
		return false;
	features = shape.rank >= 4 ? shape.dim[1] : shape.dim[shape.rank - 1];
	flat = shape.dim[0] ? shape.numel / shape.dim[0] : 0;
	for (size_t r = 0; r < timeline->rows; r++) {
		if (!counts_is_parameter(&timeline->row[r]) ||
		    !shape_parse(span_of(timeline->row[r].shape), &weight) || weight.rank < 2)
			continue;
		if (weight.dim[1] == features || weight.dim[1] == flat)
			return true;
	}
	return false;
}

/* What the program likely holds: the smallest floating-point row that no layer consumes. */
static const struct tensor_row *find_handle(const struct scene *scene, struct grown **group,
					    size_t n)
{
	const struct tensor_row *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (is_float(group[i]->row) && (!best || group[i]->row->numel < best->numel))
			best = group[i]->row;
	return best && n > 1 && is_consumed(scene->timeline, best) ? NULL : best;
}

static size_t float_shapes(struct grown **group, size_t n)
{
	size_t shapes = 0;

	for (size_t i = 0; i < n; i++)
		shapes += is_float(group[i]->row) && group[i]->row->numel > 1;
	return shapes;
}

static double group_bytes(struct grown **group, size_t n, double *tensors)
{
	double bytes = 0;

	*tensors = 0;
	for (size_t i = 0; i < n; i++) {
		bytes += group[i]->bytes_rate;
		*tensors += group[i]->count_rate;
	}
	return bytes;
}

/*
 * What fixing it returns is what the allocator holds: visible bytes count views twice and miss what
 * C++ holds.
 */
static void set_bytes(const struct scene *scene, struct finding *f, double hidden)
{
	const struct level_growth *allocated = &scene->level[GROWTH_ALLOCATED];

	if (f->rows == scene->rows.len && allocated->known && allocated->trend.low > 0) {
		f->bytes_per_iteration = allocated->trend.estimate;
		f->low = allocated->trend.low;
		f->high = allocated->trend.high;
	} else {
		f->bytes_per_iteration += hidden;
		f->low = f->high = f->bytes_per_iteration;
	}
}

/* What neither the rows nor the handle say; NULL: nothing. */
static const char *describe(const struct scene *scene, const struct tensor_row *handle, double hidden)
{
	const char *chain = handle ? NULL
				   : "no row that a program would hold grows: the graphs hang on one "
				     "running value";
	char size[SIZE_TEXT];

	if (hidden <= 0)
		return chain;
	return arena_printf(scene->arena, "%s%s%s of it are not visible to Python",
			    chain ? chain : "", chain ? "; " : "",
			    size_format(size, (int64_t)hidden, SIZE_IEC));
}

static void report(struct scene *scene, struct grown **group, size_t n, double hidden)
{
	const struct tensor_row *handle = find_handle(scene, group, n);
	enum advice_case which = ADVICE_GRAPH;
	struct finding *f;

	if (n == 1)
		which = ADVICE_GRAPH_HIDDEN;
	else if (!handle)
		which = ADVICE_GRAPH_SUM;
	f = scene_report_rows(scene, "graph-retained", which, group, n);
	f->handle = handle;
	f->detail = describe(scene, handle, hidden);
	if (hidden > 0)
		scene->explained[GROWTH_HIDDEN] = true;
	set_bytes(scene, f, hidden);
}

void graph_retained_detect(struct scene *scene)
{
	struct grown **group = xcalloc(scene->rows.len + 1, sizeof(struct grown *));

	for (size_t i = 0; i < scene->rows.len; i++) {
		const struct grown *g = &scene->rows.at[i];
		double hidden, tensors, bytes;
		size_t n, shapes;

		if (g->claimed || g->kind != GROWN_COUNT)
			continue;
		n = scene_group(scene, i, group);
		shapes = float_shapes(group, n);
		bytes = group_bytes(group, n, &tensors);
		hidden = scene->explained[GROWTH_HIDDEN] ? 0 : hidden_rate(scene);
		if (hidden <= SCENE_ROUNDING * tensors)
			hidden = 0;
		if (shapes >= GRAPH_SHAPES || (shapes == 2 && hidden > 0) || hidden > bytes)
			report(scene, group, n, hidden);
	}
	free(group);
}
