#include "feed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "grammar/grammar.h"
#include "grammar/match.h"
#include "ingest/lines.h"
#include "ingest/source.h"
#include "replay/replay.h"

/* Lines looked at before the first is matched, as import has it. */
enum { DETECT_LINES = 400 };

static char *keep(struct feed *f, const char *text)
{
	return arena_text(&f->arena, span_of(text));
}

static int on_run_begin(void *context, int64_t line)
{
	struct feed *f = context;

	if (f->runs.len)
		cr_assert(f->runs.at[f->runs.len - 1].ended, "a run begins inside another");
	*vec_push(&f->runs) = (struct feed_run){ .line = line };
	return 0;
}

static const struct feed_row *keep_rows(struct feed *f, const struct point *p)
{
	struct feed_row *row = arena_alloc(&f->arena, p->nchanges * sizeof(*row));

	for (size_t i = 0; i < p->nchanges; i++) {
		const struct change *c = &p->changes[i];

		row[i] = (struct feed_row){ keep(f, c->tensor->class_name),
					    keep(f, c->tensor->shape), keep(f, c->tensor->dtype),
					    c->count, c->line };
	}
	return row;
}

static int on_point(void *context, const struct point *p)
{
	struct feed *f = context;
	struct feed_point *out = vec_push(&f->points);

	cr_assert(f->runs.len && !f->runs.at[f->runs.len - 1].ended, "a point outside a run");
	*out = (struct feed_point){
		.run = f->runs.len - 1,
		.line = p->line,
		.time = p->time,
		.step = p->step,
		.visible = p->visible,
		.allocated = p->allocated,
		.reserved = p->reserved,
		.used = QUANTITY_UNKNOWN,
		.row = keep_rows(f, p),
		.rows = p->nchanges,
	};
	if (p->position) {
		out->file = keep(f, p->position->file);
		out->function = keep(f, p->position->function);
		out->module = keep(f, p->position->module);
		out->label = keep(f, p->position->label);
		out->code_line = p->position->code_line;
	}
	for (size_t i = 0; i < p->nsamples && out->used == QUANTITY_UNKNOWN; i++)
		if (!p->samples[i].process)
			out->used = p->samples[i].used;
	return 0;
}

static int on_note(void *context, const struct note *note)
{
	struct feed *f = context;

	*vec_push(&f->notes) = (struct feed_note){ f->runs.len ? f->runs.len - 1 : 0, note->line,
						   keep(f, note->code), keep(f, note->text) };
	return 0;
}

static int on_event(void *context, const struct event *event)
{
	struct feed *f = context;

	*vec_push(&f->events) = (struct feed_event){ event->line, event->requested,
						     keep(f, event->code), keep(f, event->text) };
	return 0;
}

static int on_run_end(void *context, const struct run_end *end)
{
	struct feed *f = context;
	struct feed_run *run = &f->runs.at[f->runs.len - 1];

	run->ended = true;
	run->started = end->started;
	run->printed_unit = end->printed_unit;
	run->dialect = keep(f, end->dialect);
	run->damage = keep(f, end->damage);
	run->truncated = keep(f, end->truncated);
	run->rows = end->rows;
	return 0;
}

static void pass(struct feed *f, struct matcher *m, struct replay *r, const struct line *line,
		 struct record *record)
{
	int rc;

	if (!span_trim(line->text).len) {
		f->blank++;
		replay_blank(r);
		return;
	}
	rc = matcher_line(m, line, record, NULL);
	cr_assert_geq(rc, 0, "%s", error_text());
	if (rc) {
		f->matched++;
		cr_assert_eq(replay_record(r, record), 0);
	} else {
		if (!f->unmatched++)
			f->first_unmatched = arena_text(&f->arena, line->text);
	}
}

static void pass_all(struct feed *f, struct lines *lines, struct matcher *m, struct replay *r)
{
	struct record *record = calloc(1, sizeof(*record));
	VEC(struct line) all = VEC_INIT;
	struct span first[DETECT_LINES];
	struct line line;
	size_t n = 0;

	while (lines_next(lines, &line) > 0) {
		line.text.ptr = arena_text(&f->arena, line.text);
		*vec_push(&all) = line;
	}
	for (; n < all.len && n < DETECT_LINES; n++)
		first[n] = all.at[n].text;
	cr_assert_eq(matcher_detect(m, first, n), 0, "%s", error_text());
	for (size_t i = 0; i < all.len; i++)
		pass(f, m, r, &all.at[i], record);
	vec_release(&all);
	free(record);
}

static void feed_source(struct feed *f, struct source *source, const char *encoding)
{
	struct lines_options line_options = { encoding, 0 };
	struct match_options options = { .zone = ZONE_UTC };
	struct point_sink sink = { f, on_run_begin, on_point, on_note, on_event, on_run_end };
	struct grammars *grammars = feed_grammars();
	struct matcher *matcher;
	struct replay *replay;
	struct lines *lines;

	*f = (struct feed){ .arena = ARENA_INIT };
	cr_assert_eq(lines_open(&lines, source, &line_options), 0, "%s", error_text());
	cr_assert_eq(matcher_open(&matcher, grammars, &options), 0, "%s", error_text());
	replay_open(&replay, &sink);
	pass_all(f, lines, matcher, replay);
	cr_assert_eq(replay_finish(replay), 0);
	cr_assert_eq(replay_points(replay), (int64_t)f->points.len);
	replay_close(replay);
	matcher_close(matcher);
	lines_close(lines);
	grammars_free(grammars);
}

struct grammars *feed_grammars(void)
{
	struct grammars *grammars;

	cr_assert_eq(grammars_load(&grammars, NULL), 0, "%s", error_text());
	return grammars;
}

void feed_bytes(struct feed *f, const void *data, size_t len)
{
	struct source *source;

	cr_assert_eq(source_open_memory(&source, data, len), 0);
	feed_source(f, source, NULL);
	source_close(source);
}

void feed_text(struct feed *f, const char *text)
{
	feed_bytes(f, text, strlen(text));
}

void feed_file(struct feed *f, const char *path, const char *encoding)
{
	struct source *source;

	cr_assert_eq(source_open(&source, path, NULL), 0, "%s", error_text());
	feed_source(f, source, encoding);
	source_close(source);
}

void feed_release(struct feed *f)
{
	vec_release(&f->runs);
	vec_release(&f->points);
	vec_release(&f->notes);
	vec_release(&f->events);
	arena_release(&f->arena);
}

const struct feed_note *feed_note(const struct feed *f, const char *code)
{
	for (size_t i = 0; i < f->notes.len; i++)
		if (!strcmp(f->notes.at[i].code, code))
			return &f->notes.at[i];
	return NULL;
}

size_t feed_count(const struct feed *f, const char *code)
{
	size_t n = 0;

	for (size_t i = 0; i < f->notes.len; i++)
		n += !strcmp(f->notes.at[i].code, code);
	return n;
}

const struct feed_row *feed_row(const struct feed *f, size_t i, const char *shape)
{
	for (size_t r = 0; r < f->points.at[i].rows; r++)
		if (!strcmp(f->points.at[i].row[r].shape, shape))
			return &f->points.at[i].row[r];
	return NULL;
}
