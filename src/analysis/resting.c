/*
 * Notes on growth that has stopped, which explain why a curve that went up is no leak: warm-up,
 * step, plateau, sawtooth.  One level is told, the one closest to the program.
 */
#include "analysis/detector.h"

static const enum growth_level told_first[] = { GROWTH_VISIBLE, GROWTH_ALLOCATED, GROWTH_PROCESS,
						GROWTH_DEVICE };

static const struct {
	const char *cause;
	enum advice_case which;
} notes[TREND_SHAPES] = {
	[TREND_WARM_UP] = { "warm-up", ADVICE_WARM_UP },
	[TREND_STEP] = { "step", ADVICE_STEP },
	[TREND_PLATEAU] = { "plateau", ADVICE_PLATEAU },
	[TREND_SAWTOOTH] = { "sawtooth", ADVICE_SAWTOOTH },
};

void resting_detect(struct scene *scene)
{
	if (scene->explained[GROWTH_DEVICE])
		return;
	for (size_t i = 0; i < sizeof(told_first) / sizeof(told_first[0]); i++) {
		enum growth_level level = told_first[i];
		const struct trend *trend = &scene->level[level].trend;
		struct finding *f;

		if (!scene->level[level].known || !notes[trend->shape].cause)
			continue;
		f = scene_report_level(scene, notes[trend->shape].cause, notes[trend->shape].which,
				       trend, growth_quantity(scene->timeline, level));
		f->kind = FINDING_NOTE;
		f->detail = arena_printf(scene->arena, "of %s memory", growth_level_names[level]);
		return;
	}
}
