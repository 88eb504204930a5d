#include "cmd/leaks_view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/answer.h"
#include "cmd/common.h"

enum { ROWS_SHOWN = 4, HISTORY_HEAD = 5, HISTORY_TAIL = 2 };

const char *row_text(struct arena *arena, const char *shape, const char *dtype)
{
	if (!dtype)
		return shape;
	if (!strncmp(dtype, "torch.", 6))
		dtype += 6;
	return arena_printf(arena, "%s %s", shape, dtype);
}

const char *history_text(struct arena *arena, const int64_t *history, size_t n)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;

	for (size_t i = 0; i < n; i++) {
		if (n > HISTORY_HEAD + HISTORY_TAIL + 2 && i == HISTORY_HEAD) {
			strbuf_adds(&sb, " …");
			i = n - HISTORY_TAIL;
		}
		strbuf_addf(&sb, "%s%" PRId64, i ? " " : "", history[i]);
	}
	text = arena_text(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return text;
}

/* "+100.3 MiB", and the range where the numbers leave one. */
static const char *rate_text(struct arena *arena, double estimate, double low, double high,
			     enum size_style units)
{
	char e[SIZE_TEXT], l[SIZE_TEXT], h[SIZE_TEXT];

	size_format_change(e, quantity_round(estimate), units);
	size_format(l, quantity_round(low), units);
	size_format(h, quantity_round(high), units);
	if (!strcmp(l, h) || !isfinite(low) || !isfinite(high))
		return arena_printf(arena, "%s", e);
	return arena_printf(arena, "%s (%s to %s)", e, l, h);
}

/* The same in parts of the card: "+1.50 % of the card". */
static const char *share_text(struct arena *arena, double estimate, double low, double high)
{
	if (low == high || !isfinite(low) || !isfinite(high))
		return arena_printf(arena, "%+.2f %% of the card", estimate / 100);
	return arena_printf(arena, "%+.2f %% (%.2f %% to %.2f %%) of the card", estimate / 100,
			    low / 100, high / 100);
}

/* The level that says most about the run's growth: the widest one that is known. */
static const struct growth *headline_growth(const struct analysis *a, const char **name)
{
	static const enum growth_level order[] = { GROWTH_ALLOCATED, GROWTH_PROCESS, GROWTH_DEVICE,
						   GROWTH_VISIBLE };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (!a->growth[order[i]].known)
			continue;
		*name = growth_level_names[order[i]];
		return &a->growth[order[i]];
	}
	return NULL;
}

static const char *an(const char *noun)
{
	return strchr("aeiou", noun[0]) ? "an" : "a";
}

/* "+100.3 MiB an iteration, from the 2nd to the 40th": what a leak does, in one breath. */
static bool add_rate(struct view *view, const struct analysis *a,
		     const struct leaks_style *style)
{
	const struct finding *f = a->findings ? &a->finding[0] : NULL;
	char rate[SIZE_TEXT], first[SIZE_TEXT], last[SIZE_TEXT];

	if (!f || f->kind == FINDING_NOTE || f->bytes_per_iteration <= 0)
		return false;
	view_text(view, TONE_STRONG, "%s %s %s",
		  f->percent
			  ? share_text(&view->arena, f->bytes_per_iteration, 0, 0)
			  : size_format_change(rate, quantity_round(f->bytes_per_iteration), style->units),
		  an(f->unit), f->unit);
	view_text(view, TONE_PLAIN, ", from the %s to the %s of %s", ordinal_format(first, f->first),
		  ordinal_format(last, f->last), plural(&view->arena, a->iterations, f->unit));
	return true;
}

