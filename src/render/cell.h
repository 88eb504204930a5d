#ifndef RENDER_CELL_H
#define RENDER_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/view.h"

/* Cells as text, the same in every format that shows them. */

static inline const struct cell *cell_at(const struct table *table, size_t row, size_t column)
{
	return &table->cell[row * table->columns + column];
}

/* Types that line up on the right. */
bool cell_is_number(enum cell_type type);

/* Null, or a number that is none: NaN, infinity, an unknown quantity. */
bool cell_is_null(const struct cell *cell, enum cell_type type);

/*
 * By column: the coarsest of second, millisecond, microsecond and nanosecond that shows all its
 * times exactly.  Allocated; free() it.
 */
int64_t *cell_resolutions(const struct table *table);

/* For people: sizes in `units`, "-" for null; text as it is in the log, not made safe. */
void cell_for_people(struct strbuf *out, const struct cell *cell, enum cell_type type,
		     int64_t resolution, enum size_style units);

/* For programs: whole bytes, shortest exact reals, ISO 8601 times, nothing for null. */
void cell_exact(struct strbuf *out, const struct cell *cell, enum cell_type type,
		int64_t resolution);

#endif
