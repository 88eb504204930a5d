#include "cmd/diff_view.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/leaks_view.h"

enum { SHOWN = 8 };

static int64_t difference(const int64_t v[2])
{
	return quantity_known(v[0]) && quantity_known(v[1]) ? v[1] - v[0] : QUANTITY_UNKNOWN;
}

/* QUANTITY_UNKNOWN: there is none, or not in bytes. */
static int64_t rate_of(const struct finding *f)
{
	return f && !f->percent ? quantity_round(f->bytes_per_iteration) : QUANTITY_UNKNOWN;
}

/* "+1.0 MiB", or the share of a card whose size the log does not tell. */
static const char *rate_text(struct view *view, const struct finding *f)
{
	char size[SIZE_TEXT];

	if (f->percent)
		return arena_printf(&view->arena, "%+.2f %% of the card",
				    f->bytes_per_iteration / 100);
	return arena_printf(&view->arena, "%s",
			    size_format_change(size, quantity_round(f->bytes_per_iteration), view->units));
}

static const char *name_of(const struct diff *d, int side)
{
	return d->side[side].timeline->name;
}

/* ---- tables ---- */

static struct table *add_table(struct view *view, const char *name, const struct column *column,
			       size_t n)
{
	struct table *t = view_table(view, name);

	t->indent = 2;
	for (size_t i = 0; i < n; i++)
		table_column(t, column[i].name, column[i].type);
	return t;
}

#define TABLE(view, name, columns) \
	add_table((view), (name), (columns), sizeof(columns) / sizeof(*(columns)))

static void add_levels(struct view *view, const struct diff *d)
{
	const struct column columns[] = {
		{ "level", CELL_TEXT },           { name_of(d, 0), CELL_BYTES },
		{ name_of(d, 1), CELL_BYTES },    { "difference", CELL_CHANGE },
		{ "growth before", CELL_CHANGE }, { "growth now", CELL_CHANGE },
	};
	struct table *t = TABLE(view, "levels", columns);

	for (size_t i = 0; i < d->levels; i++) {
		const struct diff_level *l = &d->level[i];

		table_row(t);
		cell_text(t, level_names[l->level]);
		cell_int(t, l->peak[0]);
		cell_int(t, l->peak[1]);
		cell_int(t, difference(l->peak));
		cell_int(t, l->growth[0]);
		cell_int(t, l->growth[1]);
	}
}

static size_t add_tensors(struct view *view, const struct diff *d, size_t most)
{
	const struct column columns[] = {
		{ "", CELL_TEXT },
		{ "tensor", CELL_TEXT },
		{ "count before", CELL_INT },
		{ "count now", CELL_INT },
		{ "difference", CELL_CHANGE },
	};
	struct table *t = NULL;
	size_t more = 0;

	for (size_t i = 0; i < d->tensors; i++) {
		const struct diff_tensor *r = &d->tensor[i];

		if (r->change == DIFF_SAME)
			continue;
		if (!t)
			t = TABLE(view, "tensors", columns);
		if (table_rows(t) >= most) {
			more++;
			continue;
		}
		table_row(t);
		cell_text(t, diff_change_names[r->change]);
		cell_text(t, row_text(t->arena, r->shape, r->dtype));
		cell_int(t, r->count[0]);
		cell_int(t, r->count[1]);
		cell_int(t, r->bytes[1] - r->bytes[0]);
	}
	return more;
}

static size_t add_positions(struct view *view, const struct diff *d, size_t most)
{
	const struct column columns[] = {
		{ "", CELL_TEXT },
		{ "position", CELL_TEXT },
		{ "visits before", CELL_INT },
		{ "visits now", CELL_INT },
		{ "peak there", CELL_CHANGE },
	};
	struct table *t = NULL;
	size_t more = 0;

	for (size_t i = 0; i < d->positions; i++) {
		const struct diff_position *p = &d->position[i];

		if (p->change == DIFF_SAME && p->visits[0] == p->visits[1])
			continue;
		if (!t)
			t = TABLE(view, "positions", columns);
		if (table_rows(t) >= most) {
			more++;
			continue;
		}
		table_row(t);
		cell_text(t, diff_change_names[p->change]);
		cell_text(t, site_text(t->arena, p->site));
		cell_int(t, p->visits[0]);
		cell_int(t, p->visits[1]);
		cell_int(t, difference(p->peak));
	}
	return more;
}

