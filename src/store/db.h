#ifndef STORE_DB_H
#define STORE_DB_H

#include <sqlite3.h>

#include "base/timestamp.h"
#include "base/units.h"
#include "store/store.h"

/*
 * What the files of store/ share.  Private to the folder.
 */

enum statement {
#define X(name, sql) STATEMENT_##name,
#include "store/statements.inc"
#undef X
	STATEMENTS
};

/* Places that are visited this often or less keep every visit when a run is read. */
enum { FEW_VISITS = 512 };

struct writer; /* store_write.c */
struct conveyor;

struct store {
	sqlite3 *db;
	char *path;
	char *kept; /* the copy of the database that a migration began with; NULL: there was none */
	int wait_ms;
	sqlite3_stmt *statement[STATEMENTS];
	struct writer *writer;
	struct conveyor *conveyor; /* NULL: a store for reading */
	/* What went wrong on the conveyor; code 0: nothing. */
	struct {
		int code;
		char text[256];
	} failure;
	bool in_import;
};

/* A value to bind, by the type of the C expression. */
struct sql_value {
	enum { SQL_INT, SQL_TEXT, SQL_NULL } kind;
	int64_t number;
	const char *text;
};

static inline struct sql_value sql_int(int64_t v)
{
	return (struct sql_value){ quantity_known(v) ? SQL_INT : SQL_NULL, v, NULL };
}

static inline struct sql_value sql_text(const char *v)
{
	return (struct sql_value){ v ? SQL_TEXT : SQL_NULL, 0, v };
}

/* SQL_ARGS(1, "text", QUANTITY_UNKNOWN): integers and texts as they are; unknown and NULL are NULL.
 */
#define SQL_ARG(v) _Generic((v), char * : sql_text, const char * : sql_text, default : sql_int)(v)

/* Binds the values; they must live until the statement is reset. */
sqlite3_stmt *statement_bind(struct store *store, enum statement which,
			     const struct sql_value *values, int n);
/* Binds, runs to the end, resets.  0 or -1. */
int statement_run(struct store *store, enum statement which, const struct sql_value *values, int n);
/* Steps a bound statement: 1 a row, 0 the end (and reset), -1 an error (and reset). */
int statement_step(struct store *store, sqlite3_stmt *stmt);
/* The rows contradict one another, as no import leaves them.  Sets the error, with advice; -1. */
int store_damaged(const struct store *store, const char *what);
/* -1, with SQLite's message and advice for the usual troubles. */
int store_error(const struct store *store);
/* "process 4711 (memlog)" where the kernel tells who has locked the file, else "another process";
 * the caller frees it. */
char *database_holder(const char *path);
/* On the conveyor: keeps SQLite's message for store_error(), which the main thread calls. */
void store_keep_failure(struct store *store);

#define RUN(store, which, ...) \
	statement_run((store), STATEMENT_##which, (const struct sql_value[]){ __VA_ARGS__ }, \
		      (int)(sizeof((const struct sql_value[]){ __VA_ARGS__ }) / \
			    sizeof(struct sql_value)))
#define BIND(store, which, ...) \
	statement_bind((store), STATEMENT_##which, (const struct sql_value[]){ __VA_ARGS__ }, \
		       (int)(sizeof((const struct sql_value[]){ __VA_ARGS__ }) / \
			     sizeof(struct sql_value)))
#define RUN_PLAIN(store, which) statement_run((store), STATEMENT_##which, NULL, 0)

/* Opens the file again, with SQLITE_OPEN_READONLY and the like. */
int store_connect(struct store *store, int mode);
/* Statements without parameters or rows. */
int store_execute(struct store *store, const char *sql);
/* The number that a pragma, or any statement, gives first. */
int store_pragma(struct store *store, const char *sql, int *out);

/* schema.c: makes the tables of a new file, and brings those of an older memlog up to date. */
int schema_check(struct store *store, enum store_mode mode);

/* A column as a quantity: NULL is QUANTITY_UNKNOWN. */
static inline int64_t column_quantity(sqlite3_stmt *stmt, int i)
{
	return sqlite3_column_type(stmt, i) == SQLITE_NULL ? QUANTITY_UNKNOWN
							   : sqlite3_column_int64(stmt, i);
}

static inline const char *column_text(sqlite3_stmt *stmt, int i)
{
	return (const char *)sqlite3_column_text(stmt, i);
}

/* Times are microseconds in the database, nanoseconds outside. */
static inline int64_t to_stored_time(int64_t time)
{
	return time == TIME_UNKNOWN ? QUANTITY_UNKNOWN : time / 1000;
}

static inline int64_t from_stored_time(int64_t time)
{
	return quantity_known(time) ? time * 1000 : TIME_UNKNOWN;
}

void writer_free(struct writer *writer);

#endif
