#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "store/db.h"

/* `memlog query`: what a person types, on a connection that cannot write. */

enum {
	STEPS_BETWEEN_LOOKS = 10000, /* of SQLite's machine: some tenths of a millisecond */
	LONGEST_VALUE = 16 << 20,    /* no text of a log is longer; replace() and hex() make them */
};

/* Reading, functions and recursion; nothing that writes, attaches, or changes the connection. */
static int authorize(void *context, int action, const char *a, const char *b, const char *c,
		     const char *d)
{
	(void)context;
	(void)c;
	(void)d;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return b && !strcmp(b, "load_extension") ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return a && (!strcmp(a, "table_info") || !strcmp(a, "table_list")) ? SQLITE_OK
										   : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static int time_is_up(void *deadline)
{
	return now() > *(const int64_t *)deadline;
}

static int read_value(sqlite3_stmt *stmt, int i, struct query_value *v)
{
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		v->kind = QUERY_INT;
		v->number = sqlite3_column_int64(stmt, i);
		break;
	case SQLITE_FLOAT:
		v->kind = QUERY_REAL;
		v->real = sqlite3_column_double(stmt, i);
		break;
	case SQLITE_NULL:
		v->kind = QUERY_NULL;
		break;
	default:
		v->kind = QUERY_TEXT;
		v->text = column_text(stmt, i);
	}
	/* No text for want of memory. */
	return v->kind != QUERY_TEXT || v->text ? 0 : -1;
}

static int send_columns(sqlite3_stmt *stmt, const struct query_sink *sink, size_t n)
{
	const char **names = xcalloc(n, sizeof(*names));
	int rc;

	for (size_t i = 0; i < n; i++)
		names[i] = sqlite3_column_name(stmt, (int)i);
	rc = sink->columns(sink->context, names, n);
	free(names);
	return rc;
}

/* Whether the statement is to blame, or the database. */
static int explain(const struct store *store, int seconds)
{
	switch (sqlite3_errcode(store->db)) {
	case SQLITE_AUTH:
		return error_usage("memlog query: only reading is allowed here; use SELECT");
	case SQLITE_INTERRUPT:
		return error_usage("memlog query: stopped after %d s; ask for less, or allow more with "
				   "--seconds",
				   seconds);
	case SQLITE_ERROR:
	case SQLITE_TOOBIG:
	case SQLITE_MISMATCH:
		return error_usage("memlog query: %s; see memlog help query for the views",
				   sqlite3_errmsg(store->db));
	default:
		return store_error(store);
	}
}

static int send_rows(struct store *store, sqlite3_stmt *stmt, const struct query_sink *sink,
		     size_t n, int seconds)
{
	struct query_value *values = xcalloc(n, sizeof(*values));
	int rc = 0, step;

	while (!rc && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (size_t i = 0; i < n && !rc; i++)
			rc = read_value(stmt, (int)i, &values[i]);
		rc = rc ? store_error(store) : sink->row(sink->context, values, n);
	}
	if (!rc && step != SQLITE_DONE)
		rc = explain(store, seconds);
	free(values);
	return rc < 0 ? -1 : 0;
}

static bool only_blanks(const char *text)
{
	while (isspace((unsigned char)*text) || *text == ';')
		text++;
	return !*text;
}

int store_query(struct store *store, const char *sql, int seconds, const struct query_sink *sink)
{
	int64_t deadline = now() + seconds * SECOND;
	sqlite3_stmt *stmt = NULL;
	const char *rest = "";
	size_t n;
	int rc;

	sqlite3_set_authorizer(store->db, authorize, NULL);
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
	sqlite3_progress_handler(store->db, STEPS_BETWEEN_LOOKS, time_is_up, &deadline);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, &rest);
	if (rc)
		rc = explain(store, seconds);
	else if (!stmt || !only_blanks(rest))
		rc = error_usage("memlog query: give one SELECT statement");
	else if (!sqlite3_stmt_readonly(stmt))
		rc = error_usage("memlog query: only reading is allowed here; use SELECT");
	if (!rc) {
		n = (size_t)sqlite3_column_count(stmt);
		rc = send_columns(stmt, sink, n);
		if (!rc)
			rc = send_rows(store, stmt, sink, n, seconds);
	}
	sqlite3_finalize(stmt);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	sqlite3_set_authorizer(store->db, NULL, NULL);
	return rc;
}

/* The views of schema.sql, with the column that holds the run. */
static const struct {
	const char *name, *run, *order;
} views[] = {
	{ "runs", "id", "id" },
	{ "allocator_memory", "run", "run, point" },
	{ "device_memory", "run", "run, point, line" },
	{ "process_memory", "run", "run, point, line" },
	{ "tensor_changes", "run", "run, point, line" },
	{ "notes", "run", "run, line" },
};

int store_export(struct store *store, const char *view, const struct run_list *runs,
		 const struct query_sink *sink)
{
	struct strbuf sql = STRBUF_INIT;
	int rc = 1;

	for (size_t v = 0; v < sizeof(views) / sizeof(*views) && rc > 0; v++) {
		if (strcmp(views[v].name, view))
			continue;
		strbuf_addf(&sql, "SELECT * FROM %s WHERE %s IN (", views[v].name, views[v].run);
		for (size_t i = 0; i < runs->len; i++)
			strbuf_addf(&sql, "%s%lld", i ? ", " : "", (long long)runs->at[i].id);
		strbuf_addf(&sql, ") ORDER BY %s", views[v].order);
		/* Every row was asked for, however long that takes. */
		rc = store_query(store, sql.buf, INT_MAX, sink);
	}
	if (rc > 0)
		rc = error_usage("there is no view '%s'; use runs, allocator_memory, device_memory, "
				 "process_memory, tensor_changes or notes", view);
	strbuf_release(&sql);
	return rc;
}
