#include "cmd/sketch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmd/answer.h"
#include "cmd/common.h"

/* Time is the better axis where every point has one and it does not run backwards. */
static bool usable_time(const struct timeline *t)
{
	for (size_t i = 0; t->time && i < t->points; i++)
		if (t->time[i] == TIME_UNKNOWN || (i && t->time[i] < t->time[i - 1]))
			return false;
	return t->time && t->points > 1 && t->time[t->points - 1] > t->time[0];
}

static const bool *matching_places(struct arena *arena, const struct timeline *t, const char *text)
{
	bool *place = arena_alloc(arena, (t->sites + 1) * sizeof(*place));

	for (size_t i = 0; i < t->sites; i++)
		place[i + 1] = strstr(site_text(arena, &t->site[i]), text) != NULL;
	return place;
}

static int64_t fold_of(const struct timeline *t, size_t point)
{
	int64_t fold = t->position[point] >= 0 ? t->site[t->position[point]].fold : t->fold;

	return fold > 1 ? fold : 1;
}

/* Points of a folded run come when their last visit does. */
static int64_t *number_points(struct arena *arena, const struct timeline *t)
{
	int64_t *number, at = 0;

	if (t->logged_points <= (int64_t)t->points)
		return NULL;
	number = arena_alloc(arena, (t->points + 1) * sizeof(*number));
	for (size_t i = 0; i < t->points; i++) {
		at += fold_of(t, i);
		number[i] = at < t->logged_points ? at : t->logged_points;
	}
	return number;
}

struct sketch *sketch_new(struct plot *plot, struct arena *arena, const struct timeline *timeline,
			  const struct plot_scope *scope)
{
	struct sketch *s = arena_alloc(arena, sizeof(*s));

	*plot = (struct plot){ .series = s->series, .mark = s->mark, .level = s->level };
	s->plot = plot;
	s->arena = arena;
	s->scope = scope;
	s->t = timeline;
	s->by_time = usable_time(timeline);
	s->number = number_points(arena, timeline);
	if (scope->position)
		s->place = matching_places(arena, timeline, scope->position);
	return s;
}

int64_t sketch_number(const struct sketch *s, size_t point)
{
	return s->number ? s->number[point] : (int64_t)point + 1;
}

bool sketch_shows(const struct sketch *s, size_t point)
{
	int64_t number = sketch_number(s, point);

	return number >= s->scope->from && (!s->scope->to || number <= s->scope->to) &&
	       (!s->place || s->place[s->t->position[point] + 1]);
}

bool sketch_takes(const struct sketch *s, const struct subject *subject)
{
	return (s->scope->device < 0 || subject->device == s->scope->device) &&
	       (s->scope->pid < 0 || subject->pid == s->scope->pid);
}

double sketch_x(const struct sketch *s, size_t point)
{
	return s->by_time ? (double)s->t->time[point] / (double)SECOND : (double)sketch_number(s, point);
}

void sketch_set_x(struct sketch *s)
{
	s->plot->x_is_time = s->by_time;
	s->plot->x_label = s->by_time ? "time (UTC)" : "point of the log";
}

struct plot_point *sketch_points(struct sketch *s, size_t n)
{
	return arena_alloc(s->arena, (2 * n + 1) * sizeof(struct plot_point));
}

size_t sketch_put(struct plot_point *out, size_t n, const struct series *values, size_t point,
		  double x, double scale)
{
	int64_t peak = series_peak(values, point);

	out[n++] = (struct plot_point){ x, (double)values->value[point] / scale, 0 };
	if (quantity_known(peak) && peak > values->value[point])
		out[n++] = (struct plot_point){ x, (double)peak / scale, 0 };
	return n;
}

struct plot_series *sketch_add(struct sketch *s, const char *name, enum plot_style style,
			       enum plot_color color, const struct plot_point *point, size_t n)
{
	struct plot_series *series;

	if (!n || s->plot->nseries == SKETCH_SERIES)
		return NULL;
	series = &s->series[s->plot->nseries++];
	*series = (struct plot_series){ name, style, point, n, color };
	return series;
}

bool sketch_add_values(struct sketch *s, const struct series *values, const char *name,
		       enum plot_style style, enum plot_color color)
{
	double scale = values->percent ? 100 : 1;
	struct plot_point *point;
	size_t n = 0;

	if (!values->value)
		return false;
	point = sketch_points(s, s->t->points);
	/* Points that say nothing of this are no gap in it: they speak of others. */
	for (size_t i = 0; i < s->t->points; i++) {
		if (sketch_shows(s, i) && quantity_known(values->value[i]))
			n = sketch_put(point, n, values, i, sketch_x(s, i), scale);
	}
	return sketch_add(s, name, style, color, point, n) != NULL;
}

void sketch_mark(struct sketch *s, double x, const char *label, bool bad)
{
	if (s->plot->marks < SKETCH_MARKS)
		s->mark[s->plot->marks++] = (struct plot_mark){ x, label, bad };
}

/* A point may still be open, and stored later, when an event interrupts it. */
int64_t event_point(const struct timeline *t, const struct timeline_event *event)
{
	int64_t point = event->point;

	while (point + 1 < (int64_t)t->points && t->line[point + 1] < event->line)
		point++;
	return point;
}

bool event_is_oom(const struct timeline_event *event)
{
	return !strcmp(event->code, "out-of-memory");
}

const char *event_text(const struct timeline_event *event)
{
	return event_is_oom(event) ? "out of memory" : event->code;
}

void sketch_mark_events(struct sketch *s)
{
	for (size_t i = 0; i < s->t->events; i++) {
		const struct timeline_event *event = &s->t->event[i];
		int64_t point = event_point(s->t, event);
		size_t at = point < 0 ? 0 : (size_t)point;

		/* Between this point and the next, which an allocation did not live to see. */
		if (at < s->t->points && sketch_shows(s, at))
			sketch_mark(s, sketch_x(s, at) + (s->by_time ? 0 : 0.5), event_text(event),
				    true);
	}
}

void sketch_capacity(struct sketch *s, int64_t capacity)
{
	char size[SIZE_TEXT];

	if (quantity_known(capacity) && !s->plot->levels)
		s->level[s->plot->levels++] = (struct plot_level){
			(double)capacity,
			arena_printf(s->arena, "capacity %s",
				     size_format(size, capacity, s->scope->units)),
		};
}

const char *sketch_source(const struct sketch *s)
{
	const struct timeline *t = s->t;
	const char *name = answer_short(s->arena, t->name, 60), *place = "";
	int64_t all = s->number ? t->logged_points : (int64_t)t->points;
	int64_t from = s->scope->from > 1 ? s->scope->from : 1;
	int64_t to = s->scope->to ? s->scope->to : all;

	if (s->scope->position)
		place = arena_printf(s->arena, " at %s",
				     answer_short(s->arena, s->scope->position, 40));
	if (from > 1 || to < all)
		return arena_printf(s->arena, "%s, %s, points %" PRId64 " to %" PRId64 "%s", name,
				    t->dialect ? t->dialect : "", from, to, place);
	return arena_printf(s->arena, "%s, %s, %s%s", name, t->dialect ? t->dialect : "",
			    plural(s->arena, all, "point"), place);
}
