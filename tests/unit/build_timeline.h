#ifndef TESTS_BUILD_TIMELINE_H
#define TESTS_BUILD_TIMELINE_H

#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/vec.h"
#include "model/timeline.h"

/*
 * A timeline made by hand, for tests:
 *
 *	struct build b = { .quantum = 1 };
 *	int site = build_site(&b, "train.py", 10);
 *	int row = build_row(&b, "(64, 10)", "torch.Tensor");
 *
 *	for (int i = 1; i <= 8; i++) {
 *		build_point(&b, site);
 *		build_count(&b, row, i);
 *	}
 *	analyse(&analysis, build_done(&b), &options);
 *	build_release(&b);
 *
 * Rows are float32 (int64 by build_row_of).  Visible bytes follow from the rows; build_level() sets
 * another level at the latest point.
 */
enum { BUILD_SUBJECTS = 4 };

struct build {
	struct timeline t;
	int64_t quantum; /* of the levels but visible */
	VEC(struct site) site;
	VEC(struct tensor_row) row;
	VEC(int32_t) position;
	VEC(int64_t) line;
	VEC(int64_t) level[LEVELS];
	VEC(int64_t) used[BUILD_SUBJECTS];
	struct subject subject[BUILD_SUBJECTS];
	VEC(struct timeline_event) event;
};

static inline int build_site_of(struct build *b, struct site site)
{
	*vec_push(&b->site) = site;
	return (int)b->site.len - 1;
}

static inline int build_site(struct build *b, const char *file, int64_t line)
{
	return build_site_of(b, (struct site){ file, line, "train", NULL, NULL });
}

static inline int build_label(struct build *b, const char *label)
{
	return build_site_of(b, (struct site){ NULL, 0, NULL, NULL, label });
}

static inline int build_row_of(struct build *b, const char *shape, const char *class_name,
			       const char *dtype)
{
	struct shape parsed;
	struct tensor_row *row = vec_push(&b->row);

	shape_parse(span_of(shape), &parsed);
	*row = (struct tensor_row){ .shape = shape, .dtype = dtype, .class_name = class_name };
	row->numel = parsed.numel;
	row->itemsize = dtype_size(span_of(dtype));
	return (int)b->row.len - 1;
}

static inline int build_row(struct build *b, const char *shape, const char *class_name)
{
	return build_row_of(b, shape, class_name, "torch.float32");
}

static inline void build_point(struct build *b, int site)
{
	int64_t line = (int64_t)b->line.len + 1;

	*vec_push(&b->position) = site;
	*vec_push(&b->line) = line;
	for (int l = 0; l < LEVELS; l++)
		*vec_push(&b->level[l]) = QUANTITY_UNKNOWN;
	for (int s = 0; s < BUILD_SUBJECTS; s++)
		*vec_push(&b->used[s]) = QUANTITY_UNKNOWN;
}

static inline int64_t build_count_now(const struct build *b, int row)
{
	const struct tensor_row *r = &b->row.at[row];

	return r->nchanges ? r->change[r->nchanges - 1].count : 0;
}

static inline void build_count(struct build *b, int row, int64_t count)
{
	struct tensor_row *r = &b->row.at[row];
	struct tensor_change *change;

	if (build_count_now(b, row) == count)
		return;
	change = xrealloc((void *)r->change, r->nchanges + 1, sizeof(*change));
	change[r->nchanges++] = (struct tensor_change){ (uint32_t)b->position.len - 1, count,
							(int64_t)b->position.len };
	r->change = change;
}

static inline void build_level(struct build *b, enum level level, int64_t bytes)
{
	b->level[level].at[b->level[level].len - 1] = bytes;
	b->t.level[level].quantum = b->quantum;
}

/* A device (pid -1) or process; sampled by build_used(). */
static inline void build_subject(struct build *b, int number, int64_t device, int64_t pid)
{
	b->subject[number] =
		(struct subject){ .device = device, .pid = pid, .total = QUANTITY_UNKNOWN };
	b->subject[number].used.quantum = b->quantum;
	if (b->t.subjects < (size_t)number + 1)
		b->t.subjects = (size_t)number + 1;
}

static inline void build_used(struct build *b, int number, int64_t bytes)
{
	b->used[number].at[b->used[number].len - 1] = bytes;
}

static inline void build_visible(struct build *b)
{
	for (size_t i = 0; i < b->position.len; i++)
		b->level[LEVEL_VISIBLE].at[i] = 0;
	for (size_t r = 0; r < b->row.len; r++) {
		const struct tensor_row *row = &b->row.at[r];

		for (size_t c = 0; c < row->nchanges; c++) {
			size_t end =
				c + 1 < row->nchanges ? row->change[c + 1].point : b->position.len;

			for (size_t i = row->change[c].point; i < end; i++)
				b->level[LEVEL_VISIBLE].at[i] +=
					row->change[c].count * row->numel * row->itemsize;
		}
	}
	b->t.level[LEVEL_VISIBLE].quantum = 1;
}

static inline const struct timeline *build_done(struct build *b)
{
	if (b->row.len)
		build_visible(b);
	b->t.points = b->position.len;
	b->t.position = b->position.at;
	b->t.line = b->line.at;
	b->t.site = b->site.at;
	b->t.sites = b->site.len;
	b->t.row = b->row.at;
	b->t.rows = b->row.len;
	b->t.event = b->event.at;
	b->t.events = b->event.len;
	b->t.subject = b->subject;
	if (!b->t.capacity)
		b->t.capacity = QUANTITY_UNKNOWN;
	for (int l = 0; l < LEVELS; l++)
		for (size_t i = 0; i < b->t.points; i++)
			if (quantity_known(b->level[l].at[i]))
				b->t.level[l].value = b->level[l].at;
	for (int s = 0; s < BUILD_SUBJECTS; s++)
		b->subject[s].used.value = b->used[s].at;
	return &b->t;
}

static inline void build_release(struct build *b)
{
	for (size_t r = 0; r < b->row.len; r++)
		free((void *)b->row.at[r].change);
	for (int l = 0; l < LEVELS; l++)
		vec_release(&b->level[l]);
	for (int s = 0; s < BUILD_SUBJECTS; s++)
		vec_release(&b->used[s]);
	vec_release(&b->site);
	vec_release(&b->row);
	vec_release(&b->position);
	vec_release(&b->line);
	vec_release(&b->event);
}

#endif
