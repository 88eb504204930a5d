#ifndef CMD_IMPORT_LOG_H
#define CMD_IMPORT_LOG_H

#include "base/arena.h"
#include "base/timestamp.h"
#include "base/vec.h"
#include "grammar/grammar.h"
#include "model/point.h"
#include "store/store.h"

struct progress;

/*
 * One log through all stages: source -> lines -> records -> points -> store.
 */

struct import_options {
	const char *run;      /* name for its runs, or NULL: from the path */
	const char *dialect;  /* the only one to use, or NULL */
	const char *encoding; /* or NULL */
	const char *columns;  /* header of a table printed without one, or NULL */
	int64_t max_bytes;
	struct zone zone;
};

enum import_status {
	IMPORT_IMPORTED,
	IMPORT_KNOWN,   /* the same bytes are there already */
	IMPORT_SKIPPED, /* no log; only for files found in folders */
	IMPORT_FAILED,
	IMPORT_STATUSES
};
extern const char *const import_status_names[IMPORT_STATUSES];

/* How often a note's code came. */
struct note_count {
	const char *code;
	int64_t count;
};

/* How many lines a dialect took, and how many of them say something. */
struct dialect_lines {
	const char *name;
	int64_t lines, telling;
};

/* What was taken of one log; texts live in the arena. */
struct import_result {
	struct arena arena;
	const char *path;
	enum import_status status;
	const char *error; /* IMPORT_FAILED, IMPORT_SKIPPED: why */
	VEC(const char *) dialects;              /* that tell something, most lines first */
	VEC(struct dialect_lines) dialect_lines; /* by dialect index */
	VEC(const char *) runs;
	VEC(struct note) notes;
	VEC(struct note_count) note_counts;
	int64_t values; /* points that print what an allocator or a tracker holds */
	int64_t points, samples, events, lines, matched, blank, unmatched;
	int64_t devices, processes;
	int64_t first_time, last_time; /* TIME_UNKNOWN: none */
	const struct position *loop; /* the position met most often; a copy in the arena, or NULL */
	int64_t iterations;          /* how often */
};

/* -1, when interrupt_pending(). */
int import_interrupted(void);
void import_result_release(struct import_result *result);

/*
 * Imports `path` ("-": stdin) inside the store's import.  0 with *result filled, whatever its
 * status; -1 for trouble with the database, after which the import must be rolled back.
 */
int import_log(struct import_result *result, struct store *store, const struct grammars *grammars,
	       const char *path, bool found_in_folder, const struct import_options *options,
	       struct progress *progress);

#endif
