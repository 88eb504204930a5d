#ifndef STORE_CONVEYOR_H
#define STORE_CONVEYOR_H

#include <stdint.h>

/*
 * A thread that writes rows into the database while the log is still being parsed.
 *
 * Boxes of rows are handed over through a ring and written in the order they came.  Whoever wants
 * to use the database beside it calls conveyor_settle() first, so that the connection is only ever
 * used by one thread at a time.  The thread starts with the first box: a short log never needs it.
 * Private to store/.
 */
struct conveyor;

enum { BOX_ROWS = 256, BOX_COLUMNS = 8 };

struct box {
	void *target; /* for the function that writes */
	int rows;
	int64_t value[BOX_ROWS][BOX_COLUMNS];
};

/* Writes a box; 0, or -1, after which no more boxes are written. */
typedef int conveyor_write(const struct box *box);

struct conveyor *conveyor_new(conveyor_write *write);

/* Copies the box into the ring, waiting for room.  -1: a box could not be written. */
int conveyor_push(struct conveyor *conveyor, const struct box *box);

/* Waits until every box is written.  -1: one could not be; the connection has the reason. */
int conveyor_settle(struct conveyor *conveyor);

/* After a rollback: what failed is forgotten. */
void conveyor_reset(struct conveyor *conveyor);

/* NULL is fine. */
void conveyor_free(struct conveyor *conveyor);

#endif
