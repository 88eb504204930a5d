#include <string.h>

#include "base/error.h"
#include "cmd/common.h"
#include "cmd/leaks_view.h"

struct show {
	bool notes, all, people;
	int at;
	struct view view;
};

enum { POINTS_SHOWN = 40 };

static int add_note(void *context, const struct note *note)
{
	struct table *t = context;

	table_row(t);
	cell_int(t, note->line);
	cell_text(t, note->code);
	cell_text(t, note->text);
	return 0;
}

/* A table would cut the reason, which is what a person came for. */
static int tell_note(void *context, const struct note *note)
{
	struct view *view = context;
	struct block *block = view_paragraph(view, 0);

	block->hang = 4;
	block->tight = true;
	view_text(view, TONE_STRONG, "line %lld  %s", (long long)note->line, note->code);
	view_text(view, TONE_PLAIN, ": %s", note->text);
	return 0;
}

static int show_notes(struct store *store, const struct timeline *t, const struct show *o,
		      struct view *view)
{
	struct table *table;

	if (o->people)
		return store_read_notes(store, t->run, tell_note, view);
	table = view_table(view, "notes");
	table_column(table, "line", CELL_INT);
	table_column(table, "code", CELL_TEXT);
	table_column(table, "text", CELL_TEXT);
	return store_read_notes(store, t->run, add_note, table);
}

/* The columns of the timeline: levels the run has, then its devices and processes. */
static void add_columns(struct table *table, const struct timeline *t)
{
	table_column(table, "point", CELL_INT);
	table_column(table, "line", CELL_INT);
	if (t->time)
		table_column(table, "time", CELL_TIME);
	table_column(table, "position", CELL_TEXT);
	for (int l = 0; l <= LEVEL_RESERVED; l++)
		if (t->level[l].value)
			table_column(table, level_names[l], CELL_BYTES);
	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i];
		struct arena *a = table->arena;

		table_column(table, arena_printf(a, "%s%s", subject_text(a, s), s->used.percent ? " %" : ""),
			     s->used.percent ? CELL_REAL : CELL_BYTES);
	}
}

static void add_point(struct table *table, const struct timeline *t, size_t i)
{
	const struct site *site = timeline_site(t, i);

	table_row(table);
	cell_int(table, (int64_t)i + 1);
	cell_int(table, t->line[i]);
	if (t->time)
		cell_int(table, t->time[i]);
	cell_text(table, site ? site_text(table->arena, site) : NULL);
	for (int l = 0; l <= LEVEL_RESERVED; l++)
		if (t->level[l].value)
			cell_int(table, t->level[l].value[i]);
	for (size_t s = 0; s < t->subjects; s++) {
		int64_t used = t->subject[s].used.value[i];

		if (!t->subject[s].used.percent)
			cell_int(table, used);
		else if (quantity_known(used))
			cell_real(table, (double)used / 100);
		else
			cell_null(table);
	}
}

static int show_points(struct store *store, const struct timeline *t, const struct show *o,
		       struct view *view)
{
	struct table *table = view_table(view, "timeline");
	size_t skipped = 0;

	(void)store;
	add_columns(table, t);
	for (size_t i = 0; i < t->points; i++) {
		/* The head and the tail tell the story; machines get all. */
		if (!o->all && t->points > POINTS_SHOWN && i == POINTS_SHOWN / 2) {
			skipped = t->points - POINTS_SHOWN;
			i += skipped;
		}
		add_point(table, t, i);
	}
	if (skipped) {
		view_paragraph(view, 0)->tight = true;
		view_text(view, TONE_DIM, "%s in the middle left out (--all)",
			  plural(&view->arena, (int64_t)skipped, "point"));
	}
	return 0;
}

static int64_t count_at(const struct tensor_row *row, size_t point)
{
	int64_t count = 0;

	for (size_t i = 0; i < row->nchanges && row->change[i].point <= point; i++)
		count = row->change[i].count;
	return count;
}

static int show_tensors(struct store *store, const struct timeline *t, const struct show *o,
			struct view *view)
{
	struct table *table;
	size_t point = (size_t)o->at - 1;
	char size[SIZE_TEXT];

	(void)store;
	if (o->at < 1 || point >= t->points)
		return error_usage("memlog show: %s has points 1 to %zu, not %d", t->name,
				   t->points, o->at);
	view_paragraph(view, 0);
	view_text(view, TONE_STRONG, "%s", t->name);
	view_text(view, TONE_PLAIN, ", point %d, line %lld, %s: %s of tensors", o->at,
		  (long long)t->line[point], site_text(&view->arena, timeline_site(t, point)),
		  size_format(size,
			      t->level[LEVEL_VISIBLE].value ? t->level[LEVEL_VISIBLE].value[point]
							    : QUANTITY_UNKNOWN,
			      view->units));
	table = view_table(view, "tensors");
	table_column(table, "shape", CELL_TEXT);
	table_column(table, "dtype", CELL_TEXT);
	table_column(table, "class", CELL_TEXT);
	table_column(table, "count", CELL_INT);
	table_column(table, "bytes", CELL_BYTES);
	for (size_t i = 0; i < t->rows; i++) {
		const struct tensor_row *row = &t->row[i];
		int64_t count = count_at(row, point);

		if (!count)
			continue;
		table_row(table);
		cell_text(table, row->shape);
		cell_text(table, row->dtype);
		cell_text(table, row->class_name);
		cell_int(table, count);
		cell_int(table, quantity_mul(count, quantity_mul(row->numel, row->itemsize)));
	}
	return 0;
}

static int show_run(void *context, const struct run_visit *visit)
{
	struct show *o = context;

	if (visit->runs > 1) {
		view_paragraph(&o->view, 0);
		view_text(&o->view, TONE_STRONG, "%s", visit->timeline->name);
	}
	return (o->notes ? show_notes
		: o->at  ? show_tensors
			 : show_points)(visit->store, visit->timeline, o, &o->view);
}

static int run(const struct common *common, struct show *o, const struct arguments *rest)
{
	int rc;

	/* Data formats leave nothing out. */
	o->people = common_is_for_people(common);
	o->all |= !o->people;
	o->view.units = common_units(common);
	rc = common_each_run(common, rest, show_run, o);
	if (!rc)
		rc = common_print(common, &o->view);
	view_release(&o->view);
	return rc;
}

int cmd_show(const struct command *self, int argc, const char **argv)
{
	struct show o = { .view = VIEW_INIT };
	const struct option table[] = {
		{ "at", 0, OPT_INT, &o.at, "N", "the live tensors at point N (from 1)" },
		{ "notes", 0, OPT_FLAG, &o.notes, NULL,
		  "damage, decisions and oddities, by line of the log" },
		{ "all", 'a', OPT_FLAG, &o.all, NULL, "every point" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc)
		rc = run(&common, &o, &rest);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
