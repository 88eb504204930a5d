#include "analysis/warmup.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "base/shape.h"
#include "base/strbuf.h"

/* The iteration (from 1) in which a point lies; 0: before the loop, n + 1: after it. */
static size_t iteration_of(const struct loop *loop, size_t point)
{
	size_t low = 0, high = loop->n;

	if (point < loop->from)
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (loop->head[middle] < point)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1;
}

static size_t born(const struct tensor_row *row, const struct loop *loop)
{
	for (size_t c = 0; c < row->nchanges; c++)
		if (row->change[c].count > 0)
			return iteration_of(loop, row->change[c].point);
	return 0;
}

static size_t kind_of(struct intern *kinds, const struct tensor_row *row)
{
	struct strbuf key = STRBUF_INIT;
	struct shape shape = { .rank = -1 };
	size_t number;

	shape_parse(span_of(row->shape), &shape);
	strbuf_addf(&key, "%d %s", shape.rank, row->dtype ? row->dtype : "");
	number = intern(kinds, strbuf_span(&key), NULL);
	strbuf_release(&key);
	return number;
}

/* The latest iteration, up to the limit, in which something new appears; 0 if it goes on beyond. */
static size_t last_new_kind(const struct timeline *timeline, const struct loop *loop, size_t limit)
{
	size_t *first = xmalloc((timeline->rows + 1) * sizeof(*first)), last = 0;
	struct intern kinds = INTERN_INIT;

	for (size_t r = 0; r < timeline->rows; r++) {
		size_t known = kinds.len, kind = kind_of(&kinds, &timeline->row[r]);
		size_t when = born(&timeline->row[r], loop);

		if (kind == known || when < first[kind])
			first[kind] = when;
	}
	for (size_t k = 0; k < kinds.len; k++)
		if (first[k] <= limit && first[k] > last)
			last = first[k];
	intern_release(&kinds);
	free(first);
	return last;
}

size_t warmup_find(const struct timeline *timeline, const struct loop *loop)
{
	size_t limit = loop->n / 3, last = 0;

	if (limit < 2)
		return 1;
	for (size_t r = 0; r < timeline->rows; r++) {
		size_t when = born(&timeline->row[r], loop);

		if (when <= loop->n && when > last)
			last = when;
	}
	if (last > limit)
		last = last_new_kind(timeline, loop, limit);
	return last > 1 ? last : 1;
}
