#include <ctype.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "store/db.h"

/* `memlog query`: what a person types, on a connection that cannot write. */

/* Reading, functions and recursion; nothing that writes, attaches, or changes the connection. */
static int authorize(void *context, int action, const char *a, const char *b, const char *c,
		     const char *d)
{
	(void)context;
	(void)b;
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

static void read_value(sqlite3_stmt *stmt, int i, struct query_value *v)
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

static int send_rows(struct store *store, sqlite3_stmt *stmt, const struct query_sink *sink,
		     size_t n)
{
	struct query_value *values = xcalloc(n, sizeof(*values));
	int rc = 0, step;

	while (!rc && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (size_t i = 0; i < n; i++)
			read_value(stmt, (int)i, &values[i]);
		rc = sink->row(sink->context, values, n);
	}
	if (!rc && step != SQLITE_DONE)
		rc = error_usage("memlog query: %s", sqlite3_errmsg(store->db));
	free(values);
	return rc < 0 ? -1 : 0;
}

static bool only_blanks(const char *text)
{
	while (isspace((unsigned char)*text) || *text == ';')
		text++;
	return !*text;
}

int store_query(struct store *store, const char *sql, const struct query_sink *sink)
{
	sqlite3_stmt *stmt = NULL;
	const char *rest = "";
	size_t n;
	int rc;

	sqlite3_set_authorizer(store->db, authorize, NULL);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, &rest);
	if (rc == SQLITE_AUTH)
		rc = error_usage("memlog query: only reading is allowed here; use SELECT");
	else if (rc)
		rc = error_usage("memlog query: %s; see memlog help query for the views", sqlite3_errmsg(store->db));
	else if (!stmt || !only_blanks(rest))
		rc = error_usage("memlog query: give one SELECT statement");
	else if (!sqlite3_stmt_readonly(stmt))
		rc = error_usage("memlog query: only reading is allowed here; use SELECT");
	if (!rc) {
		n = (size_t)sqlite3_column_count(stmt);
		rc = send_columns(stmt, sink, n);
		if (!rc)
			rc = send_rows(store, stmt, sink, n);
	}
	sqlite3_finalize(stmt);
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
		rc = store_query(store, sql.buf, sink);
	}
	if (rc > 0)
		rc = error_usage("there is no view '%s'; use runs, allocator_memory, device_memory, "
				 "process_memory, tensor_changes or notes", view);
	strbuf_release(&sql);
	return rc;
}
