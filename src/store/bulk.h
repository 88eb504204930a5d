#ifndef STORE_BULK_H
#define STORE_BULK_H

#include "store/db.h"

/*
 * Many rows of integers into one table: BULK_ROWS of them an INSERT, which halves the time of a row
 * each.  A value of QUANTITY_UNKNOWN is NULL.
 */
enum { BULK_ROWS = 32, BULK_COLUMNS = 11 };

struct bulk {
	struct store *store;
	sqlite3_stmt *many, *one;
	int columns, rows;
	int64_t value[BULK_ROWS][BULK_COLUMNS];
};

/* `table` and `columns` ("a, b, c") are the program's own texts. */
int bulk_open(struct bulk *bulk, struct store *store, const char *table, const char *columns);
int bulk_add(struct bulk *bulk, const int64_t *values);
/* Writes what is waiting. */
int bulk_flush(struct bulk *bulk);
/* Forgets what is waiting. */
void bulk_drop(struct bulk *bulk);
void bulk_close(struct bulk *bulk);

#endif
