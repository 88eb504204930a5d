#include <string.h>

#include "analysis/overhead.h"
#include "base/error.h"
#include "cmd/common.h"

struct overhead {
	bool all;
	struct view view;
	struct doc *runs;
	struct table *intervals, *parts; /* for csv; else NULL */
};

static const struct site *site_at(const struct timeline *t, size_t point)
{
	return t->position[point] >= 0 ? &t->site[t->position[point]] : NULL;
}

/* The printed step tells the unit: 0.1 MB is 100,000 bytes, 0.1 MiB is not. */
static const char *unit_name(const struct timeline *t)
{
	const struct series *total = overhead_total(t);

	return total && total->quantum % 1000 == 0 ? "MB" : "MiB";
}

static struct doc *run_doc(struct doc *runs, const struct timeline *t)
{
	struct doc *run = doc_add(runs, doc_object(runs->arena));

	doc_set_text(run, "name", t->name);
	doc_set_text(run, "unit", unit_name(t));
	return run;
}

static void add_interval_doc(struct doc *intervals, const struct timeline *t,
			     const struct overhead_interval *in)
{
	struct doc *doc = doc_add(intervals, doc_object(intervals->arena));

	doc_set(doc, "from", site_doc(intervals->arena, site_at(t, in->from)));
	doc_set(doc, "to", site_doc(intervals->arena, site_at(t, in->to)));
	doc_set_int(doc, "from_log_line", t->line[in->from]);
	doc_set_int(doc, "to_log_line", t->line[in->to]);
	doc_set_int(doc, "total_change", in->total_change);
	doc_set_int(doc, "visible_change", in->visible_change);
	doc_set_int(doc, "unexplained_change", in->unexplained_change);
	doc_set_int(doc, "tolerance", in->tolerance);
	doc_set_text(doc, "why", in->why);
}

/* For csv: one table of intervals, one of parts. */
static void start_tables(struct overhead *o)
{
	static const struct column intervals[] = {
		{ "run", CELL_TEXT },        { "from", CELL_TEXT },
		{ "to", CELL_TEXT },         { "total", CELL_CHANGE },
		{ "visible", CELL_CHANGE },  { "unexplained", CELL_CHANGE },
		{ "tolerance", CELL_BYTES }, { "why", CELL_TEXT },
	};
	static const struct column parts[] = {
		{ "run", CELL_TEXT },        { "part", CELL_TEXT }, { "bytes", CELL_BYTES },
		{ "tolerance", CELL_BYTES }, { "how", CELL_TEXT },  { "meaning", CELL_TEXT },
	};

	o->intervals = view_table(&o->view, "intervals");
	for (size_t i = 0; i < sizeof(intervals) / sizeof(*intervals); i++)
		table_column(o->intervals, intervals[i].name, intervals[i].type);
	o->parts = view_table(&o->view, "ledger");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		table_column(o->parts, parts[i].name, parts[i].type);
}

static void add_interval_row(struct table *table, const struct timeline *t,
			     const struct overhead_interval *in)
{
	table_row(table);
	cell_text(table, t->name);
	cell_text(table, site_text(table->arena, site_at(t, in->from)));
	cell_text(table, site_text(table->arena, site_at(t, in->to)));
	cell_int(table, in->total_change);
	cell_int(table, in->visible_change);
	cell_int(table, in->unexplained_change);
	cell_int(table, in->tolerance);
	cell_text(table, in->why);
}

static void add_interval_text(struct view *view, const struct timeline *t,
			      const struct overhead_interval *in)
{
	char total[SIZE_TEXT], visible[SIZE_TEXT], unexplained[SIZE_TEXT], tolerance[SIZE_TEXT];
	struct block *block = view_paragraph(view, 2);

	block->hang = 4;
	view_text(view, TONE_STRONG, "%s → %s", site_text(&view->arena, site_at(t, in->from)),
		  site_text(&view->arena, site_at(t, in->to)));
	view_text(view, TONE_PLAIN, "  total %s = tensors %s, unexplained %s (± %s)",
		  size_format_change(total, in->total_change, view->units),
		  size_format_change(visible, in->visible_change, view->units),
		  size_format_change(unexplained, in->unexplained_change, view->units),
		  size_format(tolerance, in->tolerance, view->units));
	block = view_paragraph(view, 6);
	block->tight = true;
	view_text(view, TONE_PLAIN, "%s", in->why);
}

static bool worth_telling(const struct overhead_interval *in)
{
	return in->visible_change || in->unexplained_change > in->tolerance ||
	       in->unexplained_change < -in->tolerance;
}

/* In a loop the same few intervals come again: the first ones are enough. */
enum { INTERVALS_SHOWN = 12 };