static void add_headline(struct view *view, const struct timeline *t, const struct analysis *a,
			 const struct leaks_style *style)
{
	static const struct {
		const char *word;
		enum tone tone;
	} verdicts[VERDICTS] = {
		[VERDICT_LEAK] = { "LEAK", TONE_BAD },
		[VERDICT_SUSPECT] = { "SUSPECT", TONE_WARN },
		[VERDICT_CLEAN] = { "clean", TONE_GOOD },
		[VERDICT_UNDECIDED] = { "undecided", TONE_WARN },
	};

	char size[SIZE_TEXT];

	view_paragraph(view, 0)->hang = 2;
	view_text(view, TONE_STRONG, "%s", t->name);
	view_text(view, TONE_PLAIN, "  ");
	if (a->verdict == VERDICT_LEAK && !leaks_count(a, style))
		view_text(view, TONE_DIM, "ignored");
	else
		view_text(view, verdicts[a->verdict].tone, "%s", verdicts[a->verdict].word);
	view_text(view, TONE_PLAIN, "  ");
	if (add_rate(view, a, style))
		return;
	view_text(view, TONE_PLAIN, "%s", a->why);
	if (a->verdict == VERDICT_CLEAN && a->smallest >= 0)
		view_text(view, TONE_PLAIN, "; %s%s %s %s or more would have shown over %s",
			  t->rows ? "hidden growth of " : "",
			  a->smallest_percent
				  ? arena_printf(&view->arena, "%.2f %% of the card", a->smallest / 100)
				  : size_format(size, (int64_t)ceil(a->smallest), style->units),
			  an(answer_unit(a->unit)), answer_unit(a->unit),
			  plural(&view->arena, a->iterations, answer_unit(a->unit)));
}

static void add_rows(struct view *view, const struct finding *f, const struct leaks_style *style)
{
	struct arena *arena = &view->arena;
	size_t shown = style->all || f->rows <= ROWS_SHOWN + 1 ? f->rows : ROWS_SHOWN;
	struct table *t;

	t = view_table(view, "rows");
	view->last->tight = true;
	t->omit_in_csv = true;
	t->indent = 6;
	t->headless = true;
	table_column(t, "row", CELL_TEXT);
	table_column(t, "count", CELL_TEXT);
	table_column(t, "bytes", CELL_TEXT);
	table_column(t, "history", CELL_TEXT);
	for (size_t i = 0; i < shown; i++) {
		const struct finding_row *r = &f->row[i];
		char size[SIZE_TEXT];

		table_row(t);
		cell_text(t, row_text(arena, r->shape ? r->shape : r->row->shape, r->row->dtype));
		cell_text(t, r->count_per_iteration > 0
				     ? arena_printf(arena, "+%.3g", r->count_per_iteration)
				     : "grows");
		cell_text(t,
			  size_format_change(size, quantity_round(r->bytes_per_iteration), style->units));
		cell_text(t, history_text(arena, r->history, r->iterations));
	}
	if (shown == f->rows)
		return;
	view_paragraph(view, 6)->tight = true;
	view_text(view, TONE_DIM, "%zu more rows (--all)", f->rows - shown);
}

static void add_labelled(struct view *view, const char *label, const char *text)
{
	struct block *block;

	if (!text)
		return;
	block = view_paragraph(view, 4);
	block->tight = true;
	block->hang = 6;
	view_text(view, TONE_STRONG, "%-6s", label);
	view_text(view, TONE_PLAIN, "%s", text);
}

static const char *where_text(struct arena *arena, const struct finding *f)
{
	const struct subject *s = f->subject;
	const char *site = f->site ? site_text(arena, f->site) : NULL;

	if (!s)
		return site ? site : "";
	return arena_printf(arena, "%s%s%s%s", s->is_process ? "process " : "",
			    subject_text(arena, s), site ? ", " : "", site ? site : "");
}

const struct suppression *leaks_ignored(const struct leaks_style *style,
					const struct finding *finding)
{
	const struct suppression *s = finding->kind == FINDING_NOTE
					      ? NULL
					      : policy_match(style->policy, finding, style->today);

	return s && !suppression_expired(s, style->today) ? s : NULL;
}

bool leaks_count(const struct analysis *analysis, const struct leaks_style *style)
{
	for (size_t i = 0; analysis->verdict == VERDICT_LEAK && i < analysis->findings; i++)
		if (analysis->finding[i].kind == FINDING_LEAK &&
		    !leaks_ignored(style, &analysis->finding[i]))
			return true;
	return false;
}

static void add_since(struct view *view, const struct leak_since *since)
{
	struct arena *arena = &view->arena;

	if (since->runs)
		add_labelled(view, "since",
			     arena_printf(arena, "%s: %s before this one %s it%s%s",
					  since->run_name,
					  plural(arena, (int64_t)since->runs, "run"),
					  since->runs == 1 ? "has" : "have",
					  since->run_before ? "; not in " : "",
					  since->run_before ? since->run_before : ""));
	else if (since->run_before)
		add_labelled(view, "since",
			     arena_printf(arena, "this run; not in %s", since->run_before));
}

