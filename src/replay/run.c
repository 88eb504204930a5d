#include "replay/run.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "replay/printed.h"

void run_init(struct run *run, const struct point_sink *sink, struct names *names)
{
	*run = (struct run){ .sink = sink, .names = names, .started = TIME_UNKNOWN };
	live_set_init(&run->live);
}

void run_release(struct run *run)
{
	live_set_release(&run->live);
	vec_release(&run->taken);
	vec_release(&run->dialect);
	vec_release(&run->complained);
	gaps_release(&run->gaps);
}

int run_begin(struct run *run, int64_t line)
{
	live_set_clear(&run->live);
	vec_clear(&run->taken);
	vec_clear(&run->dialect);
	vec_clear(&run->complained);
	memset(run->notes, 0, sizeof(run->notes));
	run->begun = true;
	run->tracker = run->rows = false;
	run->line = line;
	run->started = TIME_UNKNOWN;
	run->unit = run->totals_unit = run->off_by = 0;
	run->damage = run->truncated = NULL;
	run->device_total = QUANTITY_UNKNOWN;
	run->named = run->unnamed = 0;
	return run->sink->run_begin(run->sink->context, line);
}

void run_count_line(struct run *run, const struct record *record)
{
	while (run->taken.len <= (size_t)record->dialect_index) {
		*vec_push(&run->taken) = 0;
		*vec_push(&run->dialect) = NULL;
	}
	run->taken.at[record->dialect_index]++;
	run->dialect.at[record->dialect_index] = record->dialect;
}

int run_note(struct run *run, int64_t line, const char *code, const char *text)
{
	struct note note = { line, code, text };
	int i = 0;

	while (i < NOTE_CODES - 1 && run->notes[i].code && strcmp(run->notes[i].code, code))
		i++;
	run->notes[i].code = code;
	if (++run->notes[i].count > NOTES_PER_CODE)
		return 0;
	return run->sink->note(run->sink->context, &note);
}

static int note_surplus(struct run *run)
{
	char text[128];

	for (int i = 0; i < NOTE_CODES && run->notes[i].code; i++) {
		int64_t more = run->notes[i].count - NOTES_PER_CODE;
		struct note note = { run->line, run->notes[i].code, text };

		if (more <= 0)
			continue;
		snprintf(text, sizeof(text), "%" PRId64 " more of these", more);
		if (run->sink->note(run->sink->context, &note) < 0)
			return -1;
	}
	return 0;
}

static int note_unnamed(struct run *run)
{
	char text[240];

	if (!run->named || !run->unnamed)
		return 0;
	snprintf(text, sizeof(text),
		 "%" PRId64 " values do not say which GPU they are of, while other lines of the "
		 "log name theirs: they are kept, but in no GPU's series",
		 run->unnamed);
	return run_note(run, run->unnamed_line, "unnamed-device", text);
}

static int note_gaps(struct run *run)
{
	for (size_t i = 0; i < run->gaps.len; i++) {
		char *text = gap_text(&run->gaps.at[i]);
		int rc = run_note(run, run->gaps.at[i].line, "no-value", text);

		free(text);
		if (rc < 0)
			return -1;
	}
	gaps_clear(&run->gaps);
	return 0;
}

static const char *main_dialect(const struct run *run)
{
	size_t best = 0;

	for (size_t i = 0; i < run->taken.len; i++)
		if (run->taken.at[i] > run->taken.at[best])
			best = i;
	return run->taken.len ? run->dialect.at[best] : NULL;
}

int run_end(struct run *run)
{
	struct run_end end = {
		.dialect = main_dialect(run),
		.started = run->started,
		.printed_unit = run->unit,
		.rows = run->rows,
		.damage = run->damage,
		.truncated = run->truncated,
	};

	if (!run->begun)
		return 0;
	run->begun = false;
	if (note_gaps(run) < 0 || note_unnamed(run) < 0 || note_surplus(run) < 0)
		return -1;
	return run->sink->run_end(run->sink->context, &end);
}

static int64_t tool_bytes3(const struct run *run, const struct record *r, const struct tensor *t)
{
	bool int16 =
		t->dtype && (!strcmp(t->dtype, "torch.int16") || !strcmp(t->dtype, "torch.short"));
	int64_t count = record_has(r, FIELD_count) ? r->value[FIELD_count].number : 1;

	(void)run;
	return quantity_mul(quantity_mul(t->numel, int16 ? 8 : 3 * t->itemsize), count);
}

static int complain_about_size(struct run *run, const struct record *r, const struct tensor *t,
			       enum printed_check check)
{
	static const struct {
		const char *code, *why;
	} reasons[] = {
		[PRINTED_CUT] = { "printed-size-disagrees",
				  "the print is cut inside its exponent" },
		[PRINTED_EXPONENT] = { "printed-size-disagrees", "the print lost its exponent" },
		[PRINTED_LOST_DIGITS] = { "lost-digits", "the print lost digits before the point" },
		[PRINTED_WRONG] = { "printed-size-disagrees", "the log may be damaged here" },
	};
	struct strbuf text = STRBUF_INIT;
	char size[SIZE_TEXT];
	int rc;

