/*
 * Tensors that grow in number while a loop runs and are all gone afterwards: a list that lives as
 * long as its loop.  Where the run goes on without them for as long as it grew, they are no leak;
 * where it ends there, the log does not settle it.
 */
#include "analysis/detector.h"

/* At most this share of the growth may stay. */
static const double left_behind = 0.1;

/* The first point after the loop at which the row is back where its growth began; or SIZE_MAX. */
static size_t freed_at(const struct scene *scene, const struct finding_row *row)
{
	const struct loop *loop = scene->loop;
	int64_t base = row->history[0], grown = row->history[row->iterations - 1] - base;
	size_t end = loop->head[loop->n - 1];

	if ((double)(series_count_at(row->row, scene->timeline->points - 1) - base) >
	    left_behind * (double)grown)
		return SIZE_MAX;
	for (size_t c = 0; c < row->row->nchanges; c++) {
		const struct tensor_change *change = &row->row->change[c];

		if (change->point > end &&
		    (double)(change->count - base) <= left_behind * (double)grown)
			return change->point;
	}
	return SIZE_MAX;
}

/* When the last of the finding's rows went; SIZE_MAX: some stay. */
static size_t all_freed_at(const struct scene *scene, const struct finding *f)
{
	size_t last = 0;

	for (size_t i = 0; i < f->rows; i++) {
		size_t at = freed_at(scene, &f->row[i]);

		last = at > last ? at : last;
	}
	return last;
}

static void judge_release(struct scene *scene, struct candidate *c, size_t at)
{
	const struct loop *loop = scene->loop;
	const struct timeline *t = scene->timeline;
	struct finding *f = &c->finding;

	if (t->points - at >= loop->head[loop->n - 1] - loop->from) {
		f->kind = FINDING_NOTE;
		f->cause = "sawtooth";
		c->which = ADVICE_RELEASED;
		f->rows = 0;
		f->handle = NULL;
		f->detail = NULL;
		return;
	}
	f->kind = FINDING_SUSPECT;
	f->detail = arena_printf(scene->arena,
				 "all of it is freed after the loop, at log line %lld: it grows as "
				 "long as the loop runs",
				 (long long)t->line[at]);
}

void released_detect(struct scene *scene)
{
	for (size_t i = 0; i < scene->out->len; i++) {
		struct candidate *c = &scene->out->at[i];
		size_t at;

		if (c->loop != scene->loop_index || c->finding.kind == FINDING_NOTE ||
		    !c->finding.rows || !c->row || c->row->family ||
		    c->row->kind != GROWN_COUNT)
			continue;
		at = all_freed_at(scene, &c->finding);
		if (at != SIZE_MAX)
			judge_release(scene, c, at);
	}
}
