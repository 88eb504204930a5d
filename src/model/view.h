#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/units.h"
#include "model/doc.h"

/*
 * An answer for a reader: blocks of text and tables in order, and the same as a document for
 * machines.  Commands fill a view; renderers know nothing else.  All of it lives in the arena.
 *
 *	struct view view = VIEW_INIT;
 *	struct table *t = view_table(&view, "runs");
 *	table_column(t, "id", CELL_INT);
 *	table_column(t, "allocated", CELL_BYTES);
 *	table_row(t);
 *	cell_int(t, 1);
 *	cell_int(t, 1024);
 *	view_release(&view);
 */

/* How a piece of text is meant; renderers choose colour or weight. */
enum tone { TONE_PLAIN, TONE_BAD, TONE_WARN, TONE_GOOD, TONE_STRONG, TONE_DIM, TONES };

enum cell_type {
	CELL_TEXT,
	CELL_INT,
	CELL_REAL,
	CELL_BYTES,  /* number: bytes */
	CELL_CHANGE, /* number: bytes, shown with its sign */
	CELL_TIME,   /* number: nanoseconds UTC */
	CELL_TYPES
};

struct cell {
	bool null;
	int64_t number;
	double real;
	const char *text;
};

struct column {
	const char *name;
	enum cell_type type;
};

struct table {
	struct arena *arena;
	const char *name; /* key of the array of rows in json when the view has no doc of its own */
	struct column *column;
	size_t columns, column_cap;
	struct cell *cell; /* row by row */
	size_t cells, cell_cap;
	bool omit_in_csv; /* an aside that row formats leave out */
	int indent;       /* blanks before each line in the terminal */
	bool headless;    /* no column names in the terminal */
};

/* A run of text in one tone. */
struct fragment {
	enum tone tone;
	const char *text;
	struct fragment *next;
};

struct block {
	struct block *next;
	struct table *table; /* or NULL: a paragraph */
	int indent;          /* blanks before each line of a paragraph */
	int hang;            /* further blanks for its wrapped lines */
	bool tight;          /* no blank line before it */
	struct fragment *first, *last;
};

struct view {
	struct arena arena;
	struct block *first, *last;
	struct doc *doc; /* for json; NULL: made of the first table */
	enum size_style units;
};

#define VIEW_INIT \
	{ \
		.arena = ARENA_INIT \
	}

void view_release(struct view *view);

struct table *view_table(struct view *view, const char *name);
void table_column(struct table *table, const char *name, enum cell_type type);
/* Checks in debug builds that the last row is complete; cells follow from the first column. */
void table_row(struct table *table);
void cell_text(struct table *table, const char *text); /* copied; NULL: null */
void cell_int(struct table *table, int64_t number);    /* QUANTITY_UNKNOWN: null */
void cell_real(struct table *table, double real);
void cell_null(struct table *table);
static inline size_t table_rows(const struct table *t)
{
	return t->columns ? t->cells / t->columns : 0;
}

/* A paragraph; it wraps at the width of the terminal. */
struct block *view_paragraph(struct view *view, int indent);
void view_text(struct view *view, enum tone tone, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
