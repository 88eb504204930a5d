#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"

/*
 * A panel for each GPU: what its processes hold, on top of each other, and what the device says is
 * used in all.
 */

enum { DEVICES = 32, STACKED = SKETCH_SERIES - 2 };

/* A device as it is drawn: found by its number, or its uuid. */
struct device_panel {
	const struct subject *device; /* one that stands for it */
	const struct subject *whole;  /* the device as a whole, or NULL */
	const struct subject *process[STACKED];
	size_t processes;
};

struct devices {
	struct device_panel at[DEVICES];
	size_t len;
	struct plot panel[DEVICES];
};

static bool same_device(const struct subject *a, const struct subject *b)
{
	if (a->device >= 0 || b->device >= 0)
		return a->device == b->device;
	if (a->uuid && b->uuid)
		return !strcmp(a->uuid, b->uuid);
	return !a->uuid && !b->uuid;
}

static struct device_panel *panel_of(struct devices *d, const struct subject *subject)
{
	for (size_t i = 0; i < d->len; i++) {
		if (same_device(d->at[i].device, subject))
			return &d->at[i];
	}
	if (d->len == DEVICES)
		return NULL;
	d->at[d->len].device = subject;
	return &d->at[d->len++];
}

static void gather(struct devices *d, const struct sketch *s)
{
	for (size_t i = 0; i < s->t->subjects; i++) {
		const struct subject *subject = &s->t->subject[i];
		struct device_panel *panel =
			sketch_takes(s, subject) ? panel_of(d, subject) : NULL;

		if (!panel)
			continue;
		if (!subject->is_process)
			panel->whole = subject;
		else if (panel->processes < STACKED)
			panel->process[panel->processes++] = subject;
	}
}

static bool known_at(const struct subject *s, size_t point)
{
	return s && quantity_known(s->used.value[point]);
}

static bool any_process_at(const struct device_panel *p, size_t point)
{
	for (size_t i = 0; i < p->processes; i++) {
		if (known_at(p->process[i], point))
			return true;
	}
	return false;
}

/*
 * A point without processes says that none runs if the log tells both at once; in a log of two
 * monitors the other one spoke.
 */
static bool tells_both(const struct device_panel *p, size_t points)
{
	for (size_t i = 0; i < points; i++) {
		if (known_at(p->whole, i) && any_process_at(p, i))
			return true;
	}
	return !p->whole;
}

/*
 * The sum of the first processes up to `last`; one that is not told has ended, or not begun.  Of a
 * folded run the sum of the peaks: at most that was in use.
 */
static double sum_at(const struct device_panel *p, size_t last, size_t point)
{
	double sum = 0;

	for (size_t i = 0; i <= last; i++) {
		if (known_at(p->process[i], point))
			sum += (double)series_peak(&p->process[i]->used, point);
	}
	return sum;
}

/* A process has one colour on all devices. */
static enum plot_color color_of(const struct timeline *t, const struct subject *process)
{
	enum { COLORS = 5 };
	size_t number = 0;

	for (const struct subject *s = t->subject; s < process; s++) {
		bool first = s->is_process;

		if (first && s->pid == process->pid && s->pid >= 0)
			break;
		for (const struct subject *o = t->subject; o < s && first; o++)
			first = !o->is_process || o->pid != s->pid || s->pid < 0;
		number += first;
	}
	return (enum plot_color)(PLOT_BLUE + number % COLORS);
}

static void add_process(struct sketch *s, const struct device_panel *p, size_t last, bool both)
{
	struct plot_point *point = sketch_points(s, s->t->points);
	struct subject named = *p->process[last];
	size_t n = 0;

	named.device = -1;
	for (size_t i = 0; i < s->t->points; i++) {
		bool told = any_process_at(p, i) || (both && known_at(p->whole, i)) ||
			    (!p->whole && !both);

		if (told && sketch_shows(s, i))
			point[n++] =
				(struct plot_point){ sketch_x(s, i), sum_at(p, last, i), 0 };
	}
	sketch_add(s, answer_subject(s->arena, &named), PLOT_AREA,
		   color_of(s->t, p->process[last]), point, n);
}

