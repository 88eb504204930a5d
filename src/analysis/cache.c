/*
 * Memory that the allocator holds and nobody uses.  While the part in use does not grow, more of it
 * is a cache that fills, or, if it never stops, fragmentation.  Without a loop: the log that goes
 * up, stays and falls back to its first value shows the cache being emptied.
 */
#include "analysis/detector.h"

static void report_cached(struct scene *scene)
{
	const struct trend *cached = &scene->level[GROWTH_CACHED].trend;
	struct quantity q = growth_quantity(scene->timeline, GROWTH_CACHED);
	struct finding *f;

	if (level_grows(scene, GROWTH_CACHED) && !level_grows(scene, GROWTH_ALLOCATED))
		f = scene_report_level(scene, "fragmentation", ADVICE_FRAGMENTATION, cached, q);
	else if (cached->shape == TREND_PLATEAU || cached->shape == TREND_STEP)
		f = scene_report_level(scene, "cache", ADVICE_CACHE, cached, q);
	else
		return;
	f->kind = FINDING_NOTE;
}

/* Rises by more than two quanta, then ends where it began. */
static bool falls_back(const struct series *s, size_t points)
{
	int64_t first = QUANTITY_UNKNOWN, last = QUANTITY_UNKNOWN, high = INT64_MIN;
	size_t high_points = 0;

	for (size_t i = 0; i < points; i++) {
		if (!quantity_known(s->value[i]))
			continue;
		first = quantity_known(first) ? first : s->value[i];
		last = s->value[i];
		if (last == high)
			high_points++;
		if (last > high) {
			high = last;
			high_points = 1;
		}
	}
	return quantity_known(first) && high - first > 2 * s->quantum && high_points >= 2 &&
	       last - first <= s->quantum && first - last <= s->quantum;
}

static void report_freed(struct scene *scene)
{
	const struct timeline *timeline = scene->timeline;
	struct quantity q = growth_quantity(timeline, GROWTH_DEVICE);

	if (!q.plus)
		q = growth_quantity(timeline, GROWTH_PROCESS);
	if (q.plus && falls_back(q.plus, timeline->points))
		scene_report(scene, FINDING_NOTE, "cache", ADVICE_CACHE_FREED);
}

void cache_detect(struct scene *scene)
{
	if (!scene->loop)
		report_freed(scene);
	else if (scene->level[GROWTH_CACHED].known)
		report_cached(scene);
}
