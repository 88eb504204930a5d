#include "cmd/report_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/overhead.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/leaks_view.h"
#include "cmd/plot_kind.h"

enum { ROWS_SHOWN = 12, TENSORS_SHOWN = 25, NOTES_SHOWN = 40 };

static struct arena *arena_of(const struct report_chapter *c)
{
	return &c->page->view.arena;
}

static enum size_style units_of(const struct report_chapter *c)
{
	return c->page->view.units;
}

const char *report_verdict(const struct analysis *a, enum tone *tone)
{
	static const struct {
		const char *word;
		enum tone tone;
	} verdicts[VERDICTS] = {
		[VERDICT_LEAK] = { "Leak", TONE_BAD },
		[VERDICT_SUSPECT] = { "Suspect", TONE_WARN },
		[VERDICT_CLEAN] = { "Clean", TONE_GOOD },
		[VERDICT_UNDECIDED] = { "Undecided", TONE_WARN },
	};

	*tone = verdicts[a->verdict].tone;
	return verdicts[a->verdict].word;
}

/* ---- the verdict ---- */

static const char *forecast_text(const struct report_chapter *c)
{
	const struct forecast *f = &c->run->analysis.forecast;
	const char *unit = c->run->analysis.unit ? c->run->analysis.unit : "iteration", *text;
	char size[SIZE_TEXT], low[SIZE_TEXT], high[SIZE_TEXT], time[TIME_TEXT];

	if (!quantity_known(f->capacity) || !answer_finding(&c->run->analysis))
		return NULL;
	size_format(size, f->capacity, units_of(c));
	if (!f->in_sight)
		return arena_printf(arena_of(c), "%s are not reached as far as this log can tell",
				    size);
	text = arena_printf(arena_of(c), "%s are full after %s", size,
			    plural(arena_of(c), f->left, unit));
	if (f->high == INT64_MAX)
		text = arena_printf(arena_of(c), "%s (%s or more)", text,
				    count_format(low, f->low));
	else if (f->low != f->high)
		text = arena_printf(arena_of(c), "%s (%s to %s)", text, count_format(low, f->low),
				    count_format(high, f->high));
	if (f->seconds_left >= 0)
		text = arena_printf(arena_of(c), "%s, about %s", text,
				    duration_format(time, f->seconds_left * SECOND));
	return text;
}

/* The logs that were joined to the run's own, and how they were laid to its points. */
static void add_parts(const struct report_chapter *c)
{
	const struct timeline *t = &c->run->timeline;
	char error[TIME_TEXT];

	for (size_t i = 0; i < t->parts; i++) {
		const struct timeline_part *p = &t->part[i];
		const char *text = arena_printf(arena_of(c), "%s, %s", p->source,
						p->how ? p->how : "left out: it fits nowhere");

		if (p->how && p->error)
			text = arena_printf(arena_of(c), "%s, ± %s", text,
					    duration_format(error, p->error));
		page_fact(c->page, "read with", p->how ? TONE_PLAIN : TONE_WARN, text);
	}
}

static void add_verdict(const struct report_chapter *c)
{
	const struct timeline *t = &c->run->timeline;
	const struct analysis *a = &c->run->analysis;
	enum tone tone;
	const char *word = report_verdict(a, &tone);

	page_heading(c->page, 2, c->id, t->name);
	if (!c->alone)
		page_text(c->page, tone,
			  arena_printf(arena_of(c), "%s: %s", word,
				       answer_text(arena_of(c), t, a, units_of(c))));
	page_fact(c->page, "why", TONE_PLAIN, a->why);
	page_fact(c->page, "memory full", TONE_PLAIN, forecast_text(c));
	page_fact(c->page, "to learn more", TONE_PLAIN, a->log_next);
	page_fact(c->page, "log", TONE_PLAIN,
		  arena_printf(arena_of(c), "%s, %s, %s", t->source,
			       t->dialect ? t->dialect : "no dialect",
			       plural(arena_of(c), t->logged_points > (int64_t)t->points
							   ? t->logged_points
							   : (int64_t)t->points,
				      "point")));
	add_parts(c);
}

/* ---- findings ---- */

static void add_rows(const struct report_chapter *c, const struct finding *f)
{
	size_t shown = f->rows < ROWS_SHOWN ? f->rows : ROWS_SHOWN;
	struct table *t;

	if (!f->rows)
		return;
	t = page_table(c->page, "rows");
	table_column(t, "tensor row", CELL_TEXT);
	table_column(t, "more each time", CELL_REAL);
	table_column(t, "bytes", CELL_CHANGE);
	table_column(t, "history", CELL_TEXT);
	for (size_t i = 0; i < shown; i++) {
		const struct finding_row *r = &f->row[i];

		table_row(t);
		cell_text(t, row_text(arena_of(c), r->shape ? r->shape : r->row->shape,
				      r->row->dtype));
		cell_real(t, r->count_per_iteration > 0 ? r->count_per_iteration : NAN);
		cell_int(t, (int64_t)llround(r->bytes_per_iteration));
		cell_text(t, history_text(arena_of(c), r->history, r->iterations));
	}
	if (shown < f->rows)
		page_text(c->page, TONE_DIM,
			  arena_printf(arena_of(c), "%zu more rows: memlog leaks --all",
				       f->rows - shown));
}

