#include "cmd/common.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/context_size.h"
#include "analysis/join.h"
#include "base/alloc.h"
#include "base/error.h"
#include "cli/terminal.h"
#include "render/render.h"

const char *default_database(void)
{
	const char *db = getenv("MEMLOG_DB");

	return db && *db ? db : "memlog.db";
}

int common_parse(struct common *common, const struct command *self, const struct option *own,
		 int argc, const char **argv, struct arguments *rest)
{
	static const struct option nothing[] = { { 0 } };
	enum size_style style;
	char *usage;
	int rc;

	*common = (struct common){ .db = default_database(), .format = "table", .units = "iec" };
	common->table[0] =
		(struct option){ "db",     0,
				 OPT_TEXT, &common->db,
				 "FILE",   "the database; default $MEMLOG_DB, else memlog.db" };
	common->table[1] =
		(struct option){ "format",        0,      OPT_TEXT,
				 &common->format, "NAME", "table, json, csv or markdown" };
	common->table[2] =
		(struct option){ "units",  0,
				 OPT_TEXT, &common->units,
				 "STYLE",  "iec (MiB), si (MB) or bytes, in tables and text" };
	usage = xasprintf("%s%s%s\n%s%s%s", self->name, self->arguments ? " " : "",
			  self->arguments ? self->arguments : "", self->summary,
			  self->details ? "\n\n" : "", self->details ? self->details : "");
	rc = options_parse(own ? own : nothing, common->table, usage, argc, argv, rest);
	free(usage);
	if (rc)
		return rc;
	if (!renderer_find(common->format)) {
		char *names = renderer_names();

		rc = error_usage("memlog %s: there is no format '%s'; use %s", self->name,
				 common->format, names);
		free(names);
		return rc;
	}
	return size_style_parse(common->units, &style);
}

int common_store_waiting(const struct common *common, enum store_mode mode, int seconds,
			 struct store **out)
{
	if (store_open_waiting(out, common->db, mode, seconds) < 0)
		return -1;
	if (store_kept(*out))
		fprintf(stderr, "memlog: %s was brought up to date; as it was, it is kept in %s\n",
			common->db, store_kept(*out));
	return 0;
}

int common_store(const struct common *common, enum store_mode mode, struct store **out)
{
	return common_store_waiting(common, mode, STORE_WAIT, out);
}

static int recall_context(struct store *store, struct timeline *t)
{
	struct context_size size;

	return context_measure(&size, t) && size.card ? store_recall_context(store, t, size.card)
						      : 0;
}

int common_read_timeline(struct store *store, int64_t run, struct timeline *out)
{
	struct timeline *parts;
	int64_t *ids = NULL;
	size_t n = 0, read = 0;
	int rc = store_read_timeline(store, run, out);

	if (rc)
		return rc;
	rc = store_joined_runs(store, run, &out->arena, &ids, &n);
	parts = xcalloc(n + 1, sizeof(*parts));
	for (; read < n && !rc; read += !rc)
		rc = store_read_timeline(store, ids[read], &parts[read]);
	if (!rc && n) {
		join_parts(out, parts, n);
		rc = recall_context(store, out);
	}
	while (read > 0)
		timeline_release(&parts[--read]);
	free(parts);
	if (rc)
		timeline_release(out);
	return rc;
}

int common_each_run(const struct common *common, const struct arguments *names,
		    int (*fn)(void *context, const struct run_visit *visit), void *context)
{
	struct run_list runs = { .arena = ARENA_INIT };
	struct store *store = NULL;
	int rc = common_store(common, STORE_READ, &store);

	if (!rc)
		rc = store_find_runs(store, names->at, names->len, &runs);
	for (size_t i = 0; i < runs.len && !rc; i++) {
		struct timeline timeline;

		rc = common_read_timeline(store, runs.at[i].id, &timeline);
		if (rc)
			break;
		rc = fn(context, &(struct run_visit){ store, &timeline, &runs.at[i], i, runs.len });
		timeline_release(&timeline);
	}
	run_list_release(&runs);
	store_close(store);
	return rc;
}

bool common_is_for_people(const struct common *common)
{
	return !strcmp(common->format, "table") || !strcmp(common->format, "markdown");
}

bool common_is_json(const struct common *common)
{
	return !strcmp(common->format, "json");
}

enum size_style common_units(const struct common *common)
{
	enum size_style style = SIZE_IEC;

	size_style_parse(common->units, &style);
	return style;
}

int common_print(const struct common *common, struct view *view)
{
	struct render_options options = { terminal_color(stdout), terminal_width(stdout) };

	view->units = common_units(common);
	return renderer_find(common->format)->render(view, stdout, &options);
}

const char *plural(struct arena *arena, int64_t n, const char *noun)
{
	char count[SIZE_TEXT];

	return arena_printf(arena, "%s %s%s", count_format(count, n), noun, n == 1 ? "" : "s");
}

bool device_in_percent(const struct timeline *t)
{
	bool percent = false;

	for (size_t i = 0; i < t->subjects; i++) {
		if (t->subject[i].is_process)
			continue;
		if (!t->subject[i].used.percent)
			return false;
		percent = true;
	}
	return percent;
}
