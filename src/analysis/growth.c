#include "analysis/growth.h"

/* level = plus − minus */
static const struct {
	enum level plus;
	int minus; /* -1: none */
} parts[GROWTH_LEVELS] = {
	[GROWTH_VISIBLE] = { LEVEL_VISIBLE, -1 },
	[GROWTH_HIDDEN] = { LEVEL_ALLOCATED, LEVEL_VISIBLE },
	[GROWTH_ALLOCATED] = { LEVEL_ALLOCATED, -1 },
	[GROWTH_CACHED] = { LEVEL_RESERVED, LEVEL_ALLOCATED },
	[GROWTH_OUTSIDE] = { LEVEL_PROCESS, LEVEL_RESERVED },
	[GROWTH_PROCESS] = { LEVEL_PROCESS, -1 },
	[GROWTH_DEVICE] = { LEVEL_DEVICE, -1 },
};

static int64_t range(const struct series *s, size_t points)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (size_t i = 0; i < points; i++) {
		if (!quantity_known(s->value[i]))
			continue;
		low = s->value[i] < low ? s->value[i] : low;
		high = s->value[i] > high ? s->value[i] : high;
	}
	return high < low ? -1 : high - low;
}

/* Of several devices or processes that may be the run's, the one that moves most. */
static const struct series *busiest(const struct timeline *timeline, bool process)
{
	const struct series *best = NULL;
	int64_t most = -1;

	for (size_t i = 0; i < timeline->subjects; i++) {
		const struct subject *s = &timeline->subject[i];

		if ((s->pid >= 0) != process || !s->used.value)
			continue;
		if (range(&s->used, timeline->points) > most) {
			most = range(&s->used, timeline->points);
			best = &s->used;
		}
	}
	return best;
}

struct quantity growth_quantity(const struct timeline *timeline, enum growth_level level)
{
	const struct series *plus = &timeline->level[parts[level].plus];
	struct quantity none = { NULL, NULL }, q = { plus, NULL };

	if (!plus->value && (level == GROWTH_PROCESS || level == GROWTH_DEVICE))
		q.plus = plus = busiest(timeline, level == GROWTH_PROCESS);
	if (!plus || !plus->value)
		return none;
	if (parts[level].minus < 0)
		return q;
	q.minus = &timeline->level[parts[level].minus];
	return q.minus->value ? q : none;
}

static int64_t last_value(struct quantity q, size_t points)
{
	for (size_t i = points; i > 0; i--)
		if (quantity_known(quantity_at(q, i - 1)))
			return quantity_at(q, i - 1);
	return QUANTITY_UNKNOWN;
}

void growth_measure(struct level_growth out[GROWTH_LEVELS], const struct timeline *timeline,
		    const struct loop *loop, size_t first)
{
	for (int level = 0; level < GROWTH_LEVELS; level++) {
		struct quantity q = growth_quantity(timeline, (enum growth_level)level);

		out[level] = (struct level_growth){ .last = QUANTITY_UNKNOWN };
		if (!q.plus)
			continue;
		series_judge(&out[level].trend, timeline, loop, q, first);
		out[level].known = out[level].trend.n > 0;
		out[level].quantum = quantity_quantum(q);
		out[level].percent = q.plus->percent;
		out[level].coarse = quantity_coarse(timeline, q);
		out[level].last = last_value(q, timeline->points);
	}
}

struct growth growth_of(const struct level_growth *level)
{
	struct growth out = { .known = level->known && level->trend.n > 1,
			      .percent = level->percent };

	if (out.known) {
		out.estimate = level->trend.estimate;
		out.low = level->trend.low;
		out.high = level->trend.high;
	}
	return out;
}
