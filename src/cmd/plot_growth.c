#include <math.h>
#include <string.h>

#include "analysis/growth.h"
#include "analysis/series.h"
#include "analysis/stats.h"
#include "base/error.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"

/*
 * One quantity, its floor at the end of each iteration, the growth that `memlog leaks` tells of it
 * with the range that holds it, and the straight way from there to the capacity.
 */

struct growth_plot {
	struct sketch *s;
	const struct analysis *a;
	const struct finding *finding; /* NULL: nothing grows */
	struct quantity quantity; /* of one series: nothing is taken off */
	const char *name;
	const char *unit;
	double rate, low, high; /* a unit */
	double *t, *v;          /* floors; t in units */
	size_t n;
	double per_head; /* units from one head to the next */
	double scale;    /* of the values: 100 for hundredths of a percent */
	double oom;      /* x of the first out of memory; INFINITY: none */
	double center_x; /* of the fit */
	double center_y;
};

static bool holds(const struct growth *g, const struct finding *f)
{
	return g->known && fabs(g->estimate - f->bytes_per_iteration) <=
				   fmax(1, fmax(g->high - g->estimate, g->estimate - g->low));
}

/*
 * The quantity that the finding measured: the subject's, or the level whose growth is the
 * finding's.  Where nothing grows, the widest that is known.
 */
static bool choose(struct growth_plot *g, const struct timeline *t)
{
	static const enum growth_level order[] = { GROWTH_ALLOCATED, GROWTH_PROCESS, GROWTH_DEVICE,
						   GROWTH_VISIBLE };
	const struct finding *f = g->finding;
	int chosen = -1;

	for (int i = 3; i >= 0; i--) {
		if (g->a->growth[order[i]].known && (!f || holds(&g->a->growth[order[i]], f)))
			chosen = (int)order[i];
	}
	for (int i = 3; i >= 0 && chosen < 0; i--)
		chosen = growth_quantity(t, order[i]).plus ? (int)order[i] : -1;
	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *subject = &t->subject[i];
		bool named = g->s->scope->device >= 0 || g->s->scope->pid >= 0;

		if (named ? !sketch_takes(g->s, subject) : !f || subject != f->subject)
			continue;
		g->quantity = (struct quantity){ &subject->used, NULL };
		g->name = answer_subject(g->s->arena, subject);
		if (f && f->subject != subject)
			g->finding = NULL;
		return true;
	}
	if (chosen < 0)
		return false;
	g->quantity = growth_quantity(t, (enum growth_level)chosen);
	g->name = growth_level_names[chosen];
	return true;
}

static void measure(struct growth_plot *g)
{
	const struct analysis *a = g->a;
	const struct loop loop = { .head = (uint32_t *)a->head,
				   .n = a->heads,
				   .from = a->from,
				   .samples = a->samples };
	size_t kept = 0;

	g->t = arena_alloc(g->s->arena, (a->heads + 1) * sizeof(*g->t));
	g->v = arena_alloc(g->s->arena, (a->heads + 1) * sizeof(*g->v));
	g->n = series_floors(&loop, g->quantity, 0, g->t, g->v);
	for (size_t i = 0; i < g->n; i++) {
		if (!sketch_shows(g->s, a->head[(size_t)g->t[i] - 1]))
			continue;
		g->t[kept] = g->t[i] * g->per_head;
		g->v[kept++] = g->v[i] / g->scale;
	}
	g->n = kept;
}

/* The place of a point among the iterations: k at the end of the k-th. */
static double unit_x(const struct analysis *a, size_t *k, size_t point)
{
	size_t start;

	while (*k < a->heads && a->head[*k] < point)
		++*k;
	start = *k ? (size_t)a->head[*k - 1] + 1 : a->from;
	if (*k == a->heads)
		return (double)*k + (double)(point - start + 1);
	return (double)*k + (double)(point - start + 1) / (double)(a->head[*k] - start + 1);
}

