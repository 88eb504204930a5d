/*
 * The format "table": paragraphs wrapped at the width of the terminal, tables laid out by
 * libsmartcols.
 */
#include <libsmartcols/libsmartcols.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "render/cell.h"
#include "render/formats.h"
#include "render/text.h"

enum {
	READABLE_COLUMNS = 16, /* no text is cut below this, even if the table gets too wide */
	NARROWEST = 20,        /* paragraphs wrap no closer than this, however deep the indent */
};

/* ---- paragraphs ---- */

/* A printable character of a paragraph. */
struct piece {
	struct span bytes;
	int width;
	enum tone tone;
	bool closing; /* punctuation that no line begins with */
};

struct paragraph {
	struct strbuf text; /* holds the bytes of the pieces */
	VEC(struct piece) piece;
};

static const char *const tone_codes[TONES] = {
	[TONE_BAD] = "\033[1;31m", [TONE_WARN] = "\033[33m", [TONE_GOOD] = "\033[32m",
	[TONE_STRONG] = "\033[1m", [TONE_DIM] = "\033[2m",
};

static bool is_closing(uint32_t code)
{
	static const uint32_t codes[] = { 0x2019, 0x201d, 0x2026, 0x3001, 0x3002, 0x3009,
					  0x300b, 0x300d, 0x300f, 0x3011, 0xff01, 0xff09,
					  0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f };

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (codes[i] == code)
			return true;
	}
	return false;
}

static bool is_blank(const struct paragraph *p, size_t i)
{
	return *p->piece.at[i].bytes.ptr == ' ';
}

/* Lines may end at blanks, and between the characters of scripts written without them. */
static bool may_break_before(const struct paragraph *p, size_t i)
{
	const struct piece *before = &p->piece.at[i - 1], *after = &p->piece.at[i];

	if (is_blank(p, i) != is_blank(p, i - 1))
		return true;
	return (before->width == 2 || after->width == 2) && after->width && !after->closing;
}

/*
 * The end of the line that begins at `from`.  A word longer than the line stays whole: the
 * terminal wraps it, and it can still be copied.
 */
static size_t line_end(const struct paragraph *p, size_t from, int width)
{
	size_t end = from;
	bool text = false;
	int used = 0;

	for (size_t i = from; i < p->piece.len; i++) {
		if (text && may_break_before(p, i))
			end = i;
		used += p->piece.at[i].width;
		if (used > width && end > from)
			return end;
		text |= !is_blank(p, i);
	}
	return p->piece.len;
}

static void print_line(const struct paragraph *p, size_t from, size_t end, bool color, FILE *out)
{
	const char *tone = NULL;

	for (size_t i = from; i < end; i++) {
		const char *code = color ? tone_codes[p->piece.at[i].tone] : NULL;

		if (code != tone)
			fprintf(out, "%s%s", tone ? "\033[0m" : "", code ? code : "");
		tone = code;
		fwrite(p->piece.at[i].bytes.ptr, 1, p->piece.at[i].bytes.len, out);
	}
	fprintf(out, "%s\n", tone ? "\033[0m" : "");
}

static void paragraph_fill(struct paragraph *p, const struct block *block)
{
	VEC(size_t) ends = VEC_INIT;
	struct glyph glyph;
	size_t from = 0, n = 0;

	for (const struct fragment *f = block->first; f; f = f->next) {
		text_for_terminal(&p->text, span_of(f->text));
		*vec_push(&ends) = p->text.len;
	}
	/* Pieces point into the text, so it has to be complete first. */
	for (const struct fragment *f = block->first; f; f = f->next) {
		struct span rest = { p->text.buf + from, ends.at[n] - from };

		while (text_next(&rest, &glyph))
			*vec_push(&p->piece) = (struct piece){ glyph.bytes, glyph_width(&glyph),
							       f->tone, is_closing(glyph.code) };
		from = ends.at[n++];
	}
	vec_release(&ends);
}

static void print_paragraph(const struct block *block, FILE *out,
			    const struct render_options *options)
{
	struct paragraph p = { STRBUF_INIT, VEC_INIT };
	int indent = block->indent;
	size_t at = 0, end, next;

	paragraph_fill(&p, block);
	do {
		int width = options->width ? options->width - indent : INT_MAX;

		next = end = line_end(&p, at, width > NARROWEST ? width : NARROWEST);
		while (end > at && is_blank(&p, end - 1))
			end--;
		fprintf(out, "%*s", end > at ? indent : 0, "");
		print_line(&p, at, end, options->color, out);
		while (next < p.piece.len && is_blank(&p, next))
			next++;
		at = next;
		indent = block->indent + block->hang;
	} while (at < p.piece.len);
	vec_release(&p.piece);
	strbuf_release(&p.text);
}

/* ---- tables ---- */

/* The texts of a table with its heading as row 0, and the columns each may take. */
struct grid {
	size_t rows, columns;
	char **text;
	int *width;
};

static char **grid_at(const struct grid *grid, size_t row, size_t column)
{
	return &grid->text[row * grid->columns + column];
}