static void add_findings_table(struct view *view, const struct diff *d)
{
	static const struct column columns[] = {
		{ "change", CELL_TEXT },   { "cause", CELL_TEXT },    { "kind", CELL_TEXT },
		{ "position", CELL_TEXT }, { "before", CELL_CHANGE }, { "now", CELL_CHANGE },
	};
	struct table *t = TABLE(view, "findings", columns);

	for (size_t i = 0; i < d->findings; i++) {
		const struct diff_finding *f = &d->finding[i];
		const struct finding *told = f->finding[1] ? f->finding[1] : f->finding[0];

		table_row(t);
		cell_text(t, diff_change_names[f->change]);
		cell_text(t, told->cause);
		cell_text(t, finding_kind_names[told->kind]);
		cell_text(t, told->site ? site_text(t->arena, told->site) : NULL);
		for (int k = 0; k < 2; k++)
			cell_int(t, rate_of(f->finding[k]));
	}
}

void diff_tables(struct view *view, const struct diff *d)
{
	add_levels(view, d);
	add_tensors(view, d, SIZE_MAX);
	add_positions(view, d, SIZE_MAX);
	add_findings_table(view, d);
}

/* ---- sentences ---- */

static void add_verdicts(struct view *view, const struct diff *d)
{
	static const enum tone tones[VERDICTS] = { [VERDICT_LEAK] = TONE_BAD,
						   [VERDICT_SUSPECT] = TONE_WARN,
						   [VERDICT_CLEAN] = TONE_GOOD,
						   [VERDICT_UNDECIDED] = TONE_WARN };
	enum verdict a = d->side[0].analysis->verdict, b = d->side[1].analysis->verdict;

	view_text(view, tones[a], "%s", verdict_names[a]);
	if (a == b) {
		view_text(view, TONE_PLAIN, " in both");
		return;
	}
	view_text(view, TONE_PLAIN, " before, ");
	view_text(view, tones[b], "%s", verdict_names[b]);
	view_text(view, TONE_PLAIN, " now");
}

static const struct diff_level *total_of(const struct diff *d)
{
	for (size_t i = 0; i < d->levels; i++)
		if (d->level[i].level == d->total)
			return &d->level[i];
	return NULL;
}

static void add_headline(struct view *view, const struct diff *d)
{
	const struct diff_level *total = total_of(d);
	char change[SIZE_TEXT], now[SIZE_TEXT];

	view_paragraph(view, 0)->hang = 2;
	view_text(view, TONE_STRONG, "%s against %s", name_of(d, 1), name_of(d, 0));
	view_text(view, TONE_PLAIN, "  ");
	add_verdicts(view, d);
	if (!total)
		return;
	view_text(view, TONE_PLAIN, "; %s memory peaks at %s, ", level_names[total->level],
		  size_format(now, total->peak[1], view->units));
	if (total->change == DIFF_SAME)
		view_text(view, TONE_PLAIN, "as before");
	else
		view_text(view, total->change == DIFF_GREW ? TONE_BAD : TONE_GOOD, "%s",
			  size_format_change(change, difference(total->peak), view->units));
}

/* The dialects' totals are different things: say which. */
static void add_doubt(struct view *view, const struct diff *d)
{
	const char *a = NULL, *b = NULL;

	for (size_t i = 0; i < d->levels; i++) {
		if (d->level[i].level == LEVEL_VISIBLE)
			continue;
		if (quantity_known(d->level[i].peak[0]) && !quantity_known(d->level[i].peak[1]))
			a = level_names[d->level[i].level];
		if (quantity_known(d->level[i].peak[1]) && !quantity_known(d->level[i].peak[0]))
			b = level_names[d->level[i].level];
	}
	if (!a || !b)
		return;
	view_paragraph(view, 2)->hang = 2;
	view_text(view, TONE_WARN,
		  "The totals mean different things: %s prints %s memory, %s %s memory. Only what "
		  "both have is compared.",
		  name_of(d, 0), a, name_of(d, 1), b);
}

static void add_finding(struct view *view, const struct diff_finding *f)
{
	const struct finding *told = f->finding[1] ? f->finding[1] : f->finding[0];
	bool note = told->kind == FINDING_NOTE;
	const char *now;

	view_paragraph(view, 2)->hang = 4;
	view_text(view,
		  note                     ? TONE_DIM
		  : f->change == DIFF_WENT ? TONE_GOOD
		  : f->change == DIFF_SAME ? TONE_PLAIN
					   : TONE_BAD,
		  "%s", diff_change_names[f->change]);
	view_text(view, TONE_STRONG, "  %s", told->cause);
	if (told->site)
		view_text(view, TONE_PLAIN, "  %s", site_text(&view->arena, told->site));
	if (note)
		return;
	now = rate_text(view, told);
	if (f->finding[0] && f->finding[1] && f->change != DIFF_SAME)
		view_text(view, TONE_PLAIN, "  %s, now %s a%s %s",
			  rate_text(view, f->finding[0]), now,
			  strchr("aeiou", told->unit[0]) ? "n" : "", told->unit);
	else
		view_text(view, TONE_PLAIN, "  %s a%s %s", now,
			  strchr("aeiou", told->unit[0]) ? "n" : "", told->unit);
}