/* Every point, so that what happens within an iteration shows too. */
static void add_points(struct growth_plot *g)
{
	struct plot_point *point = sketch_points(g->s, g->s->t->points);
	const struct analysis *a = g->a;
	size_t n = 0, k = 0, end = a->head[a->heads - 1];

	for (size_t i = a->from; i <= end; i++) {
		int64_t value = quantity_at(g->quantity, i);

		if (quantity_known(value) && sketch_shows(g->s, i))
			n = sketch_put(point, n, g->quantity.plus, i,
				       unit_x(a, &k, i) * g->per_head, g->scale);
	}
	sketch_add(g->s, g->name, PLOT_LINE, PLOT_SKY, point, n);
}

static void add_floors(struct growth_plot *g)
{
	struct plot_point *point = sketch_points(g->s, g->n);

	for (size_t i = 0; i < g->n; i++)
		point[i] = (struct plot_point){ g->t[i], g->v[i], 0 };
	/* A band of touching points would hide the line. */
	if (g->n <= 400)
		sketch_add(g->s, arena_printf(g->s->arena, "lowest in each %s", g->unit), PLOT_POINTS,
			   PLOT_BLUE, point, g->n);
}

/* The line goes through the middle of the floors between which it grows. */
static bool place_fit(struct growth_plot *g)
{
	double *rest = arena_alloc(g->s->arena, (g->n + 1) * sizeof(*rest));
	double from = (double)g->finding->first, to = (double)g->finding->last;
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (g->t[i] >= from && g->t[i] <= to && g->t[i] <= g->oom)
			rest[n++] = g->v[i] - g->rate * g->t[i];
	}
	if (n < 2)
		return false;
	g->center_x = (from + fmin(fmin(to, g->oom), g->t[g->n - 1])) / 2;
	g->center_y = stats_median(rest, n) + g->rate * g->center_x;
	return true;
}

static void add_line(struct growth_plot *g, const char *name, struct plot_point from,
		     struct plot_point to, enum plot_color color)
{
	struct plot_point *point = sketch_points(g->s, 2);

	point[0] = from;
	point[1] = to;
	sketch_add(g->s, name, PLOT_DASHED, color, point, 2);
}

/* All lines through a point with a slope in the range. */
static void add_band(struct growth_plot *g, const char *name, double x, double y, double from,
		     double to)
{
	const double at[] = { from, fmin(fmax(x, from), to), to };
	struct plot_point *point = sketch_points(g->s, 3);

	/* Narrower than a line: not there. */
	if (!isfinite(g->low) || !isfinite(g->high) ||
	    (g->high - g->low) * (to - from) < 0.01 * fabs(y))
		return;
	for (int i = 0; i < 3; i++) {
		double a = y + g->low * (at[i] - x), b = y + g->high * (at[i] - x);

		point[i] = (struct plot_point){ at[i], fmax(a, b), fmin(a, b) };
	}
	sketch_add(g->s, name, PLOT_BAND, PLOT_BLACK, point, 3);
}

static const char *fit_name(struct growth_plot *g)
{
	/* Hundredths of a percent are no bytes. */
	if (g->scale > 1)
		return arena_printf(g->s->arena, "fit: %+.3g %% %s %s", g->rate,
				    strchr("aeiou", *g->unit) ? "an" : "a", g->unit);
	return arena_printf(g->s->arena, "fit: %s",
			    answer_rate(g->s->arena, g->rate, NAN, NAN, g->unit,
					g->s->scope->units));
}

static void add_fit(struct growth_plot *g)
{
	double from = fmax((double)g->finding->first, g->t[0]);
	double to = fmin(fmin((double)g->finding->last, g->t[g->n - 1]), g->oom);

	if (to <= from || !place_fit(g))
		return;
	add_band(g, "range of the fit", g->center_x, g->center_y, from, to);
	add_line(g, fit_name(g),
		 (struct plot_point){ from, g->center_y + g->rate * (from - g->center_x), 0 },
		 (struct plot_point){ to, g->center_y + g->rate * (to - g->center_x), 0 },
		 PLOT_BLACK);
}

/*
 * From the last floor on, or the last before memory ran out, to the capacity: as far as it leaves
 * the measured part readable.
 */