/* What the policy file says of the finding, and a suppression that is over. */
static void add_ignored(struct view *view, const struct finding *f, const struct leaks_style *style)
{
	const struct suppression *s;

	if (f->kind == FINDING_NOTE || !(s = policy_match(style->policy, f, style->today)))
		return;
	add_labelled(view, "",
		     arena_printf(&view->arena, "%s %s: %s (%s:%" PRId64 ")",
				  suppression_expired(s, style->today) ? "was to be ignored until"
								       : "ignored until",
				  s->until, s->reason, style->policy->file, s->line));
}

static void add_finding(struct view *view, const struct finding *f,
			const struct leak_since *since,
			const struct leaks_style *style)
{
	static const enum tone tones[FINDING_KINDS] = {
		[FINDING_LEAK] = TONE_BAD, [FINDING_SUSPECT] = TONE_WARN, [FINDING_NOTE] = TONE_DIM
	};
	struct arena *arena = &view->arena;

	view_paragraph(view, 2)->hang = 2;
	view_text(view, tones[f->kind], "%s", f->cause);
	if (f->kind != FINDING_NOTE)
		view_text(view, TONE_PLAIN, "   %s %s %s",
			  f->percent
				  ? share_text(arena, f->bytes_per_iteration, f->low, f->high)
				  : rate_text(arena, f->bytes_per_iteration, f->low, f->high,
					      style->units),
			  an(f->unit), f->unit);
	view_text(view, TONE_PLAIN, "   %s", where_text(arena, f));
	if (f->rows) {
		view_paragraph(view, 4)->tight = true;
		view_text(view, TONE_PLAIN, "%s", plural(arena, (int64_t)f->rows, "tensor row"));
		view_text(view, TONE_PLAIN, f->rows == 1 ? " grows" : " grow together");
		if (f->handle && f->rows > 1)
			view_text(view, TONE_PLAIN, ", held through %s",
				  row_text(arena, f->handle->shape, f->handle->dtype));
		view_text(view, TONE_DIM, "; log lines %" PRId64 " to %" PRId64, f->first_line,
			  f->last_line);
		add_rows(view, f, style);
	}
	add_labelled(view, "", f->detail);
	add_labelled(view, "why", f->why);
	add_labelled(view, "fix", f->advice);
	add_since(view, since);
	add_ignored(view, f, style);
}

static void add_forecast(struct view *view, const struct analysis *a,
			 const struct leaks_style *style)
{
	const struct forecast *f = &a->forecast;
	char size[SIZE_TEXT], left[SIZE_TEXT], low[SIZE_TEXT], high[SIZE_TEXT], time[TIME_TEXT];

	if (!quantity_known(f->capacity) ||
	    (a->verdict != VERDICT_LEAK && a->verdict != VERDICT_SUSPECT))
		return;
	view_paragraph(view, 2);
	size_format(size, f->capacity, style->units);
	if (!f->in_sight) {
		view_text(view, TONE_PLAIN, "%s are not reached as far as this log can tell.",
			  size);
		return;
	}
	view_text(view, TONE_PLAIN, "%s are full in %s %ss", size, count_format(left, f->left),
		  answer_unit(a->unit));
	if (f->high == INT64_MAX)
		view_text(view, TONE_PLAIN, " (%s or more)", count_format(low, f->low));
	else if (f->low != f->high)
		view_text(view, TONE_PLAIN, " (%s to %s)", count_format(low, f->low),
			  count_format(high, f->high));
	if (f->seconds_left >= 0)
		view_text(view, TONE_PLAIN, ", about %s",
			  duration_format(time, f->seconds_left * SECOND));
	view_text(view, TONE_PLAIN, ".");
}

