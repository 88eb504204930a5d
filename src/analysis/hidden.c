/*
 * The allocator's live bytes grow and the tensors that Python sees do not explain it.  Without
 * tensor rows and sums there is only the allocated total, which is then judged as such.
 */
#include "analysis/detector.h"

void hidden_detect(struct scene *scene)
{
	enum growth_level level =
		scene->level[GROWTH_HIDDEN].known ? GROWTH_HIDDEN : GROWTH_ALLOCATED;
	const struct trend *trend = &scene->level[level].trend;

	if (!level_grows(scene, level) || scene->explained[level])
		return;
	/* what is left after tensors were found is the allocator's rounding, unless it is more */
	if (trend->estimate <= SCENE_ROUNDING * scene->kept)
		return;
	scene_report_level(scene, "hidden", ADVICE_HIDDEN, trend,
			   growth_quantity(scene->timeline, level));
	scene->explained[GROWTH_HIDDEN] = scene->explained[GROWTH_ALLOCATED] = true;
	scene->explained[GROWTH_PROCESS] = scene->explained[GROWTH_DEVICE] = true;
}
