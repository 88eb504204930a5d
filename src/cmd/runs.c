#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/common.h"

static void runs_view(struct view *view, const struct run_list *runs)
{
	struct table *t = view_table(view, "runs");

	table_column(t, "id", CELL_INT);
	table_column(t, "name", CELL_TEXT);
	table_column(t, "dialect", CELL_TEXT);
	table_column(t, "points", CELL_INT);
	table_column(t, "notes", CELL_INT);
	table_column(t, "started", CELL_TIME);
	table_column(t, "tags", CELL_TEXT);
	table_column(t, "source", CELL_TEXT);
	for (size_t i = 0; i < runs->len; i++) {
		const struct run_row *r = &runs->at[i];

		table_row(t);
		cell_int(t, r->id);
		cell_text(t, r->name);
		cell_text(t, r->dialect);
		cell_int(t, r->points);
		cell_int(t, r->notes);
		cell_int(t, r->started);
		cell_text(t, r->tags);
		cell_text(t, r->source);
	}
}

static int list(const struct common *common, struct store *store)
{
	struct view view = VIEW_INIT;
	struct run_list runs;
	int rc = store_all_runs(store, &runs);

	if (rc < 0)
		return -1;
	runs_view(&view, &runs);
	rc = common_print(common, &view);
	view_release(&view);
	run_list_release(&runs);
	return rc;
}

static int rename_run(struct store *store, const struct run_list *runs, const char *name)
{
	if (runs->len != 1)
		return error_usage("memlog runs rename: %zu runs fit; name one", runs->len);
	return store_rename_run(store, runs->at[0].id, name);
}

static int tag(struct store *store, const struct run_list *runs, const char *name)
{
	for (size_t i = 0; i < runs->len; i++)
		if (store_tag_run(store, runs->at[i].id, name, false) < 0)
			return -1;
	return 0;
}

static int untag(struct store *store, const struct run_list *runs, const char *name)
{
	for (size_t i = 0; i < runs->len; i++)
		if (store_tag_run(store, runs->at[i].id, name, true) < 0)
			return -1;
	return 0;
}

static int remove_runs(struct store *store, const struct run_list *runs, const char *name)
{
	(void)name;
	for (size_t i = 0; i < runs->len; i++)
		if (store_remove_run(store, runs->at[i].id) < 0)
			return -1;
	return 0;
}

static const struct action {
	const char *name;
	int (*run)(struct store *store, const struct run_list *runs, const char *last);
	size_t last; /* arguments at the end that are not runs */
	const char *usage;
} actions[] = {
	{ "rename", rename_run, 1, "rename RUN NAME" },
	{ "tag", tag, 1, "tag RUN... TAG" },
	{ "untag", untag, 1, "untag RUN... TAG" },
	{ "remove", remove_runs, 0, "remove RUN..." },
};

static int act(const struct common *common, const struct arguments *rest)
{
	const struct action *action = NULL;
	struct run_list runs;
	struct store *store;
	int rc;

	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(actions[i].name, rest->at[0]))
			action = &actions[i];
	if (!action)
		return error_usage(
			"memlog runs: '%s' is no action; use rename, tag, untag or remove",
			rest->at[0]);
	if (rest->len < 2 + action->last)
		return error_usage("memlog runs: write it as memlog runs %s", action->usage);
	if (common_store(common, STORE_WRITE, &store) < 0)
		return -1;
	rc = store_find_runs(store, rest->at + 1, rest->len - 1 - action->last, &runs);
	if (!rc) {
		rc = action->run(store, &runs, rest->at[rest->len - 1]);
		run_list_release(&runs);
	}
	store_close(store);
	return rc;
}

int cmd_runs(const struct command *self, int argc, const char **argv)
{
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	struct store *store;
	int rc = common_parse(&common, self, NULL, argc, argv, &rest);

	if (!rc && rest.len) {
		rc = act(&common, &rest);
	} else if (!rc && !(rc = common_store(&common, STORE_READ, &store))) {
		rc = list(&common, store);
		store_close(store);
	}
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