static char *safe(struct span text)
{
	struct strbuf sb = STRBUF_INIT;

	text_for_terminal(&sb, text);
	return strbuf_detach(&sb);
}

static void grid_fill(struct grid *grid, const struct table *table, enum size_style units)
{
	int64_t *resolution = cell_resolutions(table);
	struct strbuf sb = STRBUF_INIT;

	grid->rows = table_rows(table) + 1;
	grid->columns = table->columns;
	grid->text = xcalloc(grid->rows * grid->columns, sizeof(*grid->text));
	grid->width = xcalloc(grid->columns, sizeof(*grid->width));
	for (size_t c = 0; c < grid->columns; c++) {
		for (size_t r = 0; r < grid->rows; r++) {
			strbuf_clear(&sb);
			if (r)
				cell_for_people(&sb, cell_at(table, r - 1, c),
						table->column[c].type, resolution[c], units);
			else if (!table->headless)
				strbuf_adds(&sb, table->column[c].name);
			*grid_at(grid, r, c) = safe(strbuf_span(&sb));
			int width = text_width(span_of(*grid_at(grid, r, c)));

			grid->width[c] = width > grid->width[c] ? width : grid->width[c];
		}
	}
	strbuf_release(&sb);
	free(resolution);
}

static void grid_release(struct grid *grid)
{
	for (size_t i = 0; i < grid->rows * grid->columns; i++)
		free(grid->text[i]);
	free(grid->text);
	free(grid->width);
}

/* Takes columns off the widest text until the table fits or nothing can be cut readably. */
static void grid_fit(struct grid *grid, const struct table *table, int width)
{
	int total = -2;

	for (size_t c = 0; c < grid->columns; c++)
		total += grid->width[c] + 2;
	for (; total > width; total--) {
		size_t widest = grid->columns;

		for (size_t c = 0; c < grid->columns; c++) {
			if (table->column[c].type == CELL_TEXT &&
			    grid->width[c] > READABLE_COLUMNS &&
			    (widest == grid->columns || grid->width[c] > grid->width[widest]))
				widest = c;
		}
		if (widest == grid->columns)
			return;
		grid->width[widest]--;
	}
}

static char *cut(const char *text, int columns)
{
	struct strbuf sb = STRBUF_INIT;

	text_shorten(&sb, span_of(text), columns);
	return strbuf_detach(&sb);
}

static int grid_lay_out(const struct grid *grid, const struct table *table, char **text)
{
	struct libscols_table *tb = scols_new_table();
	int failed = !tb;

	*text = NULL;
	failed = failed || scols_table_enable_noencoding(tb, 1) ||
		 scols_table_enable_noheadings(tb, table->headless) ||
		 scols_table_set_column_separator(tb, "  ") ||
		 scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	for (size_t c = 0; !failed && c < grid->columns; c++) {
		int right = cell_is_number(table->column[c].type) ? SCOLS_FL_RIGHT : 0;
		char *head = cut(*grid_at(grid, 0, c), grid->width[c]);

		failed = !scols_table_new_column(tb, head, 0, right | SCOLS_FL_NOEXTREMES);
		free(head);
	}
	for (size_t r = 1; !failed && r < grid->rows; r++) {
		struct libscols_line *line = scols_table_new_line(tb, NULL);

		failed = !line;
		for (size_t c = 0; !failed && c < grid->columns; c++)
			failed = scols_line_refer_data(line, c,
						       cut(*grid_at(grid, r, c), grid->width[c]));
	}
	failed = failed || scols_print_table_to_string(tb, text);
	scols_unref_table(tb);
	return failed ? error_set("cannot lay out the table '%s'", table->name) : 0;
}

static int print_table(const struct table *table, enum size_style units, FILE *out,
		       const struct render_options *options)
{
	struct grid grid = { 0 };
	struct span rest;
	char *text = NULL;
	int rc;

	grid_fill(&grid, table, units);
	if (options->width)
		grid_fit(&grid, table, options->width - table->indent);
	rc = grid_lay_out(&grid, table, &text);
	for (rest = span_of(text); !rc && rest.len;) {
		struct span line = span_split(rest, '\n', &rest);

		/* The last column is padded to its width. */
		while (line.len && line.ptr[line.len - 1] == ' ')
			line.len--;
		fprintf(out, "%*s%.*s\n", table->indent, "", SPAN_ARG(line));
	}
	free(text);
	grid_release(&grid);
	return rc;
}

int render_table(const struct view *view, FILE *out, const struct render_options *options)
{
	bool first = true;

	for (const struct block *b = view->first; b; b = b->next) {
		/* A table without rows says nothing; the paragraph beside it says why. */
		if (b->table && !table_rows(b->table))
			continue;
		if (!first && !b->tight)
			putc('\n', out);
		first = false;
		if (!b->table)
			print_paragraph(b, out, options);
		else if (print_table(b->table, view->units, out, options))
			return -1;
	}
	return 0;
}
