#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "feed.h"
#include "replay/replay.h"

/*
 * Records by hand -> points: which lines make one, and where runs begin and end.  What trackers
 * print is in test_tracker_*.c.
 */

/* Points as "line:allocated", runs as "[" and "]", notes as their code. */
static int write_begin(void *context, int64_t line)
{
	strbuf_addf(context, "[%d ", (int)line);
	return 0;
}

static int write_point(void *context, const struct point *p)
{
	strbuf_addf(context, "%d", (int)p->line);
	if (p->position && p->position->label)
		strbuf_addf(context, "@%s", p->position->label);
	if (quantity_known(p->allocated))
		strbuf_addf(context, "a%d", (int)p->allocated);
	if (quantity_known(p->reserved))
		strbuf_addf(context, "r%d", (int)p->reserved);
	for (size_t i = 0; i < p->nsamples; i++)
		strbuf_addf(context, "%s%d=%d", p->samples[i].process ? "p" : "d",
			    p->samples[i].device ? (int)p->samples[i].device->number : -1,
			    (int)p->samples[i].used);
	strbuf_addc(context, ' ');
	return 0;
}

static int write_note(void *context, const struct note *note)
{
	strbuf_addf(context, "!%s ", note->code);
	return 0;
}

static int write_event(void *context, const struct event *event)
{
	strbuf_addf(context, "*%s ", event->code);
	return 0;
}

static int write_end(void *context, const struct run_end *end)
{
	strbuf_addf(context, "%s] ", end->truncated ? "cut" : "");
	return 0;
}

struct field_value {
	enum field field;
	const char *text; /* a number for all but texts; sizes in bytes, times in seconds */
};

struct line_record {
	enum record_kind kind;
	enum boundary boundary;
	struct field_value value[5];
};

static void set(struct record *r, const struct field_value *from)
{
	struct value *v = &r->value[from->field];
	struct decimal number;

	*v = (struct value){ .state = VALUE_OK, .text = span_of(from->text), .unit = 1 };
	r->set |= UINT64_C(1) << from->field;
	if (!decimal_parse(v->text, &number, NULL))
		return;
	v->size = number;
	v->number = from->field == FIELD_time ? number.mantissa * SECOND : number.mantissa;
}