	while (run->complained.len <= t->index)
		*vec_push(&run->complained) = false;
	if (run->complained.at[t->index])
		return 0;
	run->complained.at[t->index] = true;
	strbuf_addf(&text, "%.*s M printed for %" PRId64 " * %s %s, which take %s: %s",
		    SPAN_ARG(r->value[FIELD_printed].text),
		    record_has(r, FIELD_count) ? r->value[FIELD_count].number : 1, t->shape,
		    t->dtype ? t->dtype : "of 4-byte elements",
		    size_format(size, tool_bytes3(run, r, t) / 3, SIZE_IEC), reasons[check].why);
	rc = run_note(run, r->line, reasons[check].code, text.buf);
	strbuf_release(&text);
	return rc;
}

static int unreadable_row(struct run *run, const struct record *r)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	strbuf_addf(&text,
		    "a row of shape %.*s cannot be counted: its size passes 2^63 bytes or the "
		    "shape is no tuple of sizes; it is left out",
		    SPAN_ARG(r->value[FIELD_shape].text));
	rc = run_note(run, r->line, "uncountable-row", text.buf);
	strbuf_release(&text);
	return rc;
}

int run_see_row(struct run *run, const struct record *r, const struct tensor *t)
{
	const struct value *printed = &r->value[FIELD_printed];
	enum printed_check check;
	int64_t bytes3, unit;

	if (!t)
		return unreadable_row(run, r);
	run->rows = true;
	bytes3 = tool_bytes3(run, r, t);
	if (!quantity_known(bytes3))
		return unreadable_row(run, r);
	/* An element type without a known size cannot be checked. */
	if (!t->itemsize)
		return run_note(run, r->line, "unknown-dtype", t->dtype);
	if (!run->unit && printed->unit_measured && (unit = printed_unit(printed, bytes3))) {
		run->unit = unit;
		if (unit != printed->unit &&
		    run_note(run, r->line, "unit-measured",
			     unit == MIB
				     ? "sizes are printed in MiB (1024²), by shape and dtype"
				     : "sizes are printed in MB (1000²), by shape and dtype") < 0)
			return -1;
	}
	unit = run->unit && printed->unit_measured ? run->unit : printed->unit;
	check = printed_check(printed, bytes3, unit ? unit : MIB);
	if (check == PRINTED_FITS || check == PRINTED_ABSENT)
		return 0;
	return complain_about_size(run, r, t, check);
}

static int report_row_problem(struct run *run, const struct row *row, enum live_problem problem)
{
	static const char *const reasons[] = {
		[LIVE_AGAIN] = "came although it was there already",
		[LIVE_GONE] = "went although it was not there",
		[LIVE_UNKNOWN] = "went, but no line before told that it was there",
	};
	/* What no line told of may be older than the log. */
	bool damage = problem != LIVE_UNKNOWN;
	struct strbuf text = STRBUF_INIT;
	int rc;

	if (problem == LIVE_FINE)
		return 0;
	strbuf_addf(&text, "%" PRId64 " * %s %s %s%s", row->count, row->tensor->shape,
		    row->tensor->dtype ? row->tensor->dtype : "", reasons[problem],
		    damage ? ": lines are lost, or a second writer used this file" : "");
	rc = run_note(run, row->line, damage ? "second-writer" : "row-unknown", text.buf);
	strbuf_release(&text);
	if (damage)
		run->damage = "rows contradict each other: lines are lost, or a second writer used "
			      "this file";
	return rc;
}

static int apply_rows(struct run *run, struct block *b)
{
	live_set_begin_block(&run->live);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < b->rows.len; i++) {
			const struct row *row = &b->rows.at[i];

			if ((row->op == ROW_MINUS) != (pass == 0))
				continue;
			if (report_row_problem(run, row, live_set_apply(&run->live, row)) < 0)
				return -1;
		}
	}
	live_set_end_block(&run->live, b->listing);
	return 0;
}

static int64_t unit_of_total(const struct run *run, const struct value *v)
{
	if (!v->unit_measured)
		return v->unit;
	return run->totals_unit ? run->totals_unit : run->unit ? run->unit : v->unit;
}

static int64_t total_bytes(const struct run *run, const struct value *v)
{
	return v->state == VALUE_OK ? decimal_bytes(v->size, unit_of_total(run, v))
				    : QUANTITY_UNKNOWN;
}

/* Bytes by which the printed total passes the replayed one, or 0 within half a printed digit. */
static int64_t disagreement(const struct run *run, const struct value *v, int64_t unit)
{
	int64_t printed = decimal_bytes(v->size, unit), replayed = run->live.tool_visible3 / 3;
	int64_t half = (decimal_quantum(v->size, unit) + 1) / 2 + 1, off;

	if (!quantity_known(printed) || !quantity_known(run->live.tool_visible3))
		return 0;
	off = printed - replayed;
	return off > half || off < -half ? off : 0;
}

