#include "replay/replay.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "replay/block.h"
#include "replay/run.h"

/* On which side of a `point auto` line its rows stand. */
enum side { SIDE_UNKNOWN, SIDE_BEFORE, SIDE_AFTER };

/* An out-of-memory error is printed by the traceback and again by whoever caught it. */
enum { EVENT_REPEAT_LINES = 60 };

struct replay {
	struct names names;
	struct run run;
	struct block block; /* at hand: rows since the last point line, or an open point */
	struct block held;  /* a point line whose side is not known yet */
	enum side side;
	bool blank_after_place, blank_after_row; /* before its first row; since the last row */
	int64_t last_header;                     /* its time */
	bool had_header;
	struct {
		int64_t line, requested, free;
		const char *code;
	} last_event;
};

void replay_open(struct replay **out, const struct point_sink *sink)
{
	struct replay *r = xcalloc(1, sizeof(*r));

	names_init(&r->names);
	run_init(&r->run, sink, &r->names);
	block_init(&r->block);
	block_init(&r->held);
	r->last_header = TIME_UNKNOWN;
	*out = r;
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	block_release(&r->block);
	block_release(&r->held);
	run_release(&r->run);
	names_release(&r->names);
	free(r);
}

int64_t replay_points(const struct replay *r)
{
	return r->run.points;
}

int replay_note(struct replay *r, int64_t line, const char *code, const char *fmt, ...)
{
	struct note note = { line, code, NULL };
	char *text = NULL;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	note.text = text ? text : "";
	rc = r->run.sink->note(r->run.sink->context, &note);
	free(text);
	return rc;
}

void replay_blank(struct replay *r)
{
	if (r->block.rows.len)
		r->blank_after_row = true;
	else
		r->blank_after_place = true;
}

/* The held point came without rows of its own, or with those at hand. */
static int settle(struct replay *r, enum side side)
{
	r->side = side;
	if (!r->held.used)
		return 0;
	if (side == SIDE_AFTER)
		block_move_rows(&r->held, &r->block);
	return run_emit(&r->run, &r->held);
}

/* Rows right below a point line, then a blank line: they belong to the line above.  Without any
 * blank line (blogs drop them) rows belong to the line below, as the tool writes them. */
static enum side judge_side(const struct replay *r)
{
	return r->held.used && r->block.rows.len && !r->blank_after_place && r->blank_after_row
		       ? SIDE_AFTER
		       : SIDE_BEFORE;
}

static void add(struct replay *r, struct block *block, const struct record *record)
{
	struct sample sample;
	bool seen = block_sample(&sample, record, &r->names);

	block_add(block, record, &r->names, seen ? &sample : NULL);
}

static int point_auto(struct replay *r, const struct record *record)
{
	int rc = 0;

	if (r->side == SIDE_UNKNOWN && r->block.rows.len)
		rc = settle(r, judge_side(r));
	if (rc < 0)
		return -1;
	if (r->side == SIDE_BEFORE) {
		add(r, &r->block, record);
		return run_emit(&r->run, &r->block);
	}
	if (r->side == SIDE_AFTER) {
		if (run_emit(&r->run, &r->block) < 0)
			return -1;
		add(r, &r->block, record);
		return 0;
	}
	if (run_emit(&r->run, &r->held) < 0)
		return -1;
	add(r, &r->held, record);
	return 0;
}

static int point_closes(struct replay *r, const struct record *record)
{
	add(r, &r->block, record);
	return run_emit(&r->run, &r->block);
}

/* Two lines may open one point: the header of watch, then the table's own time. */
static bool opens_same(const struct block *b, const struct record *record)
{
	int64_t apart;

	if (b->time == TIME_UNKNOWN || !record_has(record, FIELD_time))
		return false;
	apart = record->value[FIELD_time].number - b->time;
	return b->used && !b->position && !b->rows.len && !b->samples.len &&
	       b->allocated.state == VALUE_ABSENT && b->visible.state == VALUE_ABSENT &&
	       apart >= -2 * SECOND && apart <= 2 * SECOND;
}

static int point_opens(struct replay *r, const struct record *record)
{
	if (opens_same(&r->block, record))
		block_clear(&r->block);
	if (run_emit(&r->run, &r->block) < 0)
		return -1;
	add(r, &r->block, record);
	return 0;
}

static int point_joins(struct replay *r, const struct record *record)
{
	bool has_place = record->kind == RECORD_POINT;
	struct sample sample;
	const struct sample *seen = block_sample(&sample, record, &r->names) ? &sample : NULL;

	if (block_repeats(&r->block, record, &r->names, seen) && run_emit(&r->run, &r->block) < 0)
		return -1;
	block_add(&r->block, record, &r->names, seen);
	/* A line that says nothing of use makes no point. */
	if (!has_place && !r->block.rows.len && !r->block.samples.len && !r->block.placed &&
	    r->block.allocated.state == VALUE_ABSENT && r->block.reserved.state == VALUE_ABSENT &&
	    r->block.visible.state == VALUE_ABSENT)
		block_clear(&r->block);
	return 0;
}

static int (*const by_boundary[BOUNDARIES])(struct replay *, const struct record *) = {
	[BOUNDARY_JOINS] = point_joins,
	[BOUNDARY_OPENS] = point_opens,
	[BOUNDARY_CLOSES] = point_closes,
	[BOUNDARY_AUTO] = point_auto,
};

static bool is_tracker(const struct record *record)
{
	return record->kind == RECORD_HEADER || record->kind == RECORD_TENSOR ||
	       (record->kind == RECORD_POINT &&
		(record->boundary == BOUNDARY_AUTO || record_has(record, FIELD_code_line)));
}

