#include "render/cell.h"

#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"
#include "base/timestamp.h"

bool cell_is_number(enum cell_type type)
{
	static const bool number[CELL_TYPES] = {
		[CELL_INT] = true, [CELL_REAL] = true, [CELL_BYTES] = true, [CELL_CHANGE] = true
	};

	return number[type];
}

bool cell_is_null(const struct cell *cell, enum cell_type type)
{
	if (cell->null)
		return true;
	switch (type) {
	case CELL_TEXT:
		return !cell->text;
	case CELL_REAL:
		return !isfinite(cell->real);
	default:
		return !quantity_known(cell->number);
	}
}

int64_t *cell_resolutions(const struct table *table)
{
	int64_t *resolution = xcalloc(table->columns + 1, sizeof(*resolution));

	for (size_t column = 0; column < table->columns; column++) {
		resolution[column] = SECOND;
		if (table->column[column].type != CELL_TIME)
			continue;
		for (size_t row = 0; row < table_rows(table); row++) {
			const struct cell *cell = cell_at(table, row, column);

			while (!cell_is_null(cell, CELL_TIME) && cell->number % resolution[column])
				resolution[column] /= 1000;
		}
	}
	return resolution;
}

void cell_for_people(struct strbuf *out, const struct cell *cell, enum cell_type type,
		     int64_t resolution, enum size_style units)
{
	char text[SIZE_TEXT];

	if (cell_is_null(cell, type)) {
		strbuf_adds(out, "-");
		return;
	}
	switch (type) {
	case CELL_REAL:
		strbuf_addf(out, "%.6g", cell->real);
		break;
	case CELL_BYTES:
		strbuf_adds(out, size_format(text, cell->number, units));
		break;
	case CELL_CHANGE:
		strbuf_adds(out, size_format_change(text, cell->number, units));
		break;
	default:
		cell_exact(out, cell, type, resolution);
		break;
	}
}

/* The shortest decimal that reads back as the same double. */
static void add_real(struct strbuf *out, double real)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			break;
	}
	strbuf_adds(out, text);
}

void cell_exact(struct strbuf *out, const struct cell *cell, enum cell_type type,
		int64_t resolution)
{
	char text[TIME_TEXT];

	if (cell_is_null(cell, type))
		return;
	switch (type) {
	case CELL_TEXT:
		strbuf_adds(out, cell->text);
		break;
	case CELL_REAL:
		add_real(out, cell->real);
		break;
	case CELL_TIME:
		strbuf_adds(out, time_format(text, cell->number, resolution));
		break;
	default:
		strbuf_addf(out, "%" PRId64, cell->number);
		break;
	}
}
