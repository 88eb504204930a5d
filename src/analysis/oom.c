/*
 * Events and counters that are no growth of their own: out-of-memory errors, the fragmentation that
 * such an error may show, and peak counters.
 */
#include <string.h>

#include "analysis/detector.h"

/* Free memory inside the allocator that makes an error one of fragmentation: share of its limit. */
static const double fragmented_share = 0.1;

static bool is_fragmented(const struct timeline_event *e)
{
	int64_t held = quantity_sub(e->reserved, e->allocated);
	int64_t limit = quantity_known(e->limit) ? e->limit : e->capacity;

	return quantity_known(held) && quantity_known(limit) && quantity_known(e->requested) &&
	       held >= e->requested && (double)held >= fragmented_share * (double)limit;
}

static const char *detail_of(struct scene *scene, const struct timeline_event *e)
{
	char size[SIZE_TEXT];

	if (e->text || !quantity_known(e->requested))
		return e->text;
	return arena_printf(scene->arena, "an allocation of %s failed",
			    size_format(size, e->requested, SIZE_IEC));
}

void oom_detect(struct scene *scene)
{
	for (size_t i = 0; i < scene->timeline->events; i++) {
		const struct timeline_event *e = &scene->timeline->event[i];
		struct finding *f;

		if (strcmp(e->code, "out-of-memory") != 0)
			continue;
		f = scene_report(scene, FINDING_NOTE, "oom", ADVICE_OOM);
		f->first_line = f->last_line = e->line;
		f->detail = detail_of(scene, e);
		if (is_fragmented(e)) {
			f = scene_report(scene, FINDING_NOTE, "fragmentation",
					 ADVICE_FRAGMENTATION);
			f->first_line = f->last_line = e->line;
			f->detail = "when it failed, the allocator held more free memory than was "
				    "asked for";
		}
		return; /* further errors of the run say the same */
	}
}

void peak_counter_detect(struct scene *scene)
{
	struct quantity q = { &scene->timeline->peak, NULL };
	struct trend trend;
	struct finding *f;

	if (!q.plus->value || level_grows(scene, GROWTH_ALLOCATED))
		return;
	series_judge(&trend, scene->timeline, scene->loop, q, scene->base);
	if (trend.total <= 0 && !trend_grows(&trend))
		return;
	f = scene_report_level(scene, "peak-counter", ADVICE_PEAK, &trend, q);
	f->kind = FINDING_NOTE;
}
