/*
 * A device's used memory grows and nothing closer to the program explains it.  Where the log lists
 * the run's tensors and they do not grow, the device's total alone cannot say whose memory it is.
 */
#include "analysis/detector.h"

static void report_device(struct scene *scene, const struct subject *subject, struct quantity q)
{
	bool inside = scene->level[GROWTH_VISIBLE].known || scene->level[GROWTH_ALLOCATED].known;
	struct trend trend;
	struct finding *f;

	series_judge(&trend, scene->timeline, scene->loop, q, scene->base);
	if (!trend_grows(&trend))
		return;
	f = scene_report_level(scene, "device-growth", inside ? ADVICE_DEVICE_MIXED : ADVICE_DEVICE,
			       &trend, q);
	f->subject = subject;
	if (inside)
		f->kind = FINDING_SUSPECT;
}

void device_growth_detect(struct scene *scene)
{
	const struct timeline *timeline = scene->timeline;
	bool subjects = false;

	if (scene->explained[GROWTH_DEVICE])
		return;
	for (size_t i = 0; i < timeline->subjects; i++) {
		const struct subject *s = &timeline->subject[i];

		if (s->pid >= 0 || !s->used.value)
			continue;
		subjects = true;
		report_device(scene, s, (struct quantity){ &s->used, NULL });
	}
	if (!subjects && scene->level[GROWTH_DEVICE].known)
		report_device(scene, NULL, growth_quantity(timeline, GROWTH_DEVICE));
}
