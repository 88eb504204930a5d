#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "store/conveyor.h"
#include "store/db.h"

static const char *const statements[STATEMENTS] = {
#define X(name, sql) [STATEMENT_##name] = sql,
#include "store/statements.inc"
#undef X
};

#define DAMAGED "it is damaged; keep a copy, then import the logs into a new one with --db"

int store_damaged(const struct store *store, const char *what)
{
	return error_set("%s: " DAMAGED " (%s)", store->path, what);
}

static int held(const struct store *store, const char *text)
{
	char *holder = database_holder(store->path);

	error_set(
		"%s: %s is using it; try again when it is done, or let an import wait longer with "
		"--wait (%s)",
		store->path, holder, text);
	free(holder);
	return -1;
}

int store_error(const struct store *store)
{
	static const struct {
		int code;
		const char *advice;
	} advices[] = {
		{ SQLITE_NOMEM, "there is too little memory; nothing was changed" },
		{ SQLITE_FULL, "the disk is full; nothing was changed. Free space and try again" },
		{ SQLITE_READONLY,
		  "it cannot be written; check its permissions, or name another with --db" },
		{ SQLITE_CORRUPT, DAMAGED },
		{ SQLITE_NOTADB, "it is not a database; name another file with --db" },
		{ SQLITE_IOERR, "reading or writing failed; check the disk" },
		{ SQLITE_CANTOPEN, "it cannot be opened; check the folder and its permissions" },
	};
	int code = store->failure.code ? store->failure.code : sqlite3_errcode(store->db);
	const char *text = store->failure.code ? store->failure.text : sqlite3_errmsg(store->db);

	if ((code & 0xff) == SQLITE_BUSY)
		return held(store, text);
	for (size_t i = 0; i < sizeof(advices) / sizeof(*advices); i++)
		if (advices[i].code == (code & 0xff))
			return error_set("%s: %s (%s)", store->path, advices[i].advice, text);
	return error_set("%s: %s", store->path, text);
}

void store_keep_failure(struct store *store)
{
	store->failure.code = sqlite3_errcode(store->db);
	snprintf(store->failure.text, sizeof(store->failure.text), "%s", sqlite3_errmsg(store->db));
}

/* The connection is this thread's alone until the next box is handed over. */
static int settle(struct store *store)
{
	return store->conveyor ? conveyor_settle(store->conveyor) : 0;
}

sqlite3_stmt *statement_bind(struct store *store, enum statement which,
			     const struct sql_value *values, int n)
{
	sqlite3_stmt *stmt = store->statement[which];

	settle(store);
	for (int i = 0; i < n; i++) {
		if (values[i].kind == SQL_INT)
			sqlite3_bind_int64(stmt, i + 1, values[i].number);
		else if (values[i].kind == SQL_TEXT)
			sqlite3_bind_text(stmt, i + 1, values[i].text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_null(stmt, i + 1);
	}
	return stmt;
}

int statement_step(struct store *store, sqlite3_stmt *stmt)
{
	int rc;

	if (settle(store) < 0)
		return store_error(store);
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		return 1;
	rc = rc == SQLITE_DONE ? 0 : store_error(store);
	sqlite3_reset(stmt);
	return rc;
}

int statement_run(struct store *store, enum statement which, const struct sql_value *values, int n)
{
	sqlite3_stmt *stmt = statement_bind(store, which, values, n);
	int rc;

	while ((rc = statement_step(store, stmt)) > 0)
		;
	return rc;
}

int store_execute(struct store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? store_error(store) : 0;
}

int store_pragma(struct store *store, const char *sql, int *out)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	if (!rc && sqlite3_step(stmt) == SQLITE_ROW)
		*out = sqlite3_column_int(stmt, 0);
	else
		rc = -1;
	sqlite3_finalize(stmt);
	return rc ? store_error(store) : 0;
}

static int prepare(struct store *store)
{
	for (int i = 0; i < STATEMENTS; i++)
		if (sqlite3_prepare_v3(store->db, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
				       &store->statement[i], NULL))
			return store_error(store);
	return 0;
}

/* SQLite says "unable to open" for everything; people need the reason. */
static int check_file(const char *path, enum store_mode mode)
{
	struct stat st;

	if (!strcmp(path, ":memory:"))
		return 0;
	if (stat(path, &st)) {
		if (errno == ENOENT && mode == STORE_WRITE)
			return 0;
		if (errno == ENOENT)
			return error_set("%s: there is no such database; run memlog import FILE "
					 "first, or name "
					 "one with --db",
					 path);
		return error_set("%s: %s; name another file with --db", path, strerror(errno));
	}
	if (!S_ISREG(st.st_mode))
		return error_set("%s: is not a file; name a database file with --db", path);
	return 0;
}

int store_connect(struct store *store, int mode)
{
	sqlite3_close(store->db);
	/* One thread uses it: no locks inside SQLite.  The path is a path, even where it looks like
	 * a URI. */
	if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_NOMUTEX | mode, NULL))
		return store_error(store);
	sqlite3_busy_timeout(store->db, store->wait_ms);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	/* The file may come from anyone. */
	return store_execute(store, "PRAGMA cell_size_check = 1");
}

/* An import that was killed left its journal: the file is undone on the way to the first read,
 * which a connection for reading cannot do. */
static int undo_killed_import(struct store *store)
{
	int tables;

	sqlite3_exec(store->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
	if (sqlite3_extended_errcode(store->db) != SQLITE_READONLY_ROLLBACK)
		return 0;
	if (store_connect(store, SQLITE_OPEN_READWRITE) < 0 ||
	    store_pragma(store, "SELECT count(*) FROM sqlite_schema", &tables) < 0)
		return error_set(
			"%s: an import into it was cut off, and undoing it needs the right to "
			"write the file and its folder",
			store->path);
	return store_connect(store, SQLITE_OPEN_READONLY);
}

int store_open_waiting(struct store **out, const char *path, enum store_mode mode, int seconds)
{
	bool writes = mode == STORE_WRITE;
	struct store *store;

	if (check_file(path, mode) < 0)
		return -1;
	store = xcalloc(1, sizeof(*store));
	store->path = xstrdup(path);
	store->wait_ms = seconds < INT_MAX / 1000 ? seconds * 1000 : INT_MAX;
	if (store_connect(store, writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
					: SQLITE_OPEN_READONLY) < 0 ||
	    (!writes && undo_killed_import(store) < 0) || schema_check(store, mode) < 0 ||
	    prepare(store) < 0) {
		store_close(store);
		return -1;
	}
	*out = store;
	return 0;
}

int store_open(struct store **out, const char *path, enum store_mode mode)
{
	return store_open_waiting(out, path, mode, STORE_WAIT);
}

int store_confine(struct store *store, const char **journal)
{
	int fd;

	*journal = sqlite3_filename_journal(sqlite3_db_filename(store->db, "main"));
	fd = open(*journal, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return error_set("%s: %s; it is the journal of the database", *journal,
				 strerror(errno));
	close(fd);
	return store_execute(store, "PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = MEMORY");
}

const char *store_kept(const struct store *store)
{
	return store->kept;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->in_import)
		store_rollback(store);
	conveyor_free(store->conveyor);
	writer_free(store->writer);
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(store->statement[i]);
	sqlite3_close(store->db);
	free(store->kept);
	free(store->path);
	free(store);
}