static void add_more(struct view *view, size_t more, const char *noun)
{
	if (!more)
		return;
	view_paragraph(view, 2)->tight = true;
	view_text(view, TONE_DIM, "%s (--all)", plural(&view->arena, (int64_t)more, noun));
}

void diff_text(struct view *view, const struct diff *d, bool all)
{
	size_t most = all ? SIZE_MAX : SHOWN;

	add_headline(view, d);
	add_doubt(view, d);
	for (size_t i = 0; i < d->findings; i++)
		if (all || d->finding[i].change != DIFF_SAME ||
		    (d->finding[i].finding[1]->kind != FINDING_NOTE))
			add_finding(view, &d->finding[i]);
	add_levels(view, d);
	add_more(view, add_tensors(view, d, most), "more tensor row");
	add_more(view, add_positions(view, d, most), "more position");
}

/* ---- json ---- */

static void set_pair(struct doc *doc, const char *a, const char *b, const int64_t v[2])
{
	doc_set_int(doc, a, v[0]);
	doc_set_int(doc, b, v[1]);
}

static void add_runs_doc(struct doc *root, const struct diff *d)
{
	struct doc *runs = doc_set(root, "runs", doc_array(root->arena));

	for (int i = 0; i < 2; i++) {
		struct doc *run = doc_add(runs, doc_object(runs->arena));

		doc_set_text(run, "name", name_of(d, i));
		doc_set_text(run, "dialect", d->side[i].timeline->dialect);
		doc_set_text(run, "verdict", verdict_names[d->side[i].analysis->verdict]);
	}
}

static void add_levels_doc(struct doc *root, const struct diff *d)
{
	struct doc *list = doc_set(root, "levels", doc_array(root->arena));

	for (size_t i = 0; i < d->levels; i++) {
		struct doc *doc = doc_add(list, doc_object(list->arena));

		doc_set_text(doc, "level", level_names[d->level[i].level]);
		set_pair(doc, "peak_before", "peak_now", d->level[i].peak);
		doc_set_int(doc, "peak_change", difference(d->level[i].peak));
		doc_set_int(doc, "tolerance", d->level[i].tolerance);
		set_pair(doc, "growth_before", "growth_now", d->level[i].growth);
		doc_set_text(doc, "change", diff_change_names[d->level[i].change]);
	}
}

static void add_positions_doc(struct doc *root, const struct diff *d)
{
	struct doc *list = doc_set(root, "positions", doc_array(root->arena));

	for (size_t i = 0; i < d->positions; i++) {
		struct doc *doc = doc_add(list, doc_object(list->arena));

		doc_set(doc, "site", site_doc(list->arena, d->position[i].site));
		set_pair(doc, "visits_before", "visits_now", d->position[i].visits);
		set_pair(doc, "peak_before", "peak_now", d->position[i].peak);
		doc_set_text(doc, "change", diff_change_names[d->position[i].change]);
	}
}

static void add_tensors_doc(struct doc *root, const struct diff *d)
{
	struct doc *list = doc_set(root, "tensors", doc_array(root->arena));

	for (size_t i = 0; i < d->tensors; i++) {
		struct doc *doc = doc_add(list, doc_object(list->arena));

		doc_set_text(doc, "shape", d->tensor[i].shape);
		doc_set_text(doc, "dtype", d->tensor[i].dtype);
		set_pair(doc, "count_before", "count_now", d->tensor[i].count);
		doc_set_int(doc, "bytes_change", d->tensor[i].bytes[1] - d->tensor[i].bytes[0]);
		doc_set_text(doc, "change", diff_change_names[d->tensor[i].change]);
	}
}

static void add_findings_doc(struct doc *root, const struct diff *d)
{
	struct doc *list = doc_set(root, "findings", doc_array(root->arena));

	for (size_t i = 0; i < d->findings; i++) {
		const struct diff_finding *f = &d->finding[i];
		const struct finding *told = f->finding[1] ? f->finding[1] : f->finding[0];
		struct doc *doc = doc_add(list, doc_object(list->arena));

		doc_set_text(doc, "change", diff_change_names[f->change]);
		doc_set_text(doc, "cause", told->cause);
		doc_set_text(doc, "kind", finding_kind_names[told->kind]);
		doc_set(doc, "site", site_doc(list->arena, told->site));
		doc_set_int(doc, "bytes_per_iteration_before", rate_of(f->finding[0]));
		doc_set_int(doc, "bytes_per_iteration_now", rate_of(f->finding[1]));
	}
}

void diff_doc(struct doc *root, const struct diff *d)
{
	add_runs_doc(root, d);
	doc_set_text(root, "compared", d->total < LEVELS ? level_names[d->total] : NULL);
	add_levels_doc(root, d);
	add_positions_doc(root, d);
	add_tensors_doc(root, d);
	add_findings_doc(root, d);
}
