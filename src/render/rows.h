#ifndef RENDER_ROWS_H
#define RENDER_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Rows for machines, one at a time, however many there are: csv, or a JSON object a line.
 */
enum row_kind { ROW_NULL, ROW_INT, ROW_REAL, ROW_TEXT };

struct row_value {
	enum row_kind kind;
	int64_t number;
	double real;
	const char *text;
};

struct row_format {
	const char *name;
	/* Before the first row; may be NULL. */
	int (*head)(FILE *out, const char *const *names, size_t n);
	int (*row)(FILE *out, const char *const *names, const struct row_value *values, size_t n);
};

/* NULL: there is no such format. */
const struct row_format *row_format_find(const char *name);

#endif
