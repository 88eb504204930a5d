/*
 * Whole parameter sets repeat: at least half of the rows that hold parameters grow in step.  With
 * them grow the rows of their gradients and optimizer state, which have the same shapes and so the
 * same joint count, and the buffers.
 */
#include <stdlib.h>

#include "analysis/detector.h"
#include "base/alloc.h"

/* Loading three models in a loop is no leak: a few passes are only suspicious. */
enum { ENOUGH_COPIES = 5 };

static size_t parameter_rows(const struct timeline *timeline)
{
	size_t n = 0;

	for (size_t r = 0; r < timeline->rows; r++)
		n += counts_is_parameter(&timeline->row[r]);
	return n;
}

void model_copies_detect(struct scene *scene)
{
	struct grown **group = xcalloc(scene->rows.len + 1, sizeof(struct grown *));
	size_t all = parameter_rows(scene->timeline);

	for (size_t i = 0; i < scene->rows.len; i++) {
		size_t n, parameters = 0;
		struct finding *f;

		if (scene->rows.at[i].claimed || scene->rows.at[i].kind != GROWN_COUNT ||
		    !counts_is_parameter(scene->rows.at[i].row))
			continue;
		n = scene_group(scene, i, group);
		for (size_t k = 0; k < n; k++)
			parameters += counts_is_parameter(group[k]->row);
		if (2 * parameters < all)
			continue;
		f = scene_report_rows(scene, "model-copies", ADVICE_MODEL, group, n);
		if (scene->loop->n < ENOUGH_COPIES)
			f->kind = FINDING_SUSPECT;
		f->detail = arena_printf(
			scene->arena,
			"%zu of %zu parameter shapes grow, %.3g tensors of the largest "
			"each time (weights, gradients and optimizer state count together)",
			parameters, all, group[0]->count_rate);
	}
	free(group);
}
