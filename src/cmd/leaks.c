#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "cmd/common.h"
#include "cmd/files.h"
#include "cmd/joined_view.h"
#include "cmd/leaks_view.h"

struct leaks {
	bool all, exit_code;
	int64_t capacity;
	int minimum;
	const char *ignore, *today_text; /* policy file; day that it is measured against */
	struct policy policy;
	int64_t today;
	const struct common *common;
	struct view view;
	struct doc *runs;
	struct table *csv; /* NULL: another format */
	bool leak;
};

static int show_run(void *context, const struct run_visit *visit)
{
	struct leaks *o = context;
	struct analysis_options options = { o->capacity, o->minimum };
	struct leaks_style style = {
		.all = o->all,
		.units = common_units(o->common),
		.next = visit->run + 1 == visit->runs ? "memlog plot --out mem.png" : NULL,
		.policy = &o->policy,
		.today = o->today,
	};
	struct analysis analysis;

	analyse(&analysis, visit->timeline, &options);
	style.since = leaks_since(&o->view.arena, visit->store, visit->timeline, &analysis);
	if (!style.since) {
		analysis_release(&analysis);
		return -1;
	}
	o->leak |= leaks_count(&analysis, &style);
	leaks_doc(o->runs, visit->timeline, &analysis, &style);
	if (o->csv)
		leaks_table_rows(o->csv, visit->timeline, &analysis);
	else
		leaks_text(&o->view, visit->timeline, &analysis, &style);
	if (!o->csv)
		joined_text(&o->view, visit->timeline);
	analysis_release(&analysis);
	return 0;
}

static int run(struct leaks *o, const struct arguments *rest)
{
	int rc;

	o->view.doc = doc_object(&o->view.arena);
	doc_set_text(o->view.doc, "schema", "memlog.leaks/1");
	o->runs = doc_set(o->view.doc, "runs", doc_array(&o->view.arena));
	if (!strcmp(o->common->format, "csv")) {
		o->csv = view_table(&o->view, "leaks");
		leaks_table_columns(o->csv);
	}
	rc = common_each_run(o->common, rest, show_run, o);
	if (!rc)
		rc = common_print(o->common, &o->view);
	view_release(&o->view);
	return rc < 0 ? -1 : o->leak && o->exit_code ? EXIT_GATE : EXIT_FINE;
}

int cmd_leaks(const struct command *self, int argc, const char **argv)
{
	struct common common;
	struct leaks o = {
		.capacity = QUANTITY_UNKNOWN,
		.minimum = ANALYSIS_MINIMUM_ITERATIONS,
		.common = &common,
		.view = VIEW_INIT,
		.policy = POLICY_INIT,
	};
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, &o.all, NULL, "every row of a finding" },
		{ "capacity", 0, OPT_SIZE, &o.capacity, "SIZE",
		  "memory that may be used; default: what the log says" },
		{ "min-iterations", 0, OPT_INT, &o.minimum, "N", "fewer are undecided; default 5" },
		{ "exit-code", 0, OPT_FLAG, &o.exit_code, NULL, "exit 1 if a run leaks" },
		{ "ignore", 0, OPT_TEXT, &o.ignore, "FILE",
		  "leaks that are known: the 'ignore' parts of a policy file" },
		{ "today", 0, OPT_TEXT, &o.today_text, "DAY",
		  "that their expiry is measured against; default $SOURCE_DATE_EPOCH, else now" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (rc)
		rc = rc < 0 ? -1 : EXIT_FINE;
	else if (o.minimum < 1)
		rc = error_usage("memlog leaks: --min-iterations is 1 or more");
	else if (today_read(o.today_text, &o.today) < 0 ||
		 (o.ignore && policy_load(&o.policy, o.ignore) < 0))
		rc = -1;
	else
		rc = run(&o, &rest);
	policy_release(&o.policy);
	arguments_release(&rest);
	return rc;
}
