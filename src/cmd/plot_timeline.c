#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"

/*
 * Where the bytes are, point by point.  Each level holds the one before it, so areas drawn from
 * zero, the widest at the back, are a stack: what shows of one is what it has beyond the next.
 */

/* From the innermost to the widest, and what each has that the one before lacks. */
static const struct {
	enum level level;
	enum plot_color color;
	const char *name;
	const char *brief; /* among others that the log cannot tell apart */
} stack[] = {
	{ LEVEL_VISIBLE, PLOT_ORANGE, "visible tensors", "visible" },
	{ LEVEL_ALLOCATED, PLOT_BLUE, "hidden from Python", "hidden" },
	{ LEVEL_RESERVED, PLOT_SKY, "cached by the allocator", "cached" },
	{ LEVEL_PROCESS, PLOT_GREEN, "outside the allocator", "outside" },
	{ LEVEL_DEVICE, PLOT_BLACK, "other processes", "others" },
};

enum { STACK = sizeof(stack) / sizeof(*stack) };

/* Loops with more outer iterations than this get no marks for them. */
enum { OUTER_SHOWN = 16, PLACES_SHOWN = 8 };

static bool drawn(const struct sketch *s, size_t i)
{
	const struct series *values = &s->t->level[stack[i].level];

	return values->value && !values->percent;
}

/* What lies between level `i` and the next narrower one that the log has: one name for all. */
static const char *name_of(const struct sketch *s, size_t i)
{
	const char *name = stack[i].brief;
	size_t inner = i;

	while (inner > 0 && !drawn(s, inner - 1))
		inner--;
	if (inner == i)
		return stack[i].name;
	for (size_t k = i; k-- > inner;)
		name = arena_printf(s->arena, "%s%s%s", stack[k].brief, k + 1 == i ? " or " : ", ",
				    name);
	return name;
}

/* Once the parameters are in front of them. */
static void name_others(struct sketch *s)
{
	for (size_t i = 0; i < s->plot->nseries; i++) {
		if (s->series[i].color == stack[0].color)
			s->series[i].name = "other visible tensors";
	}
}

static void add_stack(struct sketch *s)
{
	for (size_t i = STACK; i-- > 0;) {
		if (drawn(s, i))
			sketch_add_values(s, &s->t->level[stack[i].level], name_of(s, i), PLOT_AREA,
					  stack[i].color);
	}
}

/*
 * What of the visible tensors has the shape of a parameter: weights, and with them gradients and
 * optimizer state, which no report tells apart.
 */
static bool add_parameters(struct sketch *s)
{
	const struct timeline *t = s->t;
	struct series bytes = { .quantum = 1 };
	bool any = false;

	if (t->damaged || !t->level[LEVEL_VISIBLE].value)
		return false;
	bytes.value = arena_alloc(s->arena, (t->points + 1) * sizeof(*bytes.value));
	for (size_t r = 0; r < t->rows; r++) {
		const struct tensor_row *row = &t->row[r];
		int64_t size = quantity_mul(row->numel, row->itemsize);

		for (size_t c = 0; row->parameter && c < row->nchanges; c++) {
			size_t end = c + 1 < row->nchanges ? row->change[c + 1].point : t->points;

			for (size_t i = row->change[c].point; i < end; i++)
				bytes.value[i] = quantity_add(
					bytes.value[i], quantity_mul(size, row->change[c].count));
			any = true;
		}
	}
	return any &&
	       sketch_add_values(s, &bytes, "parameter-shaped tensors", PLOT_AREA, PLOT_YELLOW);
}

/* The tracker counts views twice, so visible may pass allocated; then that needs a line. */
static void add_allocated(struct sketch *s)
{
	const int64_t *visible = s->t->level[LEVEL_VISIBLE].value;
	const struct series *allocated = &s->t->level[LEVEL_ALLOCATED];

	for (size_t i = 0; visible && allocated->value && i < s->t->points; i++) {
		if (!quantity_known(visible[i]) || !quantity_known(allocated->value[i]) ||
		    visible[i] <= allocated->value[i])
			continue;
		sketch_add_values(s, allocated, "allocated (views count twice as visible)",
				  PLOT_DASHED, PLOT_BLACK);
		return;
	}
}

