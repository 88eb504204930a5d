#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/leaks_view.h"
#include "cmd/plot_kind.h"

/*
 * The tensor rows that grow, each on top of the next.  What does not grow is left out: it may be so
 * much more that nothing else shows.  Where nothing grows, all rows, the largest by themselves.
 */

enum { LAYERS = 6 };

/* Rows that are told as one: one row, or those that differ in the dimension written as "*". */
struct layer {
	const char *shape, *dtype; /* shape NULL: all that no other layer has */
	double *value;             /* by point */
};

struct tensors {
	struct sketch *s;
	struct layer layer[LAYERS + 1]; /* the last: the rest */
	size_t layers;
	const struct finding *finding; /* NULL: nothing grows */
};

/* Does a shape fit a pattern in which "*" stands for a number? */
static bool shape_fits(const char *shape, const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern != '*') {
			if (*shape++ != *pattern)
				return false;
			continue;
		}
		if (!strspn(shape, "0123456789"))
			return false;
		shape += strspn(shape, "0123456789");
	}
	return !*shape;
}

static const char *shape_of(const struct finding_row *row)
{
	return row->shape ? row->shape : row->row->shape;
}

/* NULL: not in the picture. */
static struct layer *layer_of(struct tensors *x, const struct tensor_row *row)
{
	for (size_t i = 0; i < x->layers; i++) {
		if (text_equal(row->dtype, x->layer[i].dtype) &&
		    shape_fits(row->shape, x->layer[i].shape))
			return &x->layer[i];
	}
	for (size_t i = x->layers; x->finding && i < x->finding->rows; i++) {
		const struct finding_row *other = &x->finding->row[i];

		if (text_equal(row->dtype, other->row->dtype) && shape_fits(row->shape, shape_of(other)))
			return &x->layer[x->layers];
	}
	return x->finding ? NULL : &x->layer[x->layers];
}

static double weight(const struct tensors *x, const struct tensor_row *row)
{
	return x->s->scope->counts ? 1 : (double)row->numel * row->itemsize;
}

/* A count holds from its change to the next. */
static void add_row(struct tensors *x, const struct tensor_row *row)
{
	struct layer *layer = layer_of(x, row);

	for (size_t c = 0; layer && c < row->nchanges; c++) {
		size_t end = c + 1 < row->nchanges ? row->change[c + 1].point : x->s->t->points;

		for (size_t i = row->change[c].point; i < end; i++)
			layer->value[i] += (double)row->change[c].count * weight(x, row);
	}
}

static void choose_growing(struct tensors *x, const struct finding *f)
{
	for (size_t i = 0; i < f->rows && x->layers < LAYERS; i++)
		x->layer[x->layers++] = (struct layer){ .shape = shape_of(&f->row[i]),
							.dtype = f->row[i].row->dtype };
	x->finding = f;
}

/* A row and the most it ever took. */
struct sized {
	const struct tensor_row *row;
	double most;
};

static int by_size(const void *a, const void *b)
{
	const struct sized *p = a, *q = b;

	if (p->most != q->most)
		return p->most > q->most ? -1 : 1;
	return p->row < q->row ? -1 : p->row > q->row;
}

static void choose_largest(struct tensors *x)
{
	const struct timeline *t = x->s->t;
	struct sized *sized = xcalloc(t->rows + 1, sizeof(*sized));

	for (size_t i = 0; i < t->rows; i++) {
		sized[i].row = &t->row[i];
		for (size_t c = 0; c < t->row[i].nchanges; c++)
			sized[i].most = fmax(sized[i].most, (double)t->row[i].change[c].count *
								    weight(x, &t->row[i]));
	}
	qsort(sized, t->rows, sizeof(*sized), by_size);
	for (size_t i = 0; i < t->rows && x->layers < LAYERS; i++)
		x->layer[x->layers++] =
			(struct layer){ .shape = sized[i].row->shape, .dtype = sized[i].row->dtype };
	free(sized);
}

static const char *layer_name(const struct tensors *x, const struct layer *layer)
{
	if (layer->shape)
		return answer_short(x->s->arena,
				    row_text(x->s->arena, layer->shape, layer->dtype), 40);
	if (!x->finding)
		return "smaller rows";
	return plural(x->s->arena, (int64_t)(x->finding->rows - x->layers), "more row");
}

/* Tops of the stack, the highest first; the rest is at the bottom. */
static void add_layers(struct tensors *x)
{
	static const enum plot_color colors[LAYERS] = { PLOT_BLUE, PLOT_ORANGE, PLOT_GREEN,
							PLOT_PINK, PLOT_SKY,    PLOT_YELLOW };
	struct sketch *s = x->s;

	for (size_t i = x->layers; i-- > 0;) {
		for (size_t p = 0; p < s->t->points; p++)
			x->layer[i].value[p] += x->layer[i + 1].value[p];
	}
	for (size_t i = 0; i <= x->layers; i++) {
		struct plot_point *point = sketch_points(s, s->t->points);
		size_t n = 0;

		if (i == x->layers && x->finding && x->finding->rows == x->layers)
			break;
		for (size_t p = 0; p < s->t->points; p++) {
			if (sketch_shows(s, p))
				point[n++] = (struct plot_point){ sketch_x(s, p),
								  x->layer[i].value[p], 0 };
		}
		sketch_add(s, layer_name(x, &x->layer[i]), PLOT_AREA,
			   i < x->layers ? colors[i] : PLOT_BLACK, point, n);
	}
}

static const char *title(const struct plot_input *in)
{
	const struct finding *f = answer_finding(&in->run->analysis);
	const char *answer =
		answer_text(in->arena, &in->run->timeline, &in->run->analysis, in->scope->units);

	if (!f || !f->rows)
		return arena_printf(in->arena, "%s; the largest rows of tensors", answer);
	return arena_printf(in->arena, "%s: %s %s", answer,
			    plural(in->arena, (int64_t)f->rows, "tensor row"),
			    f->rows == 1 ? "grows" : "grow together");
}

bool plot_tensors_suits(const struct plot_input *in)
{
	const struct finding *f = answer_finding(&in->run->analysis);

	return f && f->rows;
}

int plot_tensors(struct plot *plot, const struct plot_input *in)
{
	const struct timeline *t = &in->run->timeline;
	const struct finding *f = answer_finding(&in->run->analysis);
	struct tensors x = { .s = sketch_new(plot, in->arena, t, in->scope) };

	if (!t->rows)
		return error_set("%s lists no tensors; they are in reports of MemTracker with "
				 "detail=True",
				 t->name);
	if (f && f->rows)
		choose_growing(&x, f);
	else
		choose_largest(&x);
	for (size_t i = 0; i <= x.layers; i++)
		x.layer[i].value = arena_alloc(in->arena, (t->points + 1) * sizeof(double));
	for (size_t i = 0; i < t->rows; i++)
		add_row(&x, &t->row[i]);
	add_layers(&x);
	if (!plot->nseries)
		return error_set("%s has no points there", t->name);
	sketch_mark_events(x.s);
	sketch_set_x(x.s);
	plot->unit = in->scope->counts ? PLOT_COUNT : PLOT_BYTES;
	plot->title = title(in);
	plot->subtitle = arena_printf(in->arena, "%s; %s", sketch_source(x.s),
				      in->scope->counts ? "number of tensors" : "bytes of tensors");
	return 0;
}