/* Everything gathered goes out; rows without their point line do not. */
static int flush(struct replay *r)
{
	bool rows = r->block.rows.len > 0;

	if (r->side == SIDE_UNKNOWN && r->held.used) {
		if (settle(r, rows ? judge_side(r) : SIDE_UNKNOWN) < 0)
			return -1;
		rows = r->block.rows.len > 0;
	}
	if (rows && !r->block.placed) {
		r->run.truncated = "the log ends inside a point";
		if (run_note(&r->run, r->block.line, "truncated",
			     "these rows have no point line below them: the program or the copy "
			     "stopped "
			     "here; they are left out") < 0)
			return -1;
		vec_clear(&r->block.rows);
		if (!r->block.samples.len) {
			block_clear(&r->block);
			return 0;
		}
	}
	return run_emit(&r->run, &r->block);
}

static int header(struct replay *r, const struct record *record)
{
	int64_t time =
		record_has(record, FIELD_time) ? record->value[FIELD_time].number : TIME_UNKNOWN;
	bool again = r->had_header && time != TIME_UNKNOWN && time == r->last_header;

	if (r->run.begun && r->run.tracker && (flush(r) < 0 || run_end(&r->run) < 0))
		return -1;
	if (!r->run.begun) {
		r->side = SIDE_UNKNOWN;
		if (run_begin(&r->run, record->line) < 0)
			return -1;
	}
	r->run.tracker = true;
	r->run.started = time;
	r->had_header = true;
	r->last_header = time;
	run_count_line(&r->run, record);
	if (!again)
		return 0;
	r->run.damage = "two trackers began in the same second: a second writer used this file";
	return run_note(
		&r->run, record->line, "second-writer",
		"a header of the same second came before: two processes wrote into this file; "
		"give each rank a file of its own");
}

/* What was measured before the event stands before it; rows wait for the line that places them. */
static int end_measured(struct replay *r)
{
	const struct block *b = &r->block;

	if (b->rows.len || (!b->samples.len && b->allocated.state == VALUE_ABSENT &&
			    b->reserved.state == VALUE_ABSENT && b->visible.state == VALUE_ABSENT))
		return 0;
	return run_emit(&r->run, &r->block);
}

static int event(struct replay *r, const struct record *record)
{
	struct event e = {
		.line = record->line,
		.time = record_has(record, FIELD_time) ? record->value[FIELD_time].number
						       : r->block.time,
		.code = record->code,
		.device =
			record_has(record, FIELD_device) ? record->value[FIELD_device].number : -1,
		.pid = record_has(record, FIELD_pid) ? record->value[FIELD_pid].number : -1,
		.requested = record_bytes(record, FIELD_requested),
		.capacity = record_bytes(record, FIELD_device_total),
		.limit = record_bytes(record, FIELD_limit),
		.free = record_bytes(record, FIELD_device_free),
		.allocated = record_bytes(record, FIELD_allocated),
		.reserved = record_bytes(record, FIELD_reserved),
		.process_used = record_bytes(record, FIELD_process_used),
	};
	char *text;
	int rc;

	if (record_has(record, FIELD_unallocated))
		e.reserved = quantity_add(e.allocated, record_bytes(record, FIELD_unallocated));

	if (r->last_event.code && !strcmp(r->last_event.code, e.code) &&
	    e.line - r->last_event.line <= EVENT_REPEAT_LINES && quantity_known(e.requested) &&
	    e.requested == r->last_event.requested && e.free == r->last_event.free)
		return 0;
	if (end_measured(r) < 0)
		return -1;
	r->last_event.line = e.line;
	r->last_event.requested = e.requested;
	r->last_event.free = e.free;
	r->last_event.code = e.code;
	text = xstrndup(record_text(record, FIELD_text).ptr ? record_text(record, FIELD_text).ptr
							    : "",
			record_text(record, FIELD_text).len);
	e.text = text;
	rc = r->run.sink->event(r->run.sink->context, &e);
	free(text);
	return rc;
}

static int tensor(struct replay *r, const struct record *record)
{
	const struct tensor *t = names_tensor(&r->names, record);

	if (run_see_row(&r->run, record, t) < 0)
		return -1;
	if (t)
		block_add_row(&r->block, record, t);
	r->blank_after_row = false;
	return 0;
}

static int place(struct replay *r, const struct record *record)
{
	int rc = by_boundary[record->boundary](r, record);

	gaps_see(&r->run.gaps, record);
	/* A line without sizes may still tie an index to a UUID: nvidia-smi -L. */
	if (record->kind == RECORD_MEASURE)
		names_device(&r->names, record);
	r->blank_after_place = false;
	return rc;
}

static int nothing(struct replay *r, const struct record *record)
{
	(void)r;
	(void)record;
	return 0;
}

static int (*const by_kind[RECORD_KINDS])(struct replay *, const struct record *) = {
	[RECORD_HEADER] = header,  [RECORD_TENSOR] = tensor, [RECORD_POINT] = place,
	[RECORD_MEASURE] = place,  [RECORD_EVENT] = event,   [RECORD_CONTEXT] = nothing,
	[RECORD_IGNORE] = nothing,
};

int replay_record(struct replay *r, const struct record *record)
{
	if (record->kind == RECORD_IGNORE)
		return 0;
	if (record->kind != RECORD_HEADER) {
		if (!r->run.begun && run_begin(&r->run, record->line) < 0)
			return -1;
		r->run.tracker |= is_tracker(record);
		run_count_line(&r->run, record);
	}
	return by_kind[record->kind](r, record);
}

int replay_finish(struct replay *r)
{
	if (!r->run.begun)
		return 0;
	return flush(r) < 0 ? -1 : run_end(&r->run);
}