static void add_forecast(struct growth_plot *g)
{
	enum { LONGEST = 3 }; /* times what was measured */
	const struct forecast *f = &g->a->forecast;
	size_t last = g->n - 1;
	double room, x, end, left;

	while (last > 0 && g->t[last] > g->oom)
		last--;
	room = (double)f->capacity - g->v[last];
	if (!f->in_sight || g->scale > 1 || g->rate <= 0 || room <= 0)
		return;
	x = g->t[last];
	/* The forecast may rest on a wider level than the one drawn, and has its own way then. */
	left = (double)f->left + g->t[g->n - 1] - x;
	if (fabs(room / g->rate - left) > fmax(2, 0.02 * left))
		return;
	end = fmin(x + room / g->rate, x + LONGEST * fmax(x, 4));
	add_band(g, NULL, x, g->v[last], x, end);
	add_line(g, "forecast", (struct plot_point){ x, g->v[last], 0 },
		 (struct plot_point){ end, g->v[last] + g->rate * (end - x), 0 }, PLOT_PINK);
}

static void mark_events(struct growth_plot *g)
{
	const struct timeline *t = g->s->t;
	size_t k = 0;

	for (size_t i = 0; i < t->events; i++) {
		const struct timeline_event *event = &t->event[i];
		int64_t point = event_point(t, event);
		double x;

		if (point < (int64_t)g->a->from)
			continue;
		/* Somewhere in the iteration that did not end. */
		x = (unit_x(g->a, &k, (size_t)point) + 0.5) * g->per_head;
		if (event_is_oom(event))
			g->oom = fmin(g->oom, x);
		if (sketch_shows(g->s, (size_t)point))
			sketch_mark(g->s, x, event_text(event), true);
	}
}

/* Growth of a level; growth that rows of tensors tell by themselves is better shown as these. */
bool plot_growth_suits(const struct plot_input *in)
{
	const struct analysis *a = &in->run->analysis;
	const struct finding *f = answer_finding(a);

	if (!f || !a->heads)
		return false;
	for (int i = 0; i < GROWTH_LEVELS && f->rows; i++) {
		if (i != GROWTH_VISIBLE && a->growth[i].known &&
		    fabs(a->growth[i].estimate - f->bytes_per_iteration) < 1)
			return true;
	}
	return !f->rows;
}

int plot_growth(struct plot *plot, const struct plot_input *in)
{
	const struct loaded_run *run = in->run;
	struct growth_plot g = { .s = sketch_new(plot, in->arena, &run->timeline, in->scope),
				 .a = &run->analysis,
				 .finding = answer_finding(&run->analysis),
				 .oom = INFINITY };

	if (!g.a->heads)
		return error_set("%s: nothing repeats in this run, so growth cannot be drawn; use "
				 "--kind timeline",
				 run->timeline.name);
	if (!choose(&g, &run->timeline))
		return error_set("%s has no sizes to draw; see memlog show --notes",
				 run->timeline.name);
	g.per_head = (double)(g.a->fold > 1 ? g.a->fold : 1) / (double)g.a->samples;
	g.unit = g.a->unit ? g.a->unit : "iteration";
	g.scale = g.quantity.plus->percent ? 100 : 1;
	plot->unit = g.scale > 1 ? PLOT_PERCENT : PLOT_BYTES;
	if (g.finding) {
		g.rate = g.finding->bytes_per_iteration / g.scale;
		g.low = g.finding->low / g.scale;
		g.high = g.finding->high / g.scale;
	}
	measure(&g);
	if (!g.n)
		return error_set("%s has no sizes to draw there", run->timeline.name);
	mark_events(&g);
	add_points(&g);
	add_floors(&g);
	if (g.finding)
		add_fit(&g);
	if (g.finding)
		add_forecast(&g);
	if (g.scale == 1)
		sketch_capacity(g.s, g.a->forecast.capacity);
	plot->x_label = g.unit;
	plot->title = answer_text(in->arena, &run->timeline, g.a, in->scope->units);
	plot->subtitle = sketch_source(g.s);
	return 0;
}
