#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "cmd/common.h"
#include "cmd/joined_view.h"
#include "cmd/overhead_view.h"

struct overhead {
	bool all, json;
	int from, to; /* points, from 1; 0: not given */
	struct view view;
	struct doc *runs;
	struct table *intervals, *parts; /* for csv; else NULL */
	VEC(struct first_tensors) first;
};

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

static bool worth_telling(const struct overhead_interval *in)
{
	return in->visible_change || in->unexplained_change > in->tolerance ||
	       in->unexplained_change < -in->tolerance;
}

/* In a loop the same few intervals come again: the first ones are enough. */
enum { INTERVALS_SHOWN = 12 };

struct told {
	size_t quiet, shown, more;
};

static void tell_interval(struct overhead *o, struct told *told, const struct timeline *t,
			  const struct overhead_interval *in, size_t times)
{
	if (!worth_telling(in) && !o->all)
		told->quiet += times;
	else if (told->shown >= INTERVALS_SHOWN && !o->all)
		told->more += times;
	else if (++told->shown)
		overhead_interval_text(&o->view, t, in, times, false);
}

/* Intervals between the same two places, one after the other, are told as one. */
static size_t next_stretch(const struct overhead *o, const struct timeline *t, size_t point,
			   struct overhead_interval *out)
{
	struct overhead_interval in;
	size_t times = 0, from = point;

	while (overhead_next(t, point, &in)) {
		if (times && (o->all || t->position[in.from] != t->position[out->from] ||
			      t->position[in.to] != t->position[out->to]))
			break;
		point = in.to;
		times++;
		overhead_between(t, from, point, out);
	}
	return times;
}

static void tell_intervals(struct overhead *o, const struct timeline *t)
{
	struct told told = { 0 };
	struct overhead_interval in;
	size_t point, times;

	if (!overhead_first(t, &point))
		return;
	while ((times = next_stretch(o, t, point, &in)) > 0) {
		point = in.to;
		tell_interval(o, &told, t, &in, times);
	}
	if (!told.quiet && !told.more)
		return;
	view_paragraph(&o->view, 2);
	view_text(&o->view, TONE_DIM, "%s%s%s%s (--all)",
		  told.quiet ? plural(&o->view.arena, (int64_t)told.quiet, "interval") : "",
		  told.quiet ? " in which nothing changed" : "",
		  told.quiet && told.more ? "; " : "",
		  told.more ? plural(&o->view.arena, (int64_t)told.more, "more interval") : "");
}

static void add_intervals(struct overhead *o, struct doc *run, const struct timeline *t)
{
	struct doc *intervals = doc_set(run, "intervals", doc_array(run->arena));
	struct overhead_interval in;
	size_t point;

	if (!overhead_first(t, &point))
		return;
	while (overhead_next(t, point, &in)) {
		point = in.to;
		/* Thousands of them, which only machines read. */
		if (o->json)
			overhead_interval_doc(intervals, t, &in);
		if (o->intervals)
			overhead_interval_row(o->intervals, t, &in);
	}
	if (!o->intervals)
		tell_intervals(o, t);
}

/* --from N --to M: one interval, and the ledger at its end. */
static int add_one_interval(struct overhead *o, struct doc *run, const struct timeline *t,
			    size_t *end)
{
	struct doc *intervals = doc_set(run, "intervals", doc_array(run->arena));
	size_t from = o->from ? (size_t)o->from - 1 : 0;
	size_t to = o->to ? (size_t)o->to - 1 : t->points - 1;
	struct overhead_interval in;

	if (from >= to || to >= t->points)
		return error_usage("memlog overhead: %s has points 1 to %zu; name two of them with "
				   "--from N --to M",
				   t->name, t->points);
	if (!overhead_between(t, from, to, &in))
		return error_usage("memlog overhead: %s has no total at point %zu or %zu; see "
				   "memlog show %s",
				   t->name, from + 1, to + 1, t->name);
	overhead_interval_doc(intervals, t, &in);
	if (o->intervals)
		overhead_interval_row(o->intervals, t, &in);
	else
		overhead_interval_text(&o->view, t, &in, 1, true);
	*end = to;
	return 0;
}

static void add_ledger(struct overhead *o, struct doc *run, const struct timeline *t,
		       const struct ledger *ledger)
{
	struct roles roles;

	doc_set(run, "at", site_doc(run->arena, timeline_site(t, ledger->point)));
	doc_set_text(run, "total_name", ledger->total_name);
	doc_set_int(run, "total", ledger->total);
	overhead_ledger_doc(run, ledger);
	roles_guess(&roles, &o->view.arena, t, ledger->point);
	overhead_roles_doc(run, &roles);
	if (o->parts) {
		overhead_ledger_rows(o->parts, t, ledger);
		return;
	}
	overhead_ledger_text(&o->view, ledger);
	overhead_roles_text(&o->view, &roles);
}

