/*
 * A process grows by the driver's figures.  Where the log says which process is the run's own, the
 * growth of another one is a note: it is not this run's leak.
 */
#include "analysis/detector.h"
#include "analysis/stats.h"

/* The run's own process shows the same figures as the level. */
static bool is_own(const struct timeline *timeline, const struct subject *subject)
{
	const struct series *own = &timeline->level[LEVEL_PROCESS];

	if (!own->value)
		return false;
	for (size_t i = 0; i < timeline->points; i++)
		if (quantity_known(subject->used.value[i]) && quantity_known(own->value[i]) &&
		    subject->used.value[i] != own->value[i])
			return false;
	return true;
}

/* Its own iterations are not this run's: its steps tell how much each of them adds. */
static const char *describe_other(const struct scene *scene, const struct subject *subject,
				  const struct finding *f)
{
	const struct timeline *t = scene->timeline;
	double *rise = arena_alloc(scene->arena, (t->points + 1) * sizeof(*rise));
	char rate[SIZE_TEXT], step[SIZE_TEXT];
	int64_t last = QUANTITY_UNKNOWN;
	size_t n = 0;

	for (size_t i = 0; i < t->points; i++) {
		int64_t now = subject->used.value[i];

		if (!quantity_known(now))
			continue;
		if (quantity_known(last) && now > last)
			rise[n++] = (double)(now - last);
		last = now;
	}
	size_format(rate, (int64_t)f->bytes_per_iteration, SIZE_IEC);
	if (!n)
		return NULL;
	return arena_printf(scene->arena, "it grows by %s an %s of this run, in steps of about %s",
			    rate, f->unit, size_format(step, (int64_t)stats_median(rise, n), SIZE_IEC));
}

static void report_process(struct scene *scene, const struct subject *subject)
{
	const struct timeline *timeline = scene->timeline;
	/* a tracked run is not the monitor's business: what grows beside it is another process */
	bool tracked =
		timeline->level[LEVEL_PROCESS].value || timeline->level[LEVEL_ALLOCATED].value;
	struct quantity q = { &subject->used, NULL };
	struct trend trend;
	struct finding *f;

	if (is_own(timeline, subject) && scene->explained[GROWTH_PROCESS])
		return;
	series_judge(&trend, scene->timeline, scene->loop, q, scene->base);
	if (!trend_grows(&trend))
		return;
	if (tracked && !is_own(timeline, subject)) {
		f = scene_report_level(scene, "other-process", ADVICE_OTHER_PROCESS, &trend, q);
		f->kind = FINDING_NOTE;
		f->detail = describe_other(scene, subject, f);
	} else {
		f = scene_report_level(scene, "process-growth", ADVICE_PROCESS, &trend, q);
	}
	f->subject = subject;
	scene->explained[GROWTH_DEVICE] = true;
}

void process_growth_detect(struct scene *scene)
{
	const struct timeline *timeline = scene->timeline;
	bool subjects = false;

	for (size_t i = 0; i < timeline->subjects; i++) {
		if (timeline->subject[i].pid < 0 || !timeline->subject[i].used.value)
			continue;
		subjects = true;
		report_process(scene, &timeline->subject[i]);
	}
	if (!subjects && level_grows(scene, GROWTH_PROCESS) && !scene->explained[GROWTH_PROCESS]) {
		scene_report_level(scene, "process-growth", ADVICE_PROCESS,
				   &scene->level[GROWTH_PROCESS].trend,
				   growth_quantity(timeline, GROWTH_PROCESS));
		scene->explained[GROWTH_DEVICE] = true;
	}
}
