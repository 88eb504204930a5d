#ifndef STORE_BULK_H
#define STORE_BULK_H

#include "store/conveyor.h"
#include "store/db.h"

/*
 * Many rows of integers into one table: BULK_ROWS of them an INSERT, which halves the time of a row
 * each, by the store's conveyor beside the parsing.  A value of QUANTITY_UNKNOWN is NULL.
 */
enum { BULK_ROWS = 32 };

struct bulk {
	struct store *store;
	sqlite3_stmt *many, *one;
	int columns;
	struct box box; /* rows that wait for company */
};

/* `table` and `columns` ("a, b, c", at most BOX_COLUMNS) are the program's own texts. */
int bulk_open(struct bulk *bulk, struct store *store, const char *table, const char *columns);
int bulk_add(struct bulk *bulk, const int64_t *values);
/* Writes what is waiting. */
int bulk_flush(struct bulk *bulk);
/* Forgets what is waiting. */
void bulk_drop(struct bulk *bulk);
void bulk_close(struct bulk *bulk);

/* For the conveyor: writes the rows of a box whose target is a bulk. */
int bulk_write(const struct box *box);

#endif
