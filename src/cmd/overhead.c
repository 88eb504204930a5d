#include <string.h>

#include "analysis/overhead.h"
#include "base/error.h"
#include "cmd/common.h"

struct overhead {
	bool all;
	struct view view;
	struct doc *runs;
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

static void start_table(struct table *t, bool ledger)
{
	table_column(t, "run", CELL_TEXT);
	if (ledger) {
		table_column(t, "part", CELL_TEXT);
		table_column(t, "bytes", CELL_BYTES);
		table_column(t, "tolerance", CELL_BYTES);
		table_column(t, "how", CELL_TEXT);
		table_column(t, "meaning", CELL_TEXT);
		return;
	}
	table_column(t, "from", CELL_TEXT);
	table_column(t, "to", CELL_TEXT);
	table_column(t, "total", CELL_CHANGE);
	table_column(t, "visible", CELL_CHANGE);
	table_column(t, "unexplained", CELL_CHANGE);
	table_column(t, "why", CELL_TEXT);
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
	cell_text(table, in->why);
}

static bool worth_a_row(const struct overhead_interval *in)
{
	return in->visible_change || in->unexplained_change > in->tolerance ||
	       in->unexplained_change < -in->tolerance;
}

/* Intervals where something moved; in a loop the same few come again, so the largest are enough. */
enum { INTERVALS_SHOWN = 12 };

static void add_intervals(struct view *view, struct doc *run, const struct timeline *t,
			  const struct overhead *o)
{
	struct doc *intervals = doc_set(run, "intervals", doc_array(run->arena));
	struct table *table = NULL;
	struct overhead_interval in;
	size_t point, quiet = 0, more = 0;

	if (!overhead_first(t, &point))
		return;
	while (overhead_next(t, point, &in)) {
		point = in.to;
		add_interval_doc(intervals, t, &in);
		if (!worth_a_row(&in) && !o->all) {
			quiet++;
			continue;
		}
		if (!o->all && table && table_rows(table) >= INTERVALS_SHOWN) {
			more++;
			continue;
		}
		if (!table)
			start_table(table = view_table(view, "intervals"), false);
		add_interval_row(table, t, &in);
	}
	if (quiet || more) {
		view_paragraph(view, 0)->tight = table != NULL;
		view_text(view, TONE_DIM, "%s%s%s%s (--all)",
			  quiet ? plural(&view->arena, (int64_t)quiet, "interval") : "",
			  quiet ? " in which nothing changed" : "", quiet && more ? "; " : "",
			  more ? plural(&view->arena, (int64_t)more, "more interval") : "");
	}
}

static void add_ledger(struct view *view, struct doc *run, const struct timeline *t)
{
	struct doc *parts = doc_set(run, "ledger", doc_array(run->arena));
	struct table *table;
	struct ledger ledger;
	char size[SIZE_TEXT];

	if (!overhead_ledger(t, &ledger)) {
		view_paragraph(view, 0)->hang = 2;
		view_text(view, TONE_PLAIN, "%s: this log has no total to compare tensors with", t->name);
		return;
	}
	view_paragraph(view, 0);
	view_text(view, TONE_STRONG, "%s", t->name);
	view_text(view, TONE_PLAIN, "  at its peak, %s, %s %s:",
		  site_text(&view->arena, site_at(t, ledger.point)),
		  size_format(size, ledger.total, view->units), ledger.total_name);
	table = view_table(view, "ledger");
	table->indent = 2;
	start_table(table, true);
	for (size_t i = 0; i < ledger.parts; i++) {
		const struct ledger_part *p = &ledger.part[i];
		struct doc *doc = doc_add(parts, doc_object(run->arena));

		doc_set_text(doc, "part", p->part);
		doc_set_int(doc, "bytes", p->bytes);
		doc_set_text(doc, "how", ledger_how_names[p->how]);
		doc_set_int(doc, "tolerance", p->tolerance);
		table_row(table);
		cell_text(table, t->name);
		cell_text(table, p->part);
		cell_int(table, p->bytes);
		cell_int(table, p->tolerance);
		cell_text(table, ledger_how_names[p->how]);
		cell_text(table, p->meaning);
	}
}

static int show_run(void *context, const struct run_visit *visit)
{
	struct overhead *o = context;
	struct doc *doc = run_doc(o->runs, visit->timeline);

	add_intervals(&o->view, doc, visit->timeline, o);
	add_ledger(&o->view, doc, visit->timeline);
	return 0;
}

static int run(const struct common *common, struct overhead *o, const struct arguments *rest)
{
	int rc;

	o->view.units = common_units(common);
	o->view.doc = doc_object(&o->view.arena);
	doc_set_text(o->view.doc, "schema", "memlog.overhead/1");
	o->runs = doc_set(o->view.doc, "runs", doc_array(&o->view.arena));
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
		{ "all", 'a', OPT_FLAG, &o.all, NULL, "every interval, also where nothing changed" },
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
