/*
 * More tensors of a shape: exact counts, so the evidence is as good as the log.  Rows that grow in
 * step are kept together and are one finding.
 */
#include <stdlib.h>

#include "analysis/detector.h"
#include "base/alloc.h"

static void report_total(struct scene *scene)
{
	const struct level_growth *visible = &scene->level[GROWTH_VISIBLE];

	if (scene->rows_known || !level_grows(scene, GROWTH_VISIBLE))
		return;
	scene_report_level(scene, "tensor-count", ADVICE_VISIBLE_ONLY, &visible->trend,
			   growth_quantity(scene->timeline, GROWTH_VISIBLE));
	scene->explained[GROWTH_VISIBLE] = scene->explained[GROWTH_ALLOCATED] = true;
	scene->explained[GROWTH_PROCESS] = scene->explained[GROWTH_DEVICE] = true;
}

void tensor_count_detect(struct scene *scene)
{
	struct grown **group = xcalloc(scene->rows.len + 1, sizeof(struct grown *));

	for (size_t i = 0; i < scene->rows.len; i++) {
		const struct grown *g = &scene->rows.at[i];
		struct finding *f;
		size_t n;

		if (g->claimed || g->kind != GROWN_COUNT)
			continue;
		n = scene_group(scene, i, group);
		f = scene_report_rows(scene, "tensor-count",
				      g->row->numel == 1 ? ADVICE_SCALAR : ADVICE_COUNT, group, n);
		f->handle = g->row;
		if (g->trend.wait > 1)
			f->detail = arena_printf(scene->arena, "%.3g more every %.0f %ss",
						 g->count_rate * g->trend.wait, g->trend.wait,
						 f->unit);
		else if (g->row->numel * g->row->itemsize < 512)
			f->detail = "each such tensor takes 512 bytes of the allocator, whatever "
				    "its size";
	}
	free(group);
	report_total(scene);
}