/* A monitor's log: a ledger for each device. */
static bool add_devices(struct overhead *o, struct doc *run, const struct timeline *t)
{
	struct doc *devices = doc_set(run, "devices", doc_array(run->arena));
	struct ledger ledger;
	bool found = false;

	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i];
		struct doc *device;

		if (s->is_process || s->used.percent || !s->used.value ||
		    !overhead_device_ledger(t, s, &o->view.arena, &ledger))
			continue;
		device = doc_add(devices, doc_object(run->arena));
		doc_set_int(device, "device", s->device < 0 ? QUANTITY_UNKNOWN : s->device);
		doc_set_int(device, "total", ledger.total);
		overhead_ledger_doc(device, &ledger);
		if (o->parts)
			overhead_ledger_rows(o->parts, t, &ledger);
		else
			overhead_device_text(&o->view, t, s, &ledger);
		found = true;
	}
	return found;
}

static void say_nothing(struct overhead *o, struct doc *run, const struct timeline *t)
{
	doc_set(run, "intervals", doc_array(run->arena));
	doc_set(run, "ledger", doc_array(run->arena));
	if (add_devices(o, run, t) || o->parts)
		return;
	view_paragraph(&o->view, 0)->hang = 2;
	view_text(&o->view, TONE_STRONG, "%s", t->name);
	view_text(&o->view, TONE_PLAIN,
		  "  this log has no total to compare tensors with; log nvidia-smi or "
		  "torch.cuda.memory_allocated() beside it");
}

static void keep_first_tensors(struct overhead *o, const struct timeline *t)
{
	struct first_tensors first = { 0 };
	struct arena *arena = &o->view.arena;

	if (!first_tensors_find(&first, t))
		return;
	first.run = arena_text(arena, span_of(t->name));
	*vec_push(&o->first) = first;
}

static int show_run(void *context, const struct run_visit *visit)
{
	struct overhead *o = context;
	const struct timeline *t = visit->timeline;
	struct doc *run = run_doc(o->runs, t);
	bool between = o->from || o->to;
	struct ledger ledger;
	size_t point;
	int rc = 0;

	joined_doc(run, t);
	if (!overhead_peak(t, true, &point)) {
		say_nothing(o, run, t);
		return 0;
	}
	if (between && o->to > 0 && (size_t)o->to <= t->points)
		point = (size_t)o->to - 1;
	else if (between)
		point = t->points - 1;
	if (overhead_ledger_at(t, point, &ledger) && !o->parts) {
		overhead_headline(&o->view, t, &ledger, !between);
		joined_text(&o->view, t);
	}
	if (between)
		rc = add_one_interval(o, run, t, &point);
	else
		add_intervals(o, run, t);
	if (rc)
		return rc;
	if (!between && !o->parts)
		overhead_cache_text(&o->view, run, t);
	add_ledger(o, run, t, &ledger);
	keep_first_tensors(o, t);
	return 0;
}

static int run(const struct common *common, struct overhead *o, const struct arguments *rest)
{
	struct first_use use;
	int rc;

	o->json = common_is_json(common);
	o->view.units = common_units(common);
	o->view.doc = doc_object(&o->view.arena);
	doc_set_text(o->view.doc, "schema", "memlog.overhead/1");
	o->runs = doc_set(o->view.doc, "runs", doc_array(&o->view.arena));
	if (!strcmp(common->format, "csv"))
		start_tables(o);
	rc = common_each_run(common, rest, show_run, o);
	if (!rc && first_use_argue(&use, o->first.at, o->first.len))
		overhead_argument(&o->view, o->view.doc, &use);
	if (!rc)
		rc = common_print(common, &o->view);
	view_release(&o->view);
	vec_release(&o->first);
	return rc;
}

int cmd_overhead(const struct command *self, int argc, const char **argv)
{
	struct overhead o = { .view = VIEW_INIT };
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, &o.all, NULL,
		  "every interval, also where nothing changed" },
		{ "from", 0, OPT_INT, &o.from, "N",
		  "one interval: from point N; default the first" },
		{ "to", 0, OPT_INT, &o.to, "M", "to point M, with reasons by likelihood" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc && (o.from < 0 || o.to < 0))
		rc = error_usage("memlog overhead: points are numbered from 1");
	if (!rc)
		rc = run(&common, &o, &rest);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
