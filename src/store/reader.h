#ifndef STORE_READER_H
#define STORE_READER_H

#include "base/intern.h"
#include "base/vec.h"
#include "model/timeline.h"
#include "store/db.h"

/*
 * One run being read into a timeline.  Private to store/.
 *
 *	store_read.c   the run, its sites, subjects, events
 *	read_rows.c    tensors -> rows: all classes of a shape and dtype are one row
 *	read_points.c  points, with the changes and samples that belong to them, folded
 */

struct stretch {
	int64_t first, last; /* ids; last < first: empty */
};

/* A tensor of the database, which is one class of a row. */
struct member {
	size_t row;
	size_t next; /* of the same row + 1; 0: none */
	int64_t count;
};

struct row_state {
	size_t first;	   /* member + 1 */
	int64_t told;	   /* count in the latest change */
	int64_t line;	   /* of the latest change */
	bool touched;	   /* since the latest point */
};

struct loose_change {
	size_t row;
	struct tensor_change change;
};

struct rows {
	VEC(struct tensor_row) at;
	VEC(struct row_state) state; /* by row */
	VEC(struct member) member;   /* by tensor id − first_tensor */
	VEC(size_t) touched;
	VEC(struct loose_change) loose; /* in the order of points */
	int64_t first_tensor;
	struct intern kinds;
};

struct reader {
	struct store *store;
	struct timeline *t;
	int64_t source;
	struct stretch points, changes, samples;
	bool exact_rows;
	int64_t quantum;
	int64_t first_position; /* id of site[0] */
	struct site *site;	/* of the timeline, while its folds are set */
	struct subject *subject;
	VEC(size_t) subject_of; /* by subject id − first_subject: index into subject, SIZE_MAX: left out */
	int64_t first_subject;
	struct rows rows;
};

/* A copy in the timeline's arena. */
static inline char *reader_keep(struct reader *r, sqlite3_stmt *stmt, int column)
{
	return arena_text(&r->t->arena, span_of(column_text(stmt, column)));
}

int rows_read(struct reader *reader);
/* A tensor's count is another from here on. */
void rows_change(struct rows *rows, int64_t tensor, int64_t count, int64_t line);
/* The point of that index is complete: what changed since the one before becomes changes. */
void rows_end_point(struct rows *rows, size_t point);
/* Into the timeline. */
void rows_finish(struct reader *reader);
void rows_release(struct rows *rows);

/* Needs sites, subjects and rows. */
int points_read(struct reader *reader);

#endif
