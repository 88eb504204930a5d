#include "cmd/plot_timeline.h"

#include <inttypes.h>
#include <math.h>

#include "cmd/common.h"

enum { MAX_SERIES = 12, MAX_MARKS = 14 };

struct drawing {
	struct plot *plot;
	struct arena *arena;
	const struct timeline *t;
	bool by_time;
	struct plot_series series[MAX_SERIES];
	struct plot_mark mark[MAX_MARKS];
	struct plot_level level[1];
};

static double x_of(const struct drawing *d, size_t i)
{
	return d->by_time ? (double)d->t->time[i] / (double)SECOND : (double)i + 1;
}

/* Time is the better axis where every point has one and it does not run backwards. */
static bool usable_time(const struct timeline *t)
{
	for (size_t i = 0; t->time && i < t->points; i++)
		if (t->time[i] == TIME_UNKNOWN || (i && t->time[i] < t->time[i - 1]))
			return false;
	return t->time && t->points > 1 && t->time[t->points - 1] > t->time[0];
}

static void add_series(struct drawing *d, const struct series *s, const char *name,
		       enum plot_style style)
{
	struct plot_point *point;
	size_t n = 0;

	if (!s->value || d->plot->nseries == MAX_SERIES)
		return;
	point = arena_alloc(d->arena, d->t->points * sizeof(*point));
	for (size_t i = 0; i < d->t->points; i++) {
		bool known = quantity_known(s->value[i]);

		/* Points of other subjects are no gap in this one. */
		if (!known && style == PLOT_LINE)
			continue;
		point[n++] = (struct plot_point){ x_of(d, i), known ? (double)s->value[i] : NAN };
	}
	if (n)
		d->series[d->plot->nseries++] = (struct plot_series){ name, style, point, n };
}

/* Nothing in bytes to draw: the log prints shares of cards whose size it does not tell. */
static bool only_shares(const struct timeline *t)
{
	for (int l = 0; l < LEVEL_DEVICE; l++)
		if (t->level[l].value)
			return false;
	for (size_t i = 0; i < t->subjects; i++)
		if (t->subject[i].is_process)
			return false;
	return device_in_percent(t);
}

static void add_levels(struct drawing *d)
{
	const struct timeline *t = d->t;
	const struct series *allocated = &t->level[LEVEL_ALLOCATED];

	/* Areas are drawn from zero, the first at the back: what shows of it is what is hidden. */
	if (allocated->value)
		add_series(d, allocated, "allocated: hidden from Python above the visible",
			   PLOT_AREA);
	else if (t->level[LEVEL_DEVICE].value && !t->level[LEVEL_DEVICE].percent)
		add_series(d, &t->level[LEVEL_DEVICE], "device used: unexplained above the visible",
			   PLOT_AREA);
	add_series(d, &t->level[LEVEL_VISIBLE], "visible tensors", PLOT_AREA);
	add_series(d, &t->level[LEVEL_RESERVED], "reserved by the allocator", PLOT_LINE);
	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i];

		if (!s->is_process && s->used.value == t->level[LEVEL_DEVICE].value &&
		    !allocated->value && !s->used.percent)
			continue;
		if (s->used.percent != d->plot->y_is_percent)
			continue;
		add_series(d, &s->used, subject_text(d->arena, s), PLOT_LINE);
	}
}

/* Where each position is met first: in a loop the next visits are the same place. */
static void add_marks(struct drawing *d)
{
	const struct timeline *t = d->t;
	bool *seen = arena_alloc(d->arena, (t->sites + 1) * sizeof(*seen));

	for (size_t e = 0; e < t->events && d->plot->marks < MAX_MARKS; e++) {
		const struct timeline_event *event = &t->event[e];
		size_t at = event->point < 0 ? 0 : (size_t)event->point;

		if (at < t->points)
			d->mark[d->plot->marks++] =
				(struct plot_mark){ x_of(d, at), event->code, true };
	}
	for (size_t i = 0; i < t->points && d->plot->marks < MAX_MARKS; i++) {
		int32_t site = t->position[i];

		if (site < 0 || seen[site])
			continue;
		seen[site] = true;
		d->mark[d->plot->marks++] =
			(struct plot_mark){ x_of(d, i), site_text(d->arena, &t->site[site]),
					    false };
	}
}

static const char *title(struct arena *arena, const struct timeline *t, const struct analysis *a)
{
	return arena_printf(arena, "%s: %s, %s", t->name, verdict_names[a->verdict], a->why);
}

void plot_timeline(struct plot *plot, struct arena *arena, const struct timeline *timeline,
		   const struct analysis *analysis, enum size_style units)
{
	struct drawing *d = arena_alloc(arena, sizeof(*d));
	char size[SIZE_TEXT];

	*plot = (struct plot){ .title = title(arena, timeline, analysis),
			       .y_is_percent = only_shares(timeline) };
	*d = (struct drawing){
		.plot = plot, .arena = arena, .t = timeline, .by_time = usable_time(timeline)
	};
	add_levels(d);
	add_marks(d);
	if (quantity_known(timeline->capacity)) {
		d->level[plot->levels++] = (struct plot_level){
			(double)timeline->capacity,
			arena_printf(arena, "capacity %s",
				     size_format(size, timeline->capacity, units)),
		};
	}
	plot->subtitle = arena_printf(arena, "%s, %s", timeline->source,
				      timeline->dialect ? timeline->dialect : "");
	plot->x_is_time = d->by_time;
	plot->x_label = d->by_time ? "time (UTC)" : "point of the log";
	plot->series = d->series;
	plot->mark = d->mark;
	plot->level = d->level;
}
