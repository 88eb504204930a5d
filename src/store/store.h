#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/point.h"
#include "model/timeline.h"

/*
 * The database: the only code that speaks SQL.  src/store/schema.sql says what it holds.
 *
 * Opening creates, checks and migrates.  A file that is not a memlog database is never written to;
 * one of a newer schema is refused; one of an older schema is copied first, then brought up to date,
 * all of it or nothing.  Errors name the file and what to do.
 */
struct store;

enum store_mode {
	STORE_READ,  /* the file must exist */
	STORE_WRITE, /* created if need be */
};

enum { STORE_WAIT = 10 };

/* `path` ":memory:" is a database of its own that goes away.  Where another process holds the
 * database, waits for STORE_WAIT or the given seconds, then fails. */
int store_open(struct store **out, const char *path, enum store_mode mode);
int store_open_waiting(struct store **out, const char *path, enum store_mode mode, int seconds);
void store_close(struct store *store);
/* Where opening migrated: the copy of the database as it was, "memlog.db.schema-1".  Else NULL. */
const char *store_kept(const struct store *store);

/*
 * From now on the database writes to two files only and makes none: its own and its journal, whose
 * name *journal gets.  The journal stays, empty, until the next import without this.
 */
int store_confine(struct store *store, const char **journal);

/* ---- writing: one import is one transaction, each source a savepoint in it ---- */

/*
 *	store_begin_import()
 *	  store_begin_source(), point by point through store_sink(), store_end_source()
 *	  … or store_drop_source()
 *	store_commit() or store_rollback()
 */
int store_begin_import(struct store *store);
int store_commit(struct store *store);
void store_rollback(struct store *store);

struct source_info {
	const char *path;
	const char
		*run_name; /* for its runs; made distinct with ~2, ~3 where a run has it already */
	const char *hash;  /* the following are read by store_end_source() only */
	int64_t bytes, lines, matched, blank, unmatched;
};

int store_begin_source(struct store *store, const struct source_info *info);
/* Where replay sends its points. */
struct point_sink store_sink(struct store *store);
/* 1: these very bytes were imported before; nothing of the source is kept, and *known_source is the
 * earlier one.  0: kept. */
int store_end_source(struct store *store, const struct source_info *info, int64_t *known_source);
int store_drop_source(struct store *store);

/* ---- runs ---- */

struct run_row {
	int64_t id;
	const char *name, *source, *dialect; /* dialect NULL: none took a line */
	int64_t started;                     /* nanoseconds or TIME_UNKNOWN */
	int64_t points, notes;
	const char *tags; /* comma-separated, sorted, or NULL */
	const char *damage;
};

struct run_list {
	struct arena arena;
	struct run_row *at;
	size_t len;
};

/* The runs that a list of ids, names and globs names, in the order of the database; an empty list
 * names the runs of the latest import that has some.  -1 if a name fits no run, or there is none. */
int store_find_runs(struct store *store, const char *const *names, size_t n, struct run_list *out);
int store_all_runs(struct store *store, struct run_list *out);
/* The runs of one source. */
int store_source_runs(struct store *store, int64_t source, struct run_list *out);
void run_list_release(struct run_list *list);

/* Reads `part`, a run of another log, into `run` from now on. */
int store_join_run(struct store *store, int64_t run, int64_t part);
/* The parts of a run, in the order of the import; the array lives in the arena. */
int store_joined_runs(struct store *store, int64_t run, struct arena *arena, int64_t **out,
		      size_t *n);
/* What a process takes of a card before any tensor, remembered for later runs on such a card. */
int store_learn_context(struct store *store, const struct timeline *timeline, const char *card,
			int64_t bytes, int64_t tolerance);
/* Fills timeline->learned with the least that other runs on the card have shown, if any. */
int store_recall_context(struct store *store, struct timeline *timeline, const char *card);
/* Gives each the other's name. */
int store_swap_names(struct store *store, const struct run_row *a, const struct run_row *b);

int store_rename_run(struct store *store, int64_t run, const char *name);
int store_tag_run(struct store *store, int64_t run, const char *tag, bool remove);
int store_remove_run(struct store *store, int64_t run);

/* ---- reading ---- */

/* The run as series; release with timeline_release(). */
int store_read_timeline(struct store *store, int64_t run, struct timeline *out);

/* Calls fn for each note of the run, by line.  fn returns 0, or -1 to stop. */
int store_read_notes(struct store *store, int64_t run,
		     int (*fn)(void *context, const struct note *note), void *context);

/* Any one statement that only reads, for `memlog query`. */
struct query_value {
	enum { QUERY_NULL, QUERY_INT, QUERY_REAL, QUERY_TEXT } kind;
	int64_t number;
	double real;
	const char *text; /* valid during the call */
};

struct query_sink {
	void *context;
	int (*columns)(void *context, const char *const *names, size_t n);
	int (*row)(void *context, const struct query_value *values, size_t n);
};

/* columns() and row() return 0, or 1 when they have enough, or -1.  A statement that takes longer
 * than `seconds` is stopped: a usage error, as are all that the statement is to blame for. */
int store_query(struct store *store, const char *sql, int seconds, const struct query_sink *sink);

/* The rows of one of the views for everyone, of these runs (none: all), in the order of the log.  A
 * usage error that names the views for another name. */
int store_export(struct store *store, const char *view, const struct run_list *runs,
		 const struct query_sink *sink);

#endif
