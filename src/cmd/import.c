#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/context_size.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/strbuf.h"
#include "cli/progress.h"
#include "cli/sandbox.h"
#include "cli/terminal.h"
#include "cmd/common.h"
#include "cmd/grammar_folder.h"
#include "cmd/import_join.h"
#include "cmd/import_log.h"
#include "cmd/import_view.h"
#include "cmd/joined_view.h"
#include "ingest/walk.h"

struct import {
	struct import_options options;
	const char *tz;
	struct option_list tags;
	int wait;
	bool sandbox;
	struct store *store;
	struct grammars *grammars;
	struct progress progress;
	const char *named;
	VEC(struct import_result) results;
	size_t kept;
	const struct import_result *joined; /* whose run the others were read into, or NULL */
	struct timeline joined_run;
};

static int import_one(const char *path, void *context)
{
	struct import *import = context;
	struct import_result *result = vec_push(&import->results);
	bool in_folder = strcmp(path, import->named) != 0;

	return import_log(result, import->store, import->grammars, path, in_folder,
			  &import->options, &import->progress);
}

static int tag_runs(struct import *import, const struct import_result *r)
{
	struct run_list runs;

	for (size_t i = 0; i < r->runs.len; i++) {
		int rc = store_find_runs(import->store, &r->runs.at[i], 1, &runs);

		for (size_t t = 0; t < import->tags.len && !rc; t++)
			for (size_t k = 0; k < runs.len && !rc; k++)
				rc = store_tag_run(import->store, runs.at[k].id, import->tags.at[t],
						   false);
		if (rc < 0)
			return -1;
		run_list_release(&runs);
	}
	return 0;
}

/* Reads the joined run while the import is open: what it shows of the card belongs to the import. */
static int read_joined(struct import *import)
{
	struct timeline *t = &import->joined_run;
	struct context_size size;
	struct run_list runs;
	int rc;

	if (store_find_runs(import->store, import->joined->runs.at, 1, &runs) < 0)
		return -1;
	rc = common_read_timeline(import->store, runs.at[0].id, t);
	run_list_release(&runs);
	if (rc < 0)
		return -1;
	if (!context_measure(&size, t) || !size.card)
		return 0;
	return store_learn_context(import->store, t, size.card, size.bytes, size.tolerance);
}

/* A name for several logs, each named: they are one run.  A folder's logs may be anything. */
static int join(struct import *import, const struct arguments *paths)
{
	if (!import->options.run || import->kept < 2 || import->results.len != paths->len)
		return 0;
	if (import_join(import->store, import->results.at, import->results.len, &import->joined) <
	    0)
		return -1;
	return import->joined ? read_joined(import) : 0;
}

static int import_paths(struct import *import, const struct arguments *paths, sigset_t *usual)
{
	/* Waiting for another process may be stopped as ever; the import goes back by itself. */
	if (store_begin_import(import->store) < 0)
		return -1;
	interrupt_hold(usual);
	for (size_t i = 0; i < paths->len; i++) {
		import->named = paths->at[i];
		if (walk(paths->at[i], import_one, import) < 0) {
			struct import_result *last;

			/* A path that is not there fails like a log that cannot be read. */
			if (error_kind() != ERROR_INPUT)
				return -1;
			last = vec_push(&import->results);
			*last = (struct import_result){ .arena = ARENA_INIT,
							.status = IMPORT_FAILED };
			last->path = arena_text(&last->arena, span_of(paths->at[i]));
			last->error = arena_text(&last->arena, span_of(error_text()));
		}
	}
	for (size_t i = 0; i < import->results.len; i++) {
		import->kept += import->results.at[i].status == IMPORT_IMPORTED;
		if (import->tags.len && tag_runs(import, &import->results.at[i]) < 0)
			return -1;
	}
	if (join(import, paths) < 0)
		return -1;
	if (interrupt_pending())
		return import_interrupted();
	if (import->kept || import->tags.len)
		return store_commit(import->store);
	store_rollback(import->store);
	return 0;
}

/* What main() prints when logs failed; the rest has been kept. */
static int outcome(const struct import *import, const struct arguments *paths)
{
	size_t failed = 0, logs = 0;
	const char *first = NULL;

	for (size_t i = 0; i < import->results.len; i++) {
		const struct import_result *r = &import->results.at[i];

		logs += r->status == IMPORT_IMPORTED || r->status == IMPORT_KNOWN;
		if (r->status != IMPORT_FAILED)
			continue;
		failed++;
		if (!first)
			first = r->error;
	}
	if (failed == 1 && import->results.len == 1)
		return error_input("%s", first);
	if (failed)
		return error_input("%zu of %zu logs could not be imported; the first: %s", failed,
				   import->results.len, first);
	if (!logs)
		return error_input("%s: holds no logs that memlog knows (%zu looked at); see "
				   "memlog formats",
				   paths->at[0], import->results.len);
	return 0;
}