/* kind 0 with boundary 0 and no value is RECORD_HEADER: the lists below end with RECORD_KINDS. */
static void replay_all(struct strbuf *out, const struct line_record *lines)
{
	struct point_sink sink = { out,	       write_begin, write_point,
				   write_note, write_event, write_end };
	struct record *record = calloc(1, sizeof(*record));
	struct replay *replay;

	replay_open(&replay, &sink);
	for (int64_t n = 1; lines->kind != RECORD_KINDS; lines++, n++) {
		record_clear(record);
		record->kind = lines->kind;
		record->boundary = lines->boundary;
		record->dialect = "d";
		record->rule = "r";
		record->code = "bang";
		record->line = n;
		for (int i = 0; i < 5 && lines->value[i].text; i++)
			set(record, &lines->value[i]);
		cr_assert_eq(replay_record(replay, record), 0);
	}
	cr_assert_eq(replay_finish(replay), 0);
	replay_close(replay);
	free(record);
	if (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

#define STOP { RECORD_KINDS, 0, { { 0, NULL } } }

static const struct {
	const char *what, *expect;
	struct line_record lines[8];
} cases[] = {
	{ "what joins is one point until it says something again", "[1 1a1r2 3a3 ]",
	  { { RECORD_POINT, BOUNDARY_JOINS, { { FIELD_allocated, "1" } } },
	    { RECORD_POINT, BOUNDARY_JOINS, { { FIELD_reserved, "2" } } },
	    { RECORD_POINT, BOUNDARY_JOINS, { { FIELD_allocated, "3" } } },
	    STOP } },
	{ "an opening line takes what follows", "[1 1@a 2@ba5 ]",
	  { { RECORD_POINT, BOUNDARY_OPENS, { { FIELD_label, "a" } } },
	    { RECORD_POINT, BOUNDARY_OPENS, { { FIELD_label, "b" } } },
	    { RECORD_POINT, BOUNDARY_JOINS, { { FIELD_allocated, "5" } } },
	    STOP } },
	{ "a closing line takes what came before", "[1 2@aa5 3@b ]",
	  { { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_allocated, "5" } } },
	    { RECORD_POINT, BOUNDARY_CLOSES, { { FIELD_label, "a" } } },
	    { RECORD_POINT, BOUNDARY_CLOSES, { { FIELD_label, "b" } } },
	    STOP } },
	{ "a second look at a device is another point", "[1 1d0=5d1=6 3d0=7d1=8 ]",
	  { { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "0" }, { FIELD_device_used, "5" } } },
	    { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "1" }, { FIELD_device_used, "6" } } },
	    { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "0" }, { FIELD_device_used, "7" } } },
	    { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "1" }, { FIELD_device_used, "8" } } },
	    STOP } },
	{ "used and free of a device may stand on two lines", "[1 1d0=5 ]",
	  { { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "0" }, { FIELD_device_used, "5" } } },
	    { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "0" }, { FIELD_device_free, "6" } } },
	    STOP } },
	{ "a process is not the device", "[1 1d0=5p0=4 ]",
	  { { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "0" }, { FIELD_device_used, "5" } } },
	    { RECORD_MEASURE, BOUNDARY_JOINS,
	      { { FIELD_device, "0" }, { FIELD_pid, "7" }, { FIELD_process_used, "4" } } },
	    STOP } },
	{ "another time is another point", "[1 1d0=5 2d1=6 ]",
	  { { RECORD_MEASURE, BOUNDARY_JOINS,
	      { { FIELD_time, "10" }, { FIELD_device, "0" }, { FIELD_device_used, "5" } } },
	    { RECORD_MEASURE, BOUNDARY_JOINS,
	      { { FIELD_time, "11" }, { FIELD_device, "1" }, { FIELD_device_used, "6" } } },
	    STOP } },
	{ "another step is another point", "[1 1a1 2r2 ]",
	  { { RECORD_POINT, BOUNDARY_JOINS, { { FIELD_step, "1" }, { FIELD_allocated, "1" } } },
	    { RECORD_POINT, BOUNDARY_JOINS, { { FIELD_step, "2" }, { FIELD_reserved, "2" } } },
	    STOP } },
	{ "a header ends a tracker's run", "[1 2a1 ] [3 4a2 ]",
	  { { RECORD_HEADER, BOUNDARY_JOINS, { { FIELD_time, "1" } } },
	    { RECORD_POINT, BOUNDARY_CLOSES, { { FIELD_allocated, "1" } } },
	    { RECORD_HEADER, BOUNDARY_JOINS, { { FIELD_time, "2" } } },
	    { RECORD_POINT, BOUNDARY_CLOSES, { { FIELD_allocated, "2" } } },
	    STOP } },
	{ "what a monitor printed before it does not", "[1 1d0=5 3a1 ]",
	  { { RECORD_MEASURE, BOUNDARY_JOINS, { { FIELD_device, "0" }, { FIELD_device_used, "5" } } },
	    { RECORD_HEADER, BOUNDARY_JOINS, { { FIELD_time, "1" } } },
	    { RECORD_POINT, BOUNDARY_OPENS, { { FIELD_allocated, "1" } } },
	    STOP } },
	{ "the same failure told twice is one event", "[1 *bang *bang ]",
	  { { RECORD_EVENT, BOUNDARY_JOINS, { { FIELD_requested, "5" } } },
	    { RECORD_EVENT, BOUNDARY_JOINS, { { FIELD_requested, "5" } } },
	    { RECORD_EVENT, BOUNDARY_JOINS, { { FIELD_requested, "6" } } },
	    STOP } },
	{ "rows that no place closes are left out", "[1 !truncated cut]",
	  { { RECORD_TENSOR, BOUNDARY_JOINS, { { FIELD_op, "+" }, { FIELD_shape, "(3,)" } } },
	    STOP } },
	{ "a row whose shape is no tuple is told", "[1 !uncountable-row 2a1 ]",
	  { { RECORD_TENSOR, BOUNDARY_JOINS, { { FIELD_op, "+" }, { FIELD_shape, "(3" } } },
	    { RECORD_POINT, BOUNDARY_CLOSES, { { FIELD_allocated, "1" } } },
	    STOP } },
	{ "lines that only set something make no run's point", "[1 ]",
	  { { RECORD_CONTEXT, BOUNDARY_JOINS, { { FIELD_device, "1" } } }, STOP } },
	{ "ignored lines make not even a run", "",
	  { { RECORD_IGNORE, BOUNDARY_JOINS, { { FIELD_device, "1" } } }, STOP } },
};

Test(replay, points_and_runs)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf got = STRBUF_INIT;

		replay_all(&got, cases[i].lines);
		cr_expect_str_eq(got.buf, cases[i].expect, "%s: %s", cases[i].what, got.buf);
		strbuf_release(&got);
	}
}

static int refuse_point(void *context, const struct point *p)
{
	(void)context;
	(void)p;
	return -1;
}

Test(replay, passes_on_that_the_sink_stopped)
{
	struct strbuf out = STRBUF_INIT;
	struct point_sink sink = { &out,       write_begin, refuse_point,
				   write_note, write_event, write_end };
	struct record *record = calloc(1, sizeof(*record));
	struct replay *replay;

	replay_open(&replay, &sink);
	record->kind = RECORD_POINT;
	record->boundary = BOUNDARY_CLOSES;
	record->dialect = "d";
	cr_expect_eq(replay_record(replay, record), -1);
	replay_close(replay);
	free(record);
	strbuf_release(&out);
}

/* 60 sizes that disagree, 8 to 244 MiB in steps of 4 and none of them begins with 55: 50 are told,
 * then how many more there were. */
Test(replay, a_flood_of_notes_is_counted)
{
	struct strbuf text = STRBUF_INIT;
	struct feed f;

	strbuf_adds(&text, HEAD);
	for (int i = 1; i <= 60; i++)
		strbuf_addf(&text, "+ | 1 * Size:(%d, 1024, 1024) | Memory: 5.5 M | " TENSOR " | torch.float32\n",
			    i + 1);
	strbuf_adds(&text, AT(1, "0.0    ", "0.0    "));
	feed_text(&f, text.buf);
	cr_expect_eq(feed_count(&f, "printed-size-disagrees"), 51);
	for (size_t i = 0; i < f.notes.len; i++)
		if (f.notes.at[i].line == 1)
			cr_expect_str_eq(f.notes.at[i].text, "10 more of these");
	feed_release(&f);
	strbuf_release(&text);
}