static const char *lines_text(const struct report_chapter *c, const struct finding *f)
{
	if (f->first_line <= 0)
		return NULL;
	if (f->last_line <= f->first_line)
		return arena_printf(arena_of(c), "line %" PRId64 " of the log", f->first_line);
	return arena_printf(arena_of(c), "lines %" PRId64 " to %" PRId64 " of the log",
			    f->first_line, f->last_line);
}

static void add_finding(const struct report_chapter *c, const struct finding *f)
{
	static const enum tone tones[FINDING_KINDS] = {
		[FINDING_LEAK] = TONE_BAD, [FINDING_SUSPECT] = TONE_WARN, [FINDING_NOTE] = TONE_DIM
	};
	const char *heading = f->cause;

	if (f->kind != FINDING_NOTE)
		heading = arena_printf(arena_of(c), "%s: %s", f->cause,
				       f->percent ? answer_share(arena_of(c), f)
						  : answer_rate(arena_of(c), f->bytes_per_iteration,
								f->low, f->high, f->unit,
								units_of(c)));
	page_card(c->page, tones[f->kind]);
	page_heading(c->page, 3, NULL, heading);
	page_fact(c->page, "where", TONE_PLAIN, f->site ? site_text(arena_of(c), f->site) : NULL);
	page_fact(c->page, "who", TONE_PLAIN,
		  f->subject ? answer_subject(arena_of(c), f->subject) : NULL);
	page_fact(c->page, "why", TONE_PLAIN, f->why);
	page_fact(c->page, "what to change", TONE_STRONG, f->advice);
	page_fact(c->page, "held through", TONE_PLAIN,
		  f->handle ? row_text(arena_of(c), f->handle->shape, f->handle->dtype) : NULL);
	page_fact(c->page, "detail", TONE_PLAIN, f->detail);
	page_fact(c->page, "evidence", TONE_PLAIN, lines_text(c, f));
	add_rows(c, f);
	page_end(c->page);
}

/* ---- pictures ---- */

/*
 * Those that suit the run, and the devices of a report that monitors were joined to; where nothing
 * but devices is, the timeline would only repeat them.
 */
static void add_plots(const struct report_chapter *c)
{
	struct plot_scope *scope = arena_alloc(arena_of(c), sizeof(*scope));
	struct plot_input in = { c->run, 1, scope, arena_of(c) };
	bool devices = plot_devices_suits(&in);

	*scope = PLOT_SCOPE_ALL;
	scope->units = units_of(c);
	page_heading(c->page, 3, NULL, "Pictures");
	for (const struct plot_kind *k = plot_kinds; k->name; k++) {
		struct plot *plot = arena_alloc(arena_of(c), sizeof(*plot));

		bool joined = k->draw == plot_devices && c->run->timeline.subjects > 1;

		if (!joined && (!k->suits || !k->suits(&in)))
			continue;
		if (devices && k->draw == plot_timeline)
			continue;
		if (!k->draw(plot, &in))
			page_plot(c->page, arena_printf(arena_of(c), "%s: %s", k->name, k->summary),
				  plot);
	}
}

/* ---- where the bytes are ---- */

static const char *point_text(const struct report_chapter *c, size_t point)
{
	const struct timeline *t = &c->run->timeline;
	const struct site *site = timeline_site(t, point);

	return arena_printf(arena_of(c), "%s, line %" PRId64 " of the log",
			    site ? site_text(arena_of(c), site) : "a sample", t->line[point]);
}

static void add_ledger(const struct report_chapter *c)
{
	struct ledger ledger;
	struct table *t;
	char size[SIZE_TEXT];

	if (!overhead_ledger(&c->run->timeline, &ledger))
		return;
	page_heading(c->page, 3, NULL, "Where the bytes are at the peak");
	page_text(c->page, TONE_PLAIN,
		  arena_printf(arena_of(c), "%s (%s) at %s.",
			       size_format(size, ledger.total, units_of(c)), ledger.total_name,
			       point_text(c, ledger.point)));
	t = page_table(c->page, "ledger");
	table_column(t, "part", CELL_TEXT);
	table_column(t, "size", CELL_BYTES);
	table_column(t, "known to ±", CELL_BYTES);
	table_column(t, "how", CELL_TEXT);
	table_column(t, "what it is", CELL_TEXT);
	for (size_t i = 0; i < ledger.parts; i++) {
		const struct ledger_part *p = &ledger.part[i];

		table_row(t);
		cell_text(t, p->part);
		cell_int(t, p->bytes);
		cell_int(t, p->tolerance);
		cell_text(t, ledger_how_names[p->how]);
		cell_text(t, p->meaning);
	}
}

