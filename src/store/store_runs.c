#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vec.h"
#include "store/db.h"

static int list_runs(struct store *store, int64_t import, int64_t source, struct run_list *out)
{
	sqlite3_stmt *stmt = BIND(store, RUNS, SQL_ARG(import), SQL_ARG(source));
	VEC(struct run_row) list = VEC_INIT;
	int rc;

	*out = (struct run_list){ .arena = ARENA_INIT };
	while ((rc = statement_step(store, stmt)) > 0)
		*vec_push(&list) = (struct run_row){
			.id = sqlite3_column_int64(stmt, 0),
			.name = arena_text(&out->arena, span_of(column_text(stmt, 1))),
			.source = arena_text(&out->arena, span_of(column_text(stmt, 2))),
			.dialect = arena_text(&out->arena, span_of(column_text(stmt, 3))),
			.started = from_stored_time(column_quantity(stmt, 4)),
			.points = sqlite3_column_int64(stmt, 5),
			.notes = sqlite3_column_int64(stmt, 6),
			.tags = arena_text(&out->arena, span_of(column_text(stmt, 7))),
			.damage = arena_text(&out->arena, span_of(column_text(stmt, 8))),
		};
	out->at = list.at;
	out->len = list.len;
	if (rc < 0)
		run_list_release(out);
	return rc;
}

void run_list_release(struct run_list *list)
{
	free(list->at);
	arena_release(&list->arena);
	*list = (struct run_list){ .arena = ARENA_INIT };
}

int store_all_runs(struct store *store, struct run_list *out)
{
	return list_runs(store, QUANTITY_UNKNOWN, QUANTITY_UNKNOWN, out);
}

int store_source_runs(struct store *store, int64_t source, struct run_list *out)
{
	return list_runs(store, QUANTITY_UNKNOWN, source, out);
}

static int latest_runs(struct store *store, struct run_list *out)
{
	sqlite3_stmt *stmt = store->statement[STATEMENT_IMPORT_LATEST];
	int64_t import = QUANTITY_UNKNOWN;
	int rc = statement_step(store, stmt);

	if (rc > 0)
		import = column_quantity(stmt, 0);
	sqlite3_reset(stmt);
	if (rc < 0)
		return -1;
	if (!quantity_known(import))
		return error_set("%s: holds no runs; run memlog import FILE first", store->path);
	return list_runs(store, import, QUANTITY_UNKNOWN, out);
}

static int mark_named(struct store *store, const char *name, const struct run_list *all,
		      bool *wanted)
{
	sqlite3_stmt *stmt = BIND(store, RUNS_NAMED, SQL_ARG(name));
	bool found = false;
	int rc;

	while ((rc = statement_step(store, stmt)) > 0) {
		int64_t id = sqlite3_column_int64(stmt, 0);

		found = true;
		for (size_t i = 0; i < all->len; i++)
			wanted[i] |= all->at[i].id == id;
	}
	if (rc < 0)
		return -1;
	return found ? 0
		     : error_usage("there is no run '%s' in %s; see memlog runs", name,
				   store->path);
}

int store_find_runs(struct store *store, const char *const *names, size_t n, struct run_list *out)
{
	bool *wanted;
	size_t kept = 0;
	int rc = 0;

	if (!n)
		return latest_runs(store, out);
	if (store_all_runs(store, out) < 0)
		return -1;
	wanted = xcalloc(out->len, sizeof(*wanted));
	for (size_t i = 0; i < n && !rc; i++)
		rc = mark_named(store, names[i], out, wanted);
	for (size_t i = 0; i < out->len; i++)
		if (wanted[i])
			out->at[kept++] = out->at[i];
	out->len = kept;
	free(wanted);
	if (rc < 0)
		run_list_release(out);
	return rc;
}

int store_rename_run(struct store *store, int64_t run, const char *name)
{
	sqlite3_stmt *stmt = BIND(store, RUN_NAME_TAKEN, SQL_ARG(name));
	int rc = statement_step(store, stmt);

	sqlite3_reset(stmt);
	if (rc > 0)
		return error_usage("there is a run '%s' already; choose another name", name);
	return rc < 0 ? -1 : RUN(store, RUN_RENAME, SQL_ARG(name), SQL_ARG(run));
}

int store_tag_run(struct store *store, int64_t run, const char *tag, bool remove)
{
	return remove ? RUN(store, TAG_REMOVE, SQL_ARG(run), SQL_ARG(tag))
		      : RUN(store, TAG_ADD, SQL_ARG(run), SQL_ARG(tag));
}

int store_remove_run(struct store *store, int64_t run)
{
	static const enum statement of_run[] = {
		STATEMENT_REMOVE_POINTS, STATEMENT_REMOVE_CHANGES, STATEMENT_REMOVE_SAMPLES,
		STATEMENT_REMOVE_NOTES,  STATEMENT_REMOVE_EVENTS,  STATEMENT_REMOVE_TAGS,
		STATEMENT_REMOVE_JOINED, STATEMENT_REMOVE_VISITS,
		STATEMENT_REMOVE_RUN,
	};
	static const enum statement orphans[] = {
		STATEMENT_REMOVE_POSITIONS, STATEMENT_REMOVE_TENSORS, STATEMENT_REMOVE_DEVICES,
		STATEMENT_REMOVE_PROCESSES, STATEMENT_REMOVE_SUBJECTS,	STATEMENT_REMOVE_SOURCES,
	};
	struct sql_value id = sql_int(run);
	int rc = RUN_PLAIN(store, BEGIN);

	for (size_t i = 0; i < sizeof(of_run) / sizeof(*of_run) && !rc; i++)
		rc = statement_run(store, of_run[i], &id, 1);
	for (size_t i = 0; i < sizeof(orphans) / sizeof(*orphans) && !rc; i++)
		rc = statement_run(store, orphans[i], NULL, 0);
	if (!rc)
		return RUN_PLAIN(store, COMMIT);
	store_rollback(store);
	return -1;
}