static void add_intervals(struct overhead *o, struct doc *run, const struct timeline *t)
{
	struct doc *intervals = doc_set(run, "intervals", doc_array(run->arena));
	struct overhead_interval in;
	size_t point, quiet = 0, shown = 0, more = 0;

	if (!overhead_first(t, &point))
		return;
	while (overhead_next(t, point, &in)) {
		point = in.to;
		add_interval_doc(intervals, t, &in);
		if (o->intervals)
			add_interval_row(o->intervals, t, &in);
		else if (!worth_telling(&in) && !o->all)
			quiet++;
		else if (shown >= INTERVALS_SHOWN && !o->all)
			more++;
		else if (++shown)
			add_interval_text(&o->view, t, &in);
	}
	if (o->intervals || !(quiet || more))
		return;
	view_paragraph(&o->view, 2);
	view_text(&o->view, TONE_DIM, "%s%s%s%s (--all)",
		  quiet ? plural(&o->view.arena, (int64_t)quiet, "interval") : "",
		  quiet ? " in which nothing changed" : "", quiet && more ? "; " : "",
		  more ? plural(&o->view.arena, (int64_t)more, "more interval") : "");
}

static void add_part_text(struct table *table, const struct ledger_part *p)
{
	char tolerance[SIZE_TEXT];

	table_row(table);
	cell_text(table, p->part);
	cell_int(table, p->bytes);
	cell_text(table, p->tolerance ? arena_printf(table->arena, "± %s",
						     size_format(tolerance, p->tolerance, SIZE_IEC))
				      : "exact");
	cell_text(table, ledger_how_names[p->how]);
}

static void add_part(struct overhead *o, struct doc *parts, struct table *table,
		     const struct timeline *t, const struct ledger_part *p)
{
	struct doc *doc = doc_add(parts, doc_object(parts->arena));

	doc_set_text(doc, "part", p->part);
	doc_set_int(doc, "bytes", p->bytes);
	doc_set_text(doc, "how", ledger_how_names[p->how]);
	doc_set_int(doc, "tolerance", p->tolerance);
	if (table) {
		add_part_text(table, p);
		return;
	}
	table_row(o->parts);
	cell_text(o->parts, t->name);
	cell_text(o->parts, p->part);
	cell_int(o->parts, p->bytes);
	cell_int(o->parts, p->tolerance);
	cell_text(o->parts, ledger_how_names[p->how]);
	cell_text(o->parts, p->meaning);
}

static void add_ledger(struct overhead *o, struct doc *run, const struct timeline *t)
{
	struct doc *parts = doc_set(run, "ledger", doc_array(run->arena));
	struct view *view = &o->view;
	struct table *table = NULL;
	struct ledger ledger;
	char size[SIZE_TEXT];

	if (!overhead_ledger(t, &ledger)) {
		if (o->parts)
			return;
		view_paragraph(view, 2);
		view_text(view, TONE_PLAIN, "this log has no total to compare tensors with");
		return;
	}
	if (!o->parts) {
		view_paragraph(view, 2);
		view_text(view, TONE_PLAIN, "At its peak, %s, %s %s:",
			  site_text(&view->arena, site_at(t, ledger.point)),
			  size_format(size, ledger.total, view->units), ledger.total_name);
		table = view_table(view, "ledger");
		table->indent = 4;
		table_column(table, "part", CELL_TEXT);
		table_column(table, "size", CELL_BYTES);
		table_column(table, "known to", CELL_TEXT);
		table_column(table, "how", CELL_TEXT);
	}
	for (size_t i = 0; i < ledger.parts; i++)
		add_part(o, parts, table, t, &ledger.part[i]);
	for (size_t i = 0; table && i < ledger.parts; i++) {
		struct block *block = view_paragraph(view, 4);

		block->tight = i > 0;
		block->hang = 2;
		view_text(view, TONE_DIM, "%s: %s", ledger.part[i].part, ledger.part[i].meaning);
	}
}

static int show_run(void *context, const struct run_visit *visit)
{
	struct overhead *o = context;
	struct doc *doc = run_doc(o->runs, visit->timeline);

	if (!o->parts) {
		view_paragraph(&o->view, 0);
		view_text(&o->view, TONE_STRONG, "%s", visit->timeline->name);
	}
	add_intervals(o, doc, visit->timeline);
	add_ledger(o, doc, visit->timeline);
	return 0;
}

static int run(const struct common *common, struct overhead *o, const struct arguments *rest)
{
	int rc;

	o->view.units = common_units(common);
	o->view.doc = doc_object(&o->view.arena);
	doc_set_text(o->view.doc, "schema", "memlog.overhead/1");
	o->runs = doc_set(o->view.doc, "runs", doc_array(&o->view.arena));
	if (!strcmp(common->format, "csv"))
		start_tables(o);
	rc = common_each_run(common, rest, show_run, o);
	if (!rc)
		rc = common_print(common, &o->view);
	view_release(&o->view);
	return rc;
}

int cmd_overhead(const struct command *self, int argc, const char **argv)
{
	struct overhead o = { .view = VIEW_INIT };
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, &o.all, NULL,
		  "every interval, also where nothing changed" },
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
