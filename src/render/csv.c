/*
 * The format "csv" (RFC 4180, with lines that end in LF): each table under its column names,
 * tables separated by an empty line.  Null is an empty field, empty text is "".
 */
#include <string.h>

#include "base/alloc.h"
#include "render/cell.h"
#include "render/formats.h"

static bool needs_quotes(const char *text)
{
	size_t len = strlen(text);

	return !len || strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[len - 1] == ' ';
}

void csv_field(const char *text, FILE *out)
{
	if (!needs_quotes(text)) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void print_row(const struct table *table, size_t row, const int64_t *resolution, FILE *out)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t c = 0; c < table->columns; c++) {
		const struct cell *cell = cell_at(table, row, c);
		enum cell_type type = table->column[c].type;

		if (c)
			putc(',', out);
		strbuf_clear(&sb);
		cell_exact(&sb, cell, type, resolution[c]);
		/* One null alone would be an empty line, which separates tables. */
		if (!cell_is_null(cell, type) || table->columns == 1)
			csv_field(sb.buf, out);
	}
	putc('\n', out);
	strbuf_release(&sb);
}

static void print_table(const struct table *table, FILE *out)
{
	int64_t *resolution = cell_resolutions(table);

	for (size_t c = 0; c < table->columns; c++) {
		if (c)
			putc(',', out);
		csv_field(table->column[c].name, out);
	}
	putc('\n', out);
	for (size_t row = 0; row < table_rows(table); row++)
		print_row(table, row, resolution, out);
	free(resolution);
}

int render_csv(const struct view *view, FILE *out, const struct render_options *options)
{
	bool first = true;

	(void)options;
	for (const struct block *b = view->first; b; b = b->next) {
		if (!b->table || b->table->omit_in_csv || !b->table->columns)
			continue;
		if (!first)
			putc('\n', out);
		first = false;
		print_table(b->table, out);
	}
	return 0;
}