/* Devices and processes, of a run without levels of its own or where they were asked for. */
static void add_subjects(struct sketch *s)
{
	const struct timeline *t = s->t;

	/* An axis of bytes has no place for shares of a card whose size the log does not tell. */
	for (int percent = 0; percent < 2 && !s->plot->nseries; percent++) {
		s->plot->unit = percent ? PLOT_PERCENT : PLOT_BYTES;
		for (size_t i = 0; i < t->subjects; i++) {
			const struct subject *subject = &t->subject[i];

			if (sketch_takes(s, subject) && subject->used.percent == percent)
				sketch_add_values(s, &subject->used,
						  answer_subject(s->arena, subject), PLOT_LINE,
						  PLOT_COLOR_AUTO);
		}
	}
}

/* A loop is one place, however often it comes; around it, what is met only once. */
static void mark_places(struct sketch *s, const struct analysis *a)
{
	const struct timeline *t = s->t;
	bool *seen = arena_alloc(s->arena, (t->sites + 1) * sizeof(*seen));
	size_t marked = 0;

	for (size_t i = 0; i < t->points && marked < PLACES_SHOWN; i++) {
		int32_t site = t->position[i];
		const char *name;

		if (site < 0 || seen[site] || !sketch_shows(s, i))
			continue;
		seen[site] = true;
		name = answer_site(s->arena, &t->site[site]);
		if (a->iterations > 1 && &t->site[site] == a->site)
			name = arena_printf(s->arena, "%s, %s", name,
					    plural(s->arena, a->iterations,
						   a->unit ? a->unit : "iteration"));
		sketch_mark(s, sketch_x(s, i), name, false);
		marked++;
	}
}

/* Where the iterations of a loop begin that has another one inside: epochs, folds. */
static bool mark_outer(struct sketch *s, const struct analysis *a)
{
	bool told = a->unit && !strcmp(a->unit, "outer iteration");
	const uint32_t *head = told ? a->head : a->outer;
	size_t heads = told ? a->heads : a->outers;

	if (heads < 2 || heads > OUTER_SHOWN)
		return false;
	for (size_t k = 0; k + 1 < heads; k++) {
		size_t point = (size_t)head[k] + 1;

		if (point < s->t->points && sketch_shows(s, point))
			sketch_mark(s, sketch_x(s, point),
				    arena_printf(s->arena, k ? "%zu" : "outer iteration %zu",
						 k + 2),
				    false);
	}
	return true;
}

/* A run of which nothing grows or nothing is known has its peak as the answer. */
static const char *title(struct sketch *s, const struct analysis *a)
{
	const char *answer = answer_text(s->arena, s->t, a, s->scope->units);
	const struct plot_series *widest = s->series;
	const struct plot_point *peak = widest->point;
	char size[SIZE_TEXT];

	if (answer_finding(a) || s->plot->unit != PLOT_BYTES)
		return answer;
	for (size_t i = 0; i < s->plot->nseries; i++) {
		const struct plot_series *series = &s->series[i];

		for (size_t k = 0; k < series->points; k++)
			peak = series->point[k].y > peak->y ? &series->point[k] : peak;
	}
	return arena_printf(s->arena, "Peak %s; %s",
			    size_format(size, (int64_t)peak->y, s->scope->units), answer);
}

bool plot_timeline_suits(const struct plot_input *in)
{
	(void)in;
	return true;
}

int plot_timeline(struct plot *plot, const struct plot_input *in)
{
	const struct timeline *t = &in->run->timeline;
	const struct analysis *a = &in->run->analysis;
	struct sketch *s = sketch_new(plot, in->arena, t, in->scope);

	if (in->scope->device < 0 && in->scope->pid < 0) {
		add_stack(s);
		if (plot->nseries && add_parameters(s))
			name_others(s);
		add_allocated(s);
	}
	if (!plot->nseries)
		add_subjects(s);
	if (!plot->nseries)
		return error_set("%s has no sizes to draw; see memlog show --notes", t->name);
	if (!mark_outer(s, a))
		mark_places(s, a);
	sketch_mark_events(s);
	if (plot->unit == PLOT_BYTES)
		sketch_capacity(s, quantity_known(a->forecast.capacity) ? a->forecast.capacity
									: t->capacity);
	sketch_set_x(s);
	plot->title = title(s, a);
	plot->subtitle = sketch_source(s);
	return 0;
}
