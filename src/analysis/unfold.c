#include "analysis/unfold.h"

#include <string.h>

int64_t unfold_factor(const struct timeline *t, const struct loop *loop)
{
	int64_t fold;

	if (!loop)
		return 1;
	fold = loop->position >= 0 ? t->site[loop->position].fold : t->fold;
	return fold > 1 ? fold : 1;
}

void unfold_levels(struct level_growth level[GROWTH_LEVELS], int64_t factor)
{
	for (int i = 0; i < GROWTH_LEVELS; i++) {
		struct trend *trend = &level[i].trend;

		trend->estimate /= (double)factor;
		trend->low /= (double)factor;
		trend->high /= (double)factor;
		trend->n *= (size_t)factor;
	}
}

int64_t unfold_count(const struct timeline *t, const struct loop *loop, int64_t n)
{
	int64_t visits = loop && loop->position >= 0 ? t->site[loop->position].visits : 0;

	n *= unfold_factor(t, loop);
	return visits > 0 && n > visits ? visits : n;
}

void unfold_finding(struct finding *f, struct arena *arena, const struct timeline *timeline,
		    const struct loop *loop)
{
	int64_t factor = unfold_factor(timeline, loop);
	struct finding_row *row;

	if (factor == 1)
		return;
	f->bytes_per_iteration /= (double)factor;
	f->low /= (double)factor;
	f->high /= (double)factor;
	f->count_per_iteration /= (double)factor;
	f->first = f->first > 0 ? (f->first - 1) * factor + 1 : f->first;
	f->last = unfold_count(timeline, loop, f->last);
	f->iterations = unfold_count(timeline, loop, f->iterations);
	row = arena_alloc(arena, f->rows * sizeof(*row));
	if (f->rows)
		memcpy(row, f->row, f->rows * sizeof(*row));
	for (size_t i = 0; i < f->rows; i++) {
		row[i].count_per_iteration /= (double)factor;
		row[i].bytes_per_iteration /= (double)factor;
	}
	f->row = row;
}
