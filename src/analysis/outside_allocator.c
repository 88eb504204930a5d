/* The process grows on the device while PyTorch's allocator holds no more than before. */
#include "analysis/detector.h"

void outside_allocator_detect(struct scene *scene)
{
	if (!level_grows(scene, GROWTH_OUTSIDE))
		return;
	scene_report_level(scene, "outside-allocator", ADVICE_OUTSIDE,
			   &scene->level[GROWTH_OUTSIDE].trend,
			   growth_quantity(scene->timeline, GROWTH_OUTSIDE));
	scene->explained[GROWTH_PROCESS] = scene->explained[GROWTH_DEVICE] = true;
}
