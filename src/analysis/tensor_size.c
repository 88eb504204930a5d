/*
 * One tensor grows: each iteration has a row with one larger dimension in place of the last one,
 * while the number of such tensors stays the same (families.h).
 */
#include "analysis/detector.h"

void tensor_size_detect(struct scene *scene)
{
	for (size_t i = 0; i < scene->rows.len; i++) {
		struct grown *g = &scene->rows.at[i];
		struct finding *f;

		if (g->claimed || g->kind != GROWN_SIZE)
			continue;
		f = scene_report_rows(scene, "tensor-size", ADVICE_SIZE, &g, 1);
		f->handle = g->row;
		f->detail = arena_printf(scene->arena, "dimension * of %s went from %lld to %lld",
					 g->shape, (long long)g->history[0],
					 (long long)g->history[g->iterations - 1]);
	}
}
