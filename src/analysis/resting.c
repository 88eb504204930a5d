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

/* Flat, but with swings that the log shows clearly. */
static bool varies(const struct level_growth *l)
{
	return l->trend.shape == TREND_FLAT && l->trend.noise > 2 * l->quantum &&
	       l->trend.noise > 1;
}

static void report(struct scene *scene, enum growth_level level, const char *cause,
		   enum advice_case which)
{
	struct finding *f = scene_report_level(scene, cause, which, &scene->level[level].trend,
					       growth_quantity(scene->timeline, level));

	f->kind = FINDING_NOTE;
	f->detail = arena_printf(scene->arena, "of %s memory", growth_level_names[level]);
}

void resting_detect(struct scene *scene)
{
	if (scene->explained[GROWTH_DEVICE])
		return;
	for (size_t i = 0; i < sizeof(told_first) / sizeof(told_first[0]); i++) {
		enum growth_level level = told_first[i];
		enum trend_shape shape = scene->level[level].trend.shape;

		if (!scene->level[level].known)
			continue;
		if (notes[shape].cause)
			report(scene, level, notes[shape].cause, notes[shape].which);
		else if (varies(&scene->level[level]))
			report(scene, level, "plateau", ADVICE_VARIES);
		else
			continue;
		return;
	}
}
