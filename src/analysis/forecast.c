#include "analysis/forecast.h"

#include <math.h>

#include "analysis/unfold.h"

/* Used memory as the device sees it first, as the process, as the allocator. */
static const enum growth_level limited[] = { GROWTH_DEVICE, GROWTH_PROCESS, GROWTH_ALLOCATED,
					     GROWTH_VISIBLE };

struct rate {
	double now, estimate, low, high;
};

static int64_t last_of(const struct series *s, size_t points)
{
	for (size_t i = points; i > 0; i--)
		if (quantity_known(s->value[i - 1]))
			return s->value[i - 1];
	return QUANTITY_UNKNOWN;
}

static bool find_rate(struct rate *rate, const struct timeline *timeline,
		      const struct level_growth level[GROWTH_LEVELS], const struct finding *top)
{
	const struct level_growth *l = NULL;
	int64_t now;

	for (size_t i = 0; i < sizeof(limited) / sizeof(limited[0]) && !l; i++)
		if (level[limited[i]].known && quantity_known(level[limited[i]].last))
			l = &level[limited[i]];
	now = l ? l->last : QUANTITY_UNKNOWN;
	if (l)
		*rate = (struct rate){ 0, l->trend.estimate, l->trend.low, l->trend.high };
	/* exact counts show growth that the level's steps hide; a subject has its own figures */
	if (!l || rate->low <= 0 || top->subject)
		*rate = (struct rate){ 0, top->bytes_per_iteration, top->low, top->high };
	if (top->subject && top->subject->used.value)
		now = last_of(&top->subject->used, timeline->points);
	rate->now = (double)now;
	return quantity_known(now);
}

static int64_t whole(double iterations)
{
	if (iterations >= 9e18)
		return INT64_MAX;
	return iterations > 0 ? (int64_t)iterations : 0;
}

static int64_t seconds(const struct timeline *timeline, const struct loop *loop, int64_t left)
{
	int64_t first, last;

	if (!timeline->time || loop->n < 2 || left == INT64_MAX)
		return -1;
	first = timeline->time[loop->head[0]];
	last = timeline->time[loop->head[loop->n - 1]];
	if (first == TIME_UNKNOWN || last == TIME_UNKNOWN || last <= first)
		return -1;
	return (int64_t)((double)(last - first) / (double)(loop->n - 1) * (double)left /
			 (double)unfold_factor(timeline, loop) / (double)SECOND);
}

void forecast_make(struct forecast *out, const struct timeline *timeline,
		   const struct analysis_options *options, const struct loop *loop,
		   const struct level_growth level[GROWTH_LEVELS], const struct finding *top)
{
	double room;
	struct rate rate;

	*out = (struct forecast){ .capacity = options->capacity, .seconds_left = -1 };
	if (!quantity_known(out->capacity))
		out->capacity = timeline->capacity;
	if (!quantity_known(out->capacity) && top && top->subject)
		out->capacity = top->subject->total;
	if (!quantity_known(out->capacity) || out->capacity <= 0 || !top ||
	    top->kind == FINDING_NOTE || !loop || !find_rate(&rate, timeline, level, top))
		return;
	if (rate.estimate <= 0 || rate.low <= 0)
		return;
	room = fmax((double)out->capacity - rate.now, 0);
	out->in_sight = true;
	out->left = whole(floor(room / rate.estimate));
	out->low = whole(floor(room / rate.high) - 1);
	out->high = whole(ceil(room / rate.low));
	out->seconds_left = seconds(timeline, loop, out->left);
}