/* How well the logs fit together: the reader must know before trusting what only a join tells. */
static void show_joined(const struct import *import, struct view *view)
{
	const struct timeline *t = &import->joined_run;

	if (!import->joined)
		return;
	view_paragraph(view, 0);
	view_text(view, TONE_STRONG, "%s", t->name);
	view_text(view, TONE_PLAIN, "  one run, at the points of %s", import->joined->path);
	joined_text(view, t);
	joined_doc(view->doc, t);
}

/* Before anything of a log is read, and before threads begin. */
static int confine(struct import *import, const struct common *common, const struct arguments *paths)
{
	VEC(struct sandbox_path) allowed = VEC_INIT;
	const char *journal;
	int rc;

	if (!import->sandbox)
		return 0;
	if (store_confine(import->store, &journal) < 0)
		return -1;
	*vec_push(&allowed) = (struct sandbox_path){ common->db, true };
	*vec_push(&allowed) = (struct sandbox_path){ journal, true };
	for (size_t i = 0; i < paths->len; i++)
		if (strcmp(paths->at[i], "-"))
			*vec_push(&allowed) = (struct sandbox_path){ paths->at[i], false };
	rc = sandbox_enter(allowed.at, allowed.len);
	vec_release(&allowed);
	return rc;
}

static int run_import(struct import *import, const struct common *common,
		      const struct arguments *paths)
{
	struct view view = VIEW_INIT;
	char *folder = grammar_folder();
	sigset_t usual;
	int rc = grammars_load(&import->grammars, folder);

	free(folder);
	if (!rc)
		rc = common_store_waiting(common, STORE_WRITE, import->wait, &import->store);
	if (rc < 0 || confine(import, common, paths) < 0)
		return -1;
	progress_init(&import->progress, stderr, terminal_is(stderr));
	rc = import_paths(import, paths, &usual);
	progress_finish(&import->progress);
	/* Where it failed, the process ends now and says why itself. */
	if (rc < 0)
		return -1;
	interrupt_release(&usual);
	import_view(&view, import->results.at, import->results.len);
	show_joined(import, &view);
	rc = common_print(common, &view);
	view_release(&view);
	return rc < 0 ? -1 : outcome(import, paths);
}

int cmd_import(const struct command *self, int argc, const char **argv)
{
	struct import import = { .options = { .zone = ZONE_UTC }, .wait = STORE_WAIT };
	struct import_options *o = &import.options;
	const struct option table[] = {
		{ "run", 0, OPT_TEXT, &o->run, "NAME", "name of the run; default: the file's. Several logs under one name are read as one run" },
		{ "tag", 0, OPT_LIST, &import.tags, "TAG", "tag the runs; may come several times" },
		{ "dialect", 0, OPT_TEXT, &o->dialect, "NAME",
		  "use this dialect only; see memlog formats" },
		{ "tz", 0, OPT_TEXT, &import.tz, "ZONE",
		  "zone of the log's times: UTC (default), +08:00, Asia/Shanghai" },
		{ "encoding", 0, OPT_TEXT, &o->encoding, "NAME",
		  "of the text, such as GB18030; default: by byte order mark, else UTF-8" },
		{ "columns", 0, OPT_TEXT, &o->columns, "NAMES",
		  "header for a CSV printed without one: index,memory.used,memory.total" },
		{ "max-bytes", 0, OPT_SIZE, &o->max_bytes, "SIZE",
		  "refuse a log larger than this when decompressed; default 64 GiB" },
		{ "wait", 0, OPT_INT, &import.wait, "SECONDS",
		  "wait while another process holds the database; default 10" },
		{ "sandbox", 0, OPT_FLAG, &import.sandbox, NULL,
		  "keep whatever the logs do from other files, the network and programs" },
		{ 0 },
	};
	struct arguments paths = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &paths);

	if (!rc && !paths.len)
		rc = error_usage(
			"memlog import: name a log, a folder of logs, or - for standard input");
	if (!rc && import.wait < 0)
		rc = error_usage("memlog import: --wait: give 0 seconds or more");
	if (!rc && import.tz)
		rc = zone_parse(import.tz, &o->zone);
	if (!rc)
		rc = run_import(&import, &common, &paths);
	timeline_release(&import.joined_run);
	for (size_t i = 0; i < import.results.len; i++)
		import_result_release(&import.results.at[i]);
	vec_release(&import.results);
	grammars_free(import.grammars);
	store_close(import.store);
	arguments_release(&paths);
	return rc < 0 ? -1 : EXIT_FINE;
}
