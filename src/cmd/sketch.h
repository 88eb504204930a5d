#ifndef CMD_SKETCH_H
#define CMD_SKETCH_H

#include "base/units.h"
#include "cmd/loaded.h"
#include "model/plot.h"

/*
 * A plot under construction, and the part of the runs it shows.  The kinds of plot (plot_kind.h)
 * fill it; everything lives in the arena.
 */

/* What the options of `memlog plot` leave of a run. */
struct plot_scope {
	int64_t from, to;     /* points, from 1; to 0: the last */
	int64_t device, pid;  /* -1: all */
	const char *position; /* text that a place must hold; NULL: all */
	bool counts;          /* tensors, not their bytes */
	enum size_style units;
};

#define PLOT_SCOPE_ALL ((struct plot_scope){ .device = -1, .pid = -1 })

enum { SKETCH_SERIES = 16, SKETCH_MARKS = 24 };

struct sketch {
	struct plot *plot;
	struct arena *arena;
	const struct plot_scope *scope;
	const struct timeline *t;
	const bool *place; /* by site + 1: inside the scope; NULL: all are */
	int64_t *number;   /* of a folded run: the last point of the log in each; NULL: i + 1 */
	bool by_time;
	struct plot_series series[SKETCH_SERIES];
	struct plot_mark mark[SKETCH_MARKS];
	struct plot_level level[2];
};

/* x: the time where every point has one and it does not run backwards, else the point's number. */
struct sketch *sketch_new(struct plot *plot, struct arena *arena, const struct timeline *timeline,
			  const struct plot_scope *scope);

/* The number, from 1, that a point has in the log. */
int64_t sketch_number(const struct sketch *sketch, size_t point);
bool sketch_shows(const struct sketch *sketch, size_t point);
bool sketch_takes(const struct sketch *sketch, const struct subject *subject);
double sketch_x(const struct sketch *sketch, size_t point);
/* Sets x_is_time and the label of x. */
void sketch_set_x(struct sketch *sketch);

/* Room for the points of a series, two for each of a folded run. */
struct plot_point *sketch_points(struct sketch *sketch, size_t n);

/* Appends the value at a point, and its peak where the point stands for several; returns n + 1, 2. */
size_t sketch_put(struct plot_point *out, size_t n, const struct series *values, size_t point,
		  double x, double scale);

/* NULL when there is no room for more, or no point. */
struct plot_series *sketch_add(struct sketch *sketch, const char *name, enum plot_style style,
			       enum plot_color color, const struct plot_point *point, size_t n);

/* The known values of a series; false: there are none in the scope. */
bool sketch_add_values(struct sketch *sketch, const struct series *values, const char *name,
		       enum plot_style style, enum plot_color color);

void sketch_mark(struct sketch *sketch, double x, const char *label, bool bad);
/* Each out of memory, at x of the moment after its point. */
void sketch_mark_events(struct sketch *sketch);
void sketch_capacity(struct sketch *sketch, int64_t capacity);

/* "output_append (gpu-mem-track-2021), points 1 to 42": what the picture is of. */
const char *sketch_source(const struct sketch *sketch);

/* The last point that was logged before the event; -1: none. */
int64_t event_point(const struct timeline *timeline, const struct timeline_event *event);
bool event_is_oom(const struct timeline_event *event);
/* What an event is to a person: "out of memory". */
const char *event_text(const struct timeline_event *event);

#endif