static void add_levels(struct view *view, const struct analysis *a,
		       const struct leaks_style *style)
{
	const char *name = NULL;
	const struct growth *g = headline_growth(a, &name);
	bool first = true;

	if (!g || a->verdict == VERDICT_UNDECIDED)
		return;
	view_paragraph(view, 2)->hang = 2;
	view_text(view, TONE_DIM, "growth a%s %s: ", strchr("aeiou", answer_unit(a->unit)[0]) ? "n" : "",
		  answer_unit(a->unit));
	for (int i = 0; i < GROWTH_LEVELS; i++) {
		if (!a->growth[i].known)
			continue;
		g = &a->growth[i];
		view_text(view, TONE_DIM, "%s%s %s", first ? "" : ", ", growth_level_names[i],
			  g->percent
				  ? share_text(&view->arena, g->estimate, g->low, g->high)
				  : rate_text(&view->arena, g->estimate, g->low, g->high,
					      style->units));
		first = false;
	}
}

void leaks_text(struct view *view, const struct timeline *t, const struct analysis *a,
		const struct leaks_style *style)
{
	add_headline(view, t, a, style);
	for (size_t i = 0; i < a->findings; i++)
		add_finding(view, &a->finding[i], &style->since[i], style);
	add_levels(view, a, style);
	if (!device_in_percent(t))
		add_forecast(view, a, style);
	if (a->log_next) {
		view_paragraph(view, 2)->hang = 2;
		view_text(view, TONE_PLAIN, "to learn more: %s", a->log_next);
	}
	if (style->next && a->verdict != VERDICT_CLEAN) {
		view_paragraph(view, 2)->hang = 2;
		view_text(view, TONE_DIM, "next: %s", style->next);
	}
}

void leaks_table_columns(struct table *t)
{
	table_column(t, "run", CELL_TEXT);
	table_column(t, "verdict", CELL_TEXT);
	table_column(t, "cause", CELL_TEXT);
	table_column(t, "kind", CELL_TEXT);
	table_column(t, "bytes_per_iteration", CELL_CHANGE);
	table_column(t, "low", CELL_CHANGE);
	table_column(t, "high", CELL_CHANGE);
	table_column(t, "file", CELL_TEXT);
	table_column(t, "line", CELL_INT);
	table_column(t, "function", CELL_TEXT);
	table_column(t, "label", CELL_TEXT);
	table_column(t, "shape", CELL_TEXT);
	table_column(t, "dtype", CELL_TEXT);
	table_column(t, "pid", CELL_INT);
	table_column(t, "why", CELL_TEXT);
	table_column(t, "advice", CELL_TEXT);
}

static void add_table_row(struct table *t, const struct timeline *timeline,
			  const struct analysis *a, const struct finding *f)
{
	const struct site *site = f ? f->site : a->site;
	const struct tensor_row *row = f && f->rows ? f->row[0].row : NULL;
	bool bytes = f && !f->percent;

	table_row(t);
	cell_text(t, timeline->name);
	cell_text(t, verdict_names[a->verdict]);
	cell_text(t, f ? f->cause : NULL);
	cell_text(t, f ? finding_kind_names[f->kind] : NULL);
	cell_int(t, bytes ? quantity_round(f->bytes_per_iteration) : QUANTITY_UNKNOWN);
	cell_int(t, bytes && isfinite(f->low) ? quantity_round(f->low) : QUANTITY_UNKNOWN);
	cell_int(t, bytes && isfinite(f->high) ? quantity_round(f->high) : QUANTITY_UNKNOWN);
	cell_text(t, site ? (site->file ? site->file : site->module) : NULL);
	cell_int(t, site && site->code_line ? site->code_line : QUANTITY_UNKNOWN);
	cell_text(t, site ? site->function : NULL);
	cell_text(t, site ? site->label : NULL);
	cell_text(t, row ? row->shape : NULL);
	cell_text(t, row ? row->dtype : NULL);
	cell_int(t, f && f->subject && f->subject->pid >= 0 ? f->subject->pid : QUANTITY_UNKNOWN);
	cell_text(t, f ? f->why : a->why);
	cell_text(t, f ? f->advice : NULL);
}

void leaks_table_rows(struct table *t, const struct timeline *timeline, const struct analysis *a)
{
	for (size_t i = 0; i < a->findings; i++)
		add_table_row(t, timeline, a, &a->finding[i]);
	if (!a->findings)
		add_table_row(t, timeline, a, NULL);
}