/* The point at which most tensors were visible. */
static bool peak_point(const struct timeline *t, size_t *point)
{
	const struct series *visible = &t->level[LEVEL_VISIBLE];
	int64_t most = INT64_MIN;

	for (size_t i = 0; visible->value && i < t->points; i++) {
		if (quantity_known(visible->value[i]) && visible->value[i] > most) {
			most = visible->value[i];
			*point = i;
		}
	}
	return most > 0;
}

/* A row of tensors as it is at the peak. */
struct held {
	const struct tensor_row *row;
	int64_t count, bytes;
};

static int by_bytes(const void *a, const void *b)
{
	const struct held *p = a, *q = b;

	if (p->bytes != q->bytes)
		return p->bytes > q->bytes ? -1 : 1;
	return p->row < q->row ? -1 : p->row > q->row;
}

static size_t held_at(const struct report_chapter *c, size_t point, struct held *held)
{
	const struct timeline *t = &c->run->timeline;
	size_t n = 0;

	for (size_t i = 0; i < t->rows; i++) {
		const struct tensor_row *row = &t->row[i];
		int64_t count = 0;

		for (size_t k = 0; k < row->nchanges && row->change[k].point <= point; k++)
			count = row->change[k].count;
		if (count)
			held[n++] = (struct held){
				row, count,
				quantity_mul(count, quantity_mul(row->numel, row->itemsize))
			};
	}
	qsort(held, n, sizeof(*held), by_bytes);
	return n;
}

static void add_tensors(const struct report_chapter *c)
{
	struct held *held = arena_alloc(arena_of(c), (c->run->timeline.rows + 1) * sizeof(*held));
	size_t point = 0, n, shown;
	struct table *t;

	if (!c->run->timeline.rows || !peak_point(&c->run->timeline, &point))
		return;
	n = held_at(c, point, held);
	shown = n < TENSORS_SHOWN ? n : TENSORS_SHOWN;
	page_heading(c->page, 3, NULL, "Tensors at the peak");
	page_text(c->page, TONE_PLAIN, arena_printf(arena_of(c), "At %s.", point_text(c, point)));
	t = page_table(c->page, "tensors");
	table_column(t, "shape", CELL_TEXT);
	table_column(t, "dtype", CELL_TEXT);
	table_column(t, "class", CELL_TEXT);
	table_column(t, "count", CELL_INT);
	table_column(t, "bytes", CELL_BYTES);
	for (size_t i = 0; i < shown; i++) {
		table_row(t);
		cell_text(t, held[i].row->shape);
		cell_text(t, held[i].row->dtype);
		cell_text(t, held[i].row->class_name);
		cell_int(t, held[i].count);
		cell_int(t, held[i].bytes);
	}
	if (shown < n)
		page_text(c->page, TONE_DIM,
			  arena_printf(arena_of(c), "%zu smaller rows: memlog show --at %zu",
				       n - shown, point + 1));
}

/* ---- the log ---- */

struct health {
	struct table *table; /* NULL: no note yet */
	const struct report_chapter *chapter;
	int64_t notes;
};

static int add_note(void *context, const struct note *note)
{
	struct health *h = context;

	if (++h->notes > NOTES_SHOWN)
		return 0;
	if (!h->table) {
		h->table = page_table(h->chapter->page, "notes");
		table_column(h->table, "line", CELL_INT);
		table_column(h->table, "note", CELL_TEXT);
		table_column(h->table, "text", CELL_TEXT);
	}
	table_row(h->table);
	cell_int(h->table, note->line);
	cell_text(h->table, note->code);
	cell_text(h->table, note->text);
	return 0;
}

static int add_health(const struct report_chapter *c)
{
	const struct timeline *t = &c->run->timeline;
	struct health h = { NULL, c, 0 };

	page_heading(c->page, 3, NULL, "The log's health");
	if (t->damage)
		page_text(c->page, TONE_BAD, t->damage);
	if (store_read_notes(c->store, t->run, add_note, &h) < 0)
		return -1;
	if (!h.notes && !t->damage && !t->events)
		page_text(c->page, TONE_GOOD, "Nothing to remark: every line fits.");
	if (h.notes > NOTES_SHOWN)
		page_text(c->page, TONE_DIM,
			  arena_printf(arena_of(c), "%s: memlog show --notes",
				       plural(arena_of(c), h.notes - NOTES_SHOWN, "more note")));
	for (size_t i = 0; i < t->events; i++)
		page_fact(c->page,
			  arena_printf(arena_of(c), "line %" PRId64, t->event[i].line), TONE_BAD,
			  t->event[i].text ? t->event[i].text : t->event[i].code);
	return 0;
}

int report_run(const struct report_chapter *c)
{
	add_verdict(c);
	for (size_t i = 0; i < c->run->analysis.findings; i++)
		add_finding(c, &c->run->analysis.finding[i]);
	add_plots(c);
	add_ledger(c);
	add_tensors(c);
	return add_health(c);
}