static const char *panel_title(struct arena *arena, const struct device_panel *p)
{
	const struct subject *d = p->whole ? p->whole : p->device;
	struct subject bare = *d;

	bare.is_process = false;
	if (!d->device_name || d->device < 0)
		return bare.device >= 0 || bare.device_name ? answer_subject(arena, &bare)
		       : d->uuid ? answer_short(arena, d->uuid, 48)
				 : "GPU";
	return arena_printf(arena, "GPU %" PRId64 ", %s", d->device,
			    answer_short(arena, d->device_name, 40));
}

static void draw_panel(struct plot *plot, const struct plot_input *in, const struct device_panel *p)
{
	struct sketch *s = sketch_new(plot, in->arena, &in->run->timeline, in->scope);
	bool percent = p->whole && p->whole->used.percent && !p->processes;
	bool both = tells_both(p, s->t->points);

	for (size_t i = p->processes; i-- > 0;) {
		if (!p->process[i]->used.percent)
			add_process(s, p, i, both);
	}
	if (p->whole && (percent || !p->whole->used.percent))
		sketch_add_values(s, &p->whole->used, "used on the device", PLOT_LINE, PLOT_BLACK);
	plot->unit = percent ? PLOT_PERCENT : PLOT_BYTES;
	plot->title = panel_title(in->arena, p);
	if (p->whole && !percent)
		sketch_capacity(s, p->whole->total);
	sketch_mark_events(s);
}

static double highest(const struct plot *plot)
{
	double y = 0;

	for (size_t i = 0; i < plot->nseries; i++) {
		for (size_t k = 0; k < plot->series[i].points; k++)
			y = fmax(y, plot->series[i].point[k].y);
	}
	return y;
}

/* What grows, or else where most is used. */
static const char *title(const struct plot_input *in, const struct devices *d)
{
	const struct analysis *a = &in->run->analysis;
	const char *answer = answer_text(in->arena, &in->run->timeline, a, in->scope->units);
	size_t most = 0;
	char size[SIZE_TEXT];

	if (answer_finding(a))
		return answer;
	for (size_t i = 0; i < d->len; i++) {
		if (highest(&d->panel[i]) > highest(&d->panel[most]))
			most = i;
	}
	if (d->panel[most].unit != PLOT_BYTES)
		return answer;
	return arena_printf(in->arena, "Peak %s on %s; %s",
			    size_format(size, (int64_t)highest(&d->panel[most]), in->scope->units),
			    answer_subject(in->arena,
					   &(struct subject){ .device = d->at[most].device->device,
							      .device_name = "one GPU" }),
			    answer);
}

bool plot_devices_suits(const struct plot_input *in)
{
	const struct timeline *t = &in->run->timeline;

	/* A tracker's report has levels of its own; its device's total is one of them. */
	return t->subjects > 0 && !t->level[LEVEL_VISIBLE].value &&
	       !t->level[LEVEL_ALLOCATED].value;
}

/* The range of x that all panels share. */
static void share_x(struct devices *d)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < d->len; i++) {
		for (size_t k = 0; k < d->panel[i].nseries; k++) {
			const struct plot_series *series = &d->panel[i].series[k];

			low = fmin(low, series->point[0].x);
			high = fmax(high, series->point[series->points - 1].x);
		}
	}
	for (size_t i = 0; i < d->len; i++) {
		d->panel[i].x_low = low;
		d->panel[i].x_high = high;
	}
}

int plot_devices(struct plot *plot, const struct plot_input *in)
{
	struct devices *d = arena_alloc(in->arena, sizeof(*d));
	struct sketch *s = sketch_new(plot, in->arena, &in->run->timeline, in->scope);
	size_t filled = 0;

	gather(d, s);
	for (size_t i = 0; i < d->len; i++) {
		draw_panel(&d->panel[filled], in, &d->at[i]);
		d->at[filled] = d->at[i];
		filled += d->panel[filled].nseries > 0;
	}
	d->len = filled;
	if (!filled)
		return error_set("%s has no devices or processes to draw there",
				 in->run->timeline.name);
	share_x(d);
	sketch_set_x(s);
	for (size_t i = 0; i < filled; i++)
		d->panel[i].x_is_time = plot->x_is_time;
	d->panel[filled - 1].x_label = plot->x_label;
	plot->panel = d->panel;
	plot->panels = filled;
	plot->title = title(in, d);
	plot->subtitle = sketch_source(s);
	return 0;
}
