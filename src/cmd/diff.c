#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "cmd/common.h"
#include "cmd/diff_view.h"

struct side {
	struct timeline timeline;
	struct analysis analysis;
	bool read;
};

/* In the order named, which common_each_run() does not keep. */
static int read_side(struct side *side, struct store *store, const char *name)
{
	struct run_list runs;
	int rc = store_find_runs(store, &name, 1, &runs);

	if (rc < 0)
		return -1;
	if (runs.len != 1)
		rc = error_usage("memlog diff: '%s' names %zu runs; name one of them", name,
				 runs.len);
	else
		rc = common_read_timeline(store, runs.at[0].id, &side->timeline);
	run_list_release(&runs);
	if (rc < 0)
		return -1;
	side->read = true;
	return analyse(&side->analysis, &side->timeline, &ANALYSIS_OPTIONS_DEFAULT);
}

static void release_side(struct side *side)
{
	if (!side->read)
		return;
	analysis_release(&side->analysis);
	timeline_release(&side->timeline);
}

static int show(const struct common *common, const struct side side[2], bool all)
{
	struct view view = VIEW_INIT;
	struct diff diff;
	int rc;

	diff_runs(&diff, &view.arena, (struct diff_side){ &side[0].timeline, &side[0].analysis },
		  (struct diff_side){ &side[1].timeline, &side[1].analysis });
	view.units = common_units(common);
	view.doc = doc_object(&view.arena);
	doc_set_text(view.doc, "schema", "memlog.diff/1");
	diff_doc(view.doc, &diff);
	if (!strcmp(common->format, "csv"))
		diff_tables(&view, &diff);
	else
		diff_text(&view, &diff, all);
	rc = common_print(common, &view);
	view_release(&view);
	return rc;
}

static int run(const struct common *common, const struct arguments *names, bool all)
{
	struct side side[2] = { { .read = false }, { .read = false } };
	struct store *store = NULL;
	int rc = common_store(common, STORE_READ, &store);

	for (size_t i = 0; i < 2 && !rc; i++)
		rc = read_side(&side[i], store, names->at[i]);
	if (!rc)
		rc = show(common, side, all);
	for (size_t i = 0; i < 2; i++)
		release_side(&side[i]);
	store_close(store);
	return rc;
}

int cmd_diff(const struct command *self, int argc, const char **argv)
{
	bool all = false;
	const struct option table[] = {
		{ "all", 'a', OPT_FLAG, &all, NULL, "every tensor, position and note" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc && rest.len != 2)
		rc = error_usage("memlog diff: name two runs, the earlier one first");
	if (!rc)
		rc = run(&common, &rest, all);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
