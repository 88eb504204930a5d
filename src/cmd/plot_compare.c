#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"

/*
 * Several runs over each other: by iteration where all have a loop, by the time since their start
 * where all have one, else by point.  Of each the same level, the widest that all have.
 */

enum compare_x { BY_ITERATION, BY_TIME, BY_POINT };

static const char *const x_labels[] = { [BY_ITERATION] = "iteration",
					[BY_TIME] = "seconds since the run began",
					[BY_POINT] = "point of the log" };

static enum compare_x choose_x(const struct plot_input *in, struct sketch *const *sketch)
{
	bool loops = true, times = true;

	for (size_t r = 0; r < in->runs; r++) {
		loops &= in->run[r].analysis.heads > 1 && in->run[r].analysis.site;
		times &= sketch[r]->by_time;
	}
	return loops ? BY_ITERATION : times ? BY_TIME : BY_POINT;
}

static const struct series *level_of(const struct timeline *t, int level)
{
	if (t->level[level].value && !t->level[level].percent)
		return &t->level[level];
	return NULL;
}

/* Of a monitor's log with several subjects: the one that reaches highest. */
static const struct series *largest_subject(const struct timeline *t)
{
	const struct series *best = NULL;
	int64_t most = INT64_MIN;

	for (size_t i = 0; i < t->subjects; i++) {
		const struct series *used = &t->subject[i].used;

		for (size_t k = 0; k < t->points && !used->percent; k++) {
			if (quantity_known(used->value[k]) && used->value[k] > most) {
				most = used->value[k];
				best = used;
			}
		}
	}
	return best;
}

/* The level that all runs have; LEVELS: there is none, and each shows what it has. */
static int common_level(const struct plot_input *in)
{
	static const int order[] = { LEVEL_ALLOCATED, LEVEL_RESERVED, LEVEL_PROCESS, LEVEL_DEVICE,
				     LEVEL_VISIBLE };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		bool all = true;

		for (size_t r = 0; r < in->runs; r++)
			all &= level_of(&in->run[r].timeline, order[i]) != NULL;
		if (all)
			return order[i];
	}
	return LEVELS;
}

static const struct series *values_of(const struct timeline *t, int level)
{
	if (level < LEVELS)
		return level_of(t, level);
	for (int l = LEVELS; l-- > 0;) {
		if (level_of(t, l))
			return level_of(t, l);
	}
	return largest_subject(t);
}

/* Where a point stands; NAN: outside the loop. */
static double x_of(const struct sketch *s, const struct analysis *a, enum compare_x by, size_t *k,
		   size_t point)
{
	size_t start;

	if (by == BY_POINT)
		return (double)sketch_number(s, point);
	if (by == BY_TIME)
		return (double)(s->t->time[point] - s->t->time[0]) / (double)SECOND;
	while (*k < a->heads && a->head[*k] < point)
		++*k;
	if (point < a->from || *k == a->heads)
		return NAN;
	start = *k ? (size_t)a->head[*k - 1] + 1 : a->from;
	return ((double)*k + (double)(point - start + 1) / (double)(a->head[*k] - start + 1)) *
	       (double)(a->fold > 1 ? a->fold : 1);
}

static void add_run(struct sketch *into, const struct sketch *s, const struct loaded_run *run,
		    enum compare_x by, int level)
{
	const struct series *values = values_of(&run->timeline, level);
	struct plot_point *point;
	size_t n = 0, k = 0;

	if (!values)
		return;
	point = sketch_points(into, run->timeline.points);
	for (size_t i = 0; i < run->timeline.points; i++) {
		double x = x_of(s, &run->analysis, by, &k, i);

		if (!isnan(x) && quantity_known(values->value[i]) && sketch_shows(s, i))
			n = sketch_put(point, n, values, i, x, 1);
	}
	/* Runs may be alike: what lies below shows between the dashes. */
	sketch_add(into, answer_short(into->arena, run->timeline.name, 40),
		   into->plot->nseries % 2 ? PLOT_DASHED : PLOT_LINE, PLOT_COLOR_AUTO, point, n);
}

static const char *title(const struct plot_input *in)
{
	const struct loaded_run *worst = NULL;
	size_t grow = 0;

	for (size_t r = 0; r < in->runs; r++) {
		const struct finding *f = answer_finding(&in->run[r].analysis);

		if (!f)
			continue;
		grow++;
		if (!worst || f->bytes_per_iteration >
				      answer_finding(&worst->analysis)->bytes_per_iteration)
			worst = &in->run[r];
	}
	if (!worst)
		return arena_printf(in->arena, "None of %s is seen to grow",
				    plural(in->arena, (int64_t)in->runs, "run"));
	return arena_printf(in->arena, "%zu of %zu runs %s, most %s: %s", grow, in->runs,
			    grow == 1 ? "grows" : "grow", answer_short(in->arena, worst->timeline.name, 40),
			    answer_text(in->arena, &worst->timeline, &worst->analysis,
					in->scope->units));
}

bool plot_compare_suits(const struct plot_input *in)
{
	return in->runs > 1;
}

int plot_compare(struct plot *plot, const struct plot_input *in)
{
	int level = common_level(in);
	struct sketch **sketch = arena_alloc(in->arena, in->runs * sizeof(struct sketch *));
	struct sketch *s;
	enum compare_x by;

	for (size_t r = 0; r < in->runs; r++)
		sketch[r] = sketch_new(plot, in->arena, &in->run[r].timeline, in->scope);
	by = choose_x(in, sketch);
	s = sketch_new(plot, in->arena, &in->run->timeline, in->scope);
	if (in->runs > SKETCH_SERIES)
		return error_usage("memlog plot: %zu runs are too many for one picture, which holds "
				   "%d; name fewer (see memlog runs)",
				   in->runs, SKETCH_SERIES);
	for (size_t r = 0; r < in->runs; r++)
		add_run(s, sketch[r], &in->run[r], by, level);
	if (!plot->nseries)
		return error_set("these runs have no sizes to draw; see memlog show --notes");
	plot->x_label = x_labels[by];
	plot->title = title(in);
	plot->subtitle = arena_printf(in->arena, "%s memory of %s",
				      level < LEVELS ? level_names[level] : "the widest",
				      plural(in->arena, (int64_t)in->runs, "run"));
	return 0;
}
