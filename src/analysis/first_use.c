#include "analysis/first_use.h"

bool first_tensors_find(struct first_tensors *out, const struct timeline *t)
{
	const struct series *total = overhead_total(t);
	size_t point;

	if (!overhead_is_device(t) || !overhead_first(t, &point))
		return false;
	if (overhead_visible(t, point) != 0)
		return false;
	while (overhead_next(t, point, &out->in)) {
		if (out->in.visible_change > 0) {
			out->before = total->value[out->in.from];
			out->after = total->value[out->in.to];
			return true;
		}
		point = out->in.to;
	}
	return false;
}

static bool is_jump(const struct first_tensors *f)
{
	return f->in.kind == OVERHEAD_FIRST_USE;
}

/* Where one total ends the other begins, as far as both are printed. */
static bool goes_on(const struct first_tensors *later, const struct first_tensors *first)
{
	int64_t gap = later->before - first->after;

	return gap <= first->in.tolerance && gap >= -first->in.tolerance;
}

static bool same_tensors(const struct first_tensors *a, const struct first_tensors *b)
{
	return a->in.visible_change == b->in.visible_change;
}

static void find_alone(struct first_use *out, const struct first_tensors *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_jump(&runs[i]) && same_tensors(&runs[i], out->later) && !out->alone)
			out->alone = &runs[i];
}

bool first_use_argue(struct first_use *out, const struct first_tensors *runs, size_t n)
{
	*out = (struct first_use){ .low = INT64_MAX, .high = INT64_MIN };
	for (size_t i = 0; i < n; i++) {
		int64_t jump = runs[i].in.unexplained_change;

		if (!is_jump(&runs[i]))
			continue;
		out->jumps++;
		out->low = jump < out->low ? jump : out->low;
		out->high = jump > out->high ? jump : out->high;
	}
	for (size_t i = 0; i < n && !out->alone; i++) {
		if (is_jump(&runs[i]))
			continue;
		out->later = &runs[i];
		out->jump = NULL;
		for (size_t k = 0; k < n; k++)
			if (is_jump(&runs[k]) && goes_on(&runs[i], &runs[k]))
				out->jump = &runs[k];
		find_alone(out, runs, n);
	}
	return out->later && out->alone;
}
