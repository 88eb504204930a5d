#include "render/axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/timestamp.h"
#include "base/units.h"

/* A level this many times higher than the data is left out of the range. */
#define FAR_LEVEL 2.5
/* Lines whose lowest point is above this share of the highest are not drawn from 0. */
#define HIGH_LINES 0.75
/* No range is closer than this share of the highest point: jitter of a flat line is not growth. */
#define CLOSEST 1e-4

struct range {
	double low, high;
};

static void include(struct range *range, double value)
{
	if (!isfinite(value))
		return;
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

/* A range that has an extent, whatever came. */
static struct range settled(struct range range)
{
	if (range.low > range.high)
		return (struct range){ 0, 1 };
	if (range.low == 0 && range.high == 0)
		return (struct range){ 0, 1 };
	if (range.low == range.high) {
		double margin = fabs(range.low) * 0.05;

		range.low -= margin;
		range.high += margin;
	}
	return range;
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double extent, int steps)
{
	double raw = extent / (steps > 1 ? steps : 1), power = pow(10, floor(log10(raw)));
	double ratio = raw / power;

	return power * (ratio <= 1.001 ? 1 : ratio <= 2.001 ? 2 : ratio <= 5.001 ? 5 : 10);
}

static void choose_time_step(struct axes *axes, int steps)
{
	/* Of "2026-11-29T16:22:56Z". */
	enum { DAY = 86400 };
	static const struct axes_slice clock = { 11, 8 }, minute = { 11, 5 }, day_hour = { 5, 11 },
				       day = { 5, 5 }, date = { 0, 10 }, year = { 0, 4 },
				       nothing = { 0, 0 };
	const struct {
		double step;
		struct axes_slice step_part, axis_part;
	} rows[] = {
		{ 1, clock, date },
		{ 2, clock, date },
		{ 5, clock, date },
		{ 10, clock, date },
		{ 15, clock, date },
		{ 30, clock, date },
		{ 60, minute, date },
		{ 120, minute, date },
		{ 300, minute, date },
		{ 600, minute, date },
		{ 900, minute, date },
		{ 1800, minute, date },
		{ 3600, minute, date },
		{ 7200, minute, date },
		{ 10800, day_hour, year },
		{ 21600, day_hour, year },
		{ 43200, day_hour, year },
		{ DAY, day, year },
		{ 2.0 * DAY, day, year },
		{ 7.0 * DAY, day, year },
		{ 30.0 * DAY, date, nothing },
		{ 365.0 * DAY, date, nothing },
		{ 3650.0 * DAY, date, nothing },
	};
	size_t i = 0, last = sizeof(rows) / sizeof(*rows) - 1;

	while (i < last && (axes->x_high - axes->x_low) / rows[i].step > steps)
		i++;
	axes->x_step = fmax(rows[i].step, (axes->x_high - axes->x_low) / (2 * steps + 2));
	axes->is_time = true;
	axes->step_part = rows[i].step_part;
	axes->axis_part = rows[i].axis_part;
}

/* The largest unit that is not above the highest point; the last row of each fits always. */
static void choose_unit(struct axes *axes, enum plot_unit what, double highest)
{
	static const struct unit {
		double size;
		const char *name;
	} bytes[] = { { 1099511627776.0, " TiB" },
		      { (double)GIB, " GiB" },
		      { (double)MIB, " MiB" },
		      { (double)KIB, " KiB" },
		      { 0, NULL } },
	  counts[] = { { 0, NULL } }, percents[] = { { 0, NULL } };
	static const struct {
		const struct unit *larger;
		const char *name;
	} units[] = { [PLOT_BYTES] = { bytes, " B" },
		      [PLOT_COUNT] = { counts, "" },
		      [PLOT_PERCENT] = { percents, " %" } };
	const struct unit *unit = units[what].larger;

	while (unit->name && highest < unit->size)
		unit++;
	axes->unit = unit->name ? unit->size : 1;
	axes->unit_name = unit->name ? unit->name : units[what].name;
}

static void init_x(struct axes *axes, const struct plot *plot, int steps)
{
	struct range x = { INFINITY, -INFINITY };

	for (size_t s = 0; s < plot->nseries; s++) {
		for (size_t i = 0; i < plot->series[s].points; i++)
			include(&x, plot->series[s].point[i].x);
	}
	for (size_t i = 0; i < plot->marks; i++)
		include(&x, plot->mark[i].x);
	if (plot->x_low < plot->x_high)
		x = (struct range){ plot->x_low, plot->x_high };
	x = settled(x);
	axes->x_low = x.low;
	axes->x_high = x.high;
	if (plot->x_is_time) {
		choose_time_step(axes, steps);
		return;
	}
	/* Iterations and points are whole numbers. */
	axes->x_step = fmax(1, round_step(x.high - x.low, steps));
}

static void init_y(struct axes *axes, const struct plot *plot, int steps)
{
	struct range y = { INFINITY, -INFINITY };
	bool area = false;
	double data;

	for (size_t s = 0; s < plot->nseries; s++) {
		const struct plot_series *series = &plot->series[s];

		area |= series->style == PLOT_AREA;
		for (size_t i = 0; i < series->points; i++) {
			include(&y, series->point[i].y);
			if (series->style == PLOT_BAND)
				include(&y, series->point[i].low);
		}
	}
	data = y.high;
	for (size_t i = 0; i < plot->levels; i++) {
		if (!(data > 0) || plot->level[i].y <= FAR_LEVEL * data)
			include(&y, plot->level[i].y);
	}
	/* How little a flat line is shows from 0 only. */
	if (y.low == y.high)
		y.low = fmin(y.low, 0);
	y = settled(y);
	if (area || y.low < HIGH_LINES * y.high)
		y.low = fmin(y.low, 0);
	y.low = fmin(y.low, y.high - CLOSEST * fabs(y.high));
	choose_unit(axes, plot->unit, fmax(fabs(y.low), fabs(y.high)));
	y.low /= axes->unit;
	y.high /= axes->unit;
	axes->y_step = round_step(y.high - y.low, steps);
	if (plot->unit == PLOT_COUNT || axes->unit == 1)
		axes->y_step = fmax(axes->y_step, 1);
	axes->y_low = floor(y.low / axes->y_step + 1e-9) * axes->y_step;
	/* Air above the highest point. */
	axes->y_high = y.high + (y.high - axes->y_low) * 0.06;
}

void axes_init(struct axes *axes, const struct plot *plot, int x_steps, int y_steps)
{
	*axes = (struct axes){ 0 };
	init_x(axes, plot, x_steps);
	init_y(axes, plot, y_steps);
}

/* Counted, not added up: the error of a sum grows with the steps. */
bool axes_y_at(const struct axes *axes, int i, double *y)
{
	*y = axes->y_low + i * axes->y_step;
	return *y <= axes->y_high;
}

bool axes_x_at(const struct axes *axes, int i, double *x)
{
	/* The first is the first multiple of a step that is not below the range. */
	*x = (ceil(axes->x_low / axes->x_step - 1e-9) + i) * axes->x_step;
	return *x <= axes->x_high;
}

bool axes_shows(const struct axes *axes, double bytes)
{
	double y = bytes / axes->unit;

	return y >= axes->y_low && y <= axes->y_high;
}

const char *axes_y_label(char out[AXIS_TEXT], const struct axes *axes, double y)
{
	/* 0 comes out of the steps as a tiny number, perhaps negative. */
	if (fabs(y) < axes->y_step * 1e-6)
		y = 0;
	snprintf(out, AXIS_TEXT, "%.10g%s", y, axes->unit_name);
	return out;
}

static void time_part(char out[AXIS_TEXT], struct axes_slice part, double seconds)
{
	char iso[TIME_TEXT];
	double limit = (double)(INT64_MAX / SECOND);

	seconds = fmin(fmax(seconds, -limit), limit);
	time_format(iso, (int64_t)llround(seconds) * SECOND, SECOND);
	snprintf(out, AXIS_TEXT, "%.*s", part.len, iso + part.from);
	for (char *c = out; *c; c++)
		*c = *c == 'T' ? ' ' : *c;
}

const char *axes_x_label(char out[AXIS_TEXT], const struct axes *axes, double x)
{
	if (axes->is_time)
		time_part(out, axes->step_part, x);
	else if (fabs(x) < 1e15)
		count_format(out, (int64_t)llround(x));
	else
		snprintf(out, AXIS_TEXT, "%.6g", x);
	return out;
}

char *axes_x_title(const struct axes *axes, const struct plot *plot)
{
	char from[AXIS_TEXT], to[AXIS_TEXT];
	const char *label = plot->x_label ? plot->x_label : "";

	if (!axes->axis_part.len || !plot->x_label)
		return xstrdup(label);
	time_part(from, axes->axis_part, axes->x_low);
	time_part(to, axes->axis_part, axes->x_high);
	if (!strcmp(from, to))
		return xasprintf("%s%s%s", label, *label ? ", " : "", from);
	return xasprintf("%s%s%s to %s", label, *label ? ", " : "", from, to);
}