static int check_total(struct run *run, const struct block *b)
{
	int64_t unit = unit_of_total(run, &b->visible), off, other;
	struct strbuf text = STRBUF_INIT;
	char a[SIZE_TEXT], c[SIZE_TEXT];
	int rc;

	if (b->visible.state != VALUE_OK || !run->rows)
		return 0;
	off = disagreement(run, &b->visible, unit);
	other = unit == MIB ? 1000 * 1000 : MIB;
	if (off && b->visible.unit_measured && !run->totals_unit && !run->off_by &&
	    !disagreement(run, &b->visible, other)) {
		run->totals_unit = other;
		return run_note(run, b->line, "unit-measured",
				other == MIB
					? "totals are printed in MiB (1024²), by the rows' sum"
					: "totals are printed in MB (1000²), by the rows' sum");
	}
	/* Once out of step, a report stays so: tell when it changes, not at each point. */
	if (off == run->off_by || (off && run->off_by && llabs(off - run->off_by) <= unit / 10))
		return 0;
	run->off_by = off;
	if (!off)
		return 0;
	run->damage = "the printed total and the sum of the rows disagree";
	strbuf_addf(&text,
		    "the rows sum to %s, the line prints %s: rows are missing or damaged above it",
		    size_format(a, run->live.visible, SIZE_IEC),
		    size_format(c, total_bytes(run, &b->visible), SIZE_IEC));
	rc = run_note(run, b->line, "total-disagrees", text.buf);
	strbuf_release(&text);
	return rc;
}

static int note_views(struct run *run, const struct point *p)
{
	if (!quantity_known(p->visible) || !quantity_known(p->allocated) ||
	    p->visible <= p->allocated + p->quantum)
		return 0;
	for (int i = 0; i < NOTE_CODES && run->notes[i].code; i++)
		if (!strcmp(run->notes[i].code, "visible-exceeds-allocated"))
			return 0;
	return run_note(
		run, p->line, "visible-exceeds-allocated",
		"tensors sum to more than is allocated: views of one storage are counted each, or "
		"tensors live on several devices");
}

static void count_named(struct run *run, const struct sample *s)
{
	if (s->process || !quantity_known(s->used))
		return;
	if (!s->device && !run->unnamed++)
		run->unnamed_line = s->line;
	run->named += s->device != NULL;
}

/* Shares of a card whose size another line of the log gave become bytes: the device's own, or that
 * of the one device without a name. */
static void resolve_totals(struct run *run, struct block *b)
{
	for (size_t i = 0; i < b->samples.len; i++) {
		struct sample *s = &b->samples.at[i];
		int64_t total;

		count_named(run, s);
		if (!s->process && quantity_known(s->total) && !s->device)
			run->device_total = s->total;
		total = s->device ? s->device->total : run->device_total;
		if (!s->percent_only || !quantity_known(s->used) || !quantity_known(total))
			continue;
		s->used = share_bytes(s->used, total);
		s->quantum = share_bytes(s->quantum, total);
		s->total = total;
		s->percent_only = false;
	}
}

static int note_empty_table(struct run *run, const struct block *b)
{
	if (!b->titled || b->samples.len)
		return 0;
	return run_note(run, b->line, "empty-table",
			"a table of GPUs without a row: the tool found no GPU, or could not run "
			"nvidia-smi; no value, not zero");
}

int run_emit(struct run *run, struct block *b)
{
	struct point p = {
		.line = b->line,
		.time = b->time,
		.time_resolution = b->time_resolution,
		.position = b->position,
		.step = b->step,
		.quantum = 1,
	};
	int rc;

	if (!b->used)
		return 0;
	if (apply_rows(run, b) < 0 || check_total(run, b) < 0)
		return -1;
	resolve_totals(run, b);
	p.allocated = total_bytes(run, &b->allocated);
	p.reserved = total_bytes(run, &b->reserved);
	p.visible = run->rows ? run->live.visible : total_bytes(run, &b->visible);
	if (b->allocated.state == VALUE_OK)
		p.quantum = decimal_quantum(b->allocated.size, unit_of_total(run, &b->allocated));
	else if (b->visible.state == VALUE_OK)
		p.quantum = decimal_quantum(b->visible.size, unit_of_total(run, &b->visible));
	p.changes = run->live.changes.at;
	p.nchanges = run->live.changes.len;
	p.samples = b->samples.at;
	p.nsamples = b->samples.len;
	rc = note_views(run, &p);
	if (rc == 0)
		rc = note_empty_table(run, b);
	if (rc == 0) {
		run->points++;
		rc = run->sink->point(run->sink->context, &p);
	}
	block_clear(b);
	return rc;
}
