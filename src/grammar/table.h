#ifndef GRAMMAR_TABLE_H
#define GRAMMAR_TABLE_H

#include "base/strbuf.h"
#include "grammar/convert.h"
#include "grammar/grammar.h"

/*
 * The `table` construct at work: which column of the header at hand becomes which field.
 *
 * Life cycle: zeroed -> table_read_header() at each header -> table_read_row() on lines ->
 * table_close().
 */
struct open_column {
	int field; /* -1: of no use */
	int64_t unit;
};

struct open_table {
	const struct rule *rule; /* NULL: none is open */
	struct open_column column[256];
	size_t columns, wide; /* wide: index, or == columns */
	struct strbuf joined; /* several columns that are one field: date and time */
};

/* Reads the header line.  1 it is one with a column of use, 0 it is none, -1 a pattern gave up. */
int table_read_header(struct open_table *t, const struct rule *rule, struct span header);

enum row { ROW_NO, ROW_YES, ROW_SKIP, ROW_END };

/* What `line` is to the open table; the fields of a row go into the record. -1: a pattern gave up.
 */
int table_read_row(struct open_table *t, const struct conversion *c, struct span line,
		   struct record *record);

void table_close(struct open_table *t);

#endif
