/*
 * A plot drawn in the terminal:
 *
 *	title
 *	subtitle
 *	           labels of the marks
 *	  20 GiB ┤ rows of the canvas
 *	         └──┬──────
 *	            50        x label
 *	legend
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "render/canvas.h"
#include "render/plot.h"
#include "render/text.h"

enum {
	NARROWEST = 40,
	LOWEST = 10,
	NAME_COLUMNS = 40,
	LABEL_COLUMNS = 36,
	STEP_X = 12,
	STEP_Y = 4
};

struct drawing {
	const struct plot *plot;
	FILE *out;
	int width, margin; /* columns; left of the axis */
	bool color;
	struct axes axes;
	struct canvas canvas;
};

/* One line of text under construction: columns are filled from the left, never twice. */
struct row {
	struct strbuf text;
	int used;
};

/* Appends text at a column; false if something is there already or it does not fit. */
static bool row_put(struct row *row, int column, int width, const char *text)
{
	int columns = text_width(span_of(text));

	if (column < row->used + (row->used > 0) || column + columns > width)
		return false;
	strbuf_addf(&row->text, "%*s%s", column - row->used, "", text);
	row->used = column + columns;
	return true;
}

static void row_print(struct row *row, FILE *out)
{
	if (row->used)
		fprintf(out, "%s\n", row->text.buf);
	strbuf_release(&row->text);
	*row = (struct row){ STRBUF_INIT, 0 };
}

static char *prepared(const char *text, int columns)
{
	struct strbuf safe = STRBUF_INIT, cut = STRBUF_INIT;

	text_for_terminal(&safe, span_of(text));
	text_shorten(&cut, strbuf_span(&safe), columns);
	strbuf_release(&safe);
	return strbuf_detach(&cut);
}

/* How much of `text` a line of `width` columns takes: up to a blank where there is one. */
static size_t line_bytes(struct span text, int width)
{
	struct span rest = text;
	struct glyph glyph;
	size_t at = 0, blank = 0;
	int columns = 0;

	while (text_next(&rest, &glyph)) {
		columns += glyph_width(&glyph);
		if (columns > width)
			return blank ? blank : at;
		at += glyph.bytes.len;
		if (*glyph.bytes.ptr == ' ')
			blank = at;
	}
	return text.len;
}

/* The answer is never cut, unless a log put a novel into it. */
static void print_title(FILE *out, const char *text, int width, const char *tone, bool color)
{
	enum { LINES = 4 };
	char *title = prepared(text, width * LINES);
	struct span rest = span_of(title);

	while (rest.len) {
		size_t len = line_bytes(rest, width);
		struct span line = span_trim((struct span){ rest.ptr, len });

		fprintf(out, "%s%.*s%s\n", color ? tone : "", SPAN_ARG(line),
			color ? "\033[0m" : "");
		rest = span_skip(rest, len ? len : rest.len);
	}
	free(title);
}

/* Labels of marks where there is room; those of out of memory come first, from the right. */
static void print_marks(const struct drawing *d)
{
	const struct plot *plot = d->plot;
	struct row row = { STRBUF_INIT, 0 };
	int limit = d->width;
	char *last = NULL;
	int last_column = 0;

	for (size_t i = plot->marks; i-- > 0 && !last;) {
		int column = canvas_column(&d->canvas, plot->mark[i].x);

		if (!plot->mark[i].bad || column < 0)
			continue;
		last = prepared(plot->mark[i].label, LABEL_COLUMNS);
		last_column = d->margin + 1 + column;
		if (last_column + text_width(span_of(last)) > d->width)
			last_column = d->width - text_width(span_of(last));
		limit = last_column - 1;
	}
	for (size_t i = 0; i < plot->marks; i++) {
		int column = canvas_column(&d->canvas, plot->mark[i].x);
		char *label = prepared(plot->mark[i].label, LABEL_COLUMNS);

		if (column >= 0 && *label)
			row_put(&row, d->margin + 1 + column, limit, label);
		free(label);
	}
	if (last)
		row_put(&row, last_column, d->width, last);
	free(last);
	row_print(&row, d->out);
}

/* The letter of the line that ends in this row, or a blank. */
static char letter_of_row(const struct drawing *d, int row)
{
	for (size_t i = 0; i < d->plot->nseries; i++) {
		const struct plot_series *s = &d->plot->series[i];
		size_t n = s->points;

		while (n && !isfinite(s->point[n - 1].y))
			n--;
		if (s->style != PLOT_AREA && s->style != PLOT_BAND && n &&
		    canvas_row(&d->canvas, s->point[n - 1].y / d->axes.unit) == row)
			return canvas_letter((int)i);
	}
	return ' ';
}

static void print_canvas(const struct drawing *d)
{
	struct strbuf line = STRBUF_INIT;

	for (int row = 0; row < d->canvas.height; row++) {
		char label[AXIS_TEXT] = "";
		double y;

		for (int i = 0; axes_y_at(&d->axes, i, &y); i++) {
			if (canvas_row(&d->canvas, y) == row)
				axes_y_label(label, &d->axes, y);
		}
		strbuf_clear(&line);
		strbuf_addf(&line, "%*s%s", d->margin - 1, label, *label ? " ┤" : " │");
		canvas_print_row(&d->canvas, row, d->color, &line);
		if (!d->color)
			strbuf_addc(&line, letter_of_row(d, row));
		while (line.len && line.buf[line.len - 1] == ' ')
			line.buf[--line.len] = '\0';
		fprintf(d->out, "%s\n", line.buf);
	}
	strbuf_release(&line);
}

static void print_x_axis(const struct drawing *d)
{
	const struct axes *a = &d->axes;
	struct row labels = { STRBUF_INIT, 0 }, title = { STRBUF_INIT, 0 };
	char text[AXIS_TEXT], *raw = axes_x_title(a, d->plot), *name = prepared(raw, d->width);
	bool *tick = xcalloc((size_t)d->canvas.width, sizeof(*tick));
	int middle = d->margin + (d->canvas.width - text_width(span_of(name))) / 2;
	double x;

	for (int i = 0; axes_x_at(a, i, &x); i++) {
		int column = canvas_column(&d->canvas, x);
		int start;

		if (column < 0)
			continue;
		axes_x_label(text, a, x);
		start = d->margin + 1 + column - (int)strlen(text) / 2;
		start = start + (int)strlen(text) > d->width ? d->width - (int)strlen(text) : start;
		tick[column] = row_put(&labels, start, d->width, text);
	}
	fprintf(d->out, "%*s└", d->margin, "");
	for (int column = 0; column < d->canvas.width; column++)
		fputs(tick[column] ? "┬" : "─", d->out);
	putc('\n', d->out);
	row_print(&labels, d->out);
	if (*name)
		row_put(&title, middle > 0 ? middle : 0, d->width, name);
	row_print(&title, d->out);
	free(tick);
	free(raw);
	free(name);
}

/* Entries side by side while they fit; colour codes take no columns. */
static void add_entry(const struct drawing *d, struct row *row, const char *swatch,
		      const char *label)
{
	char *name = prepared(label, NAME_COLUMNS);
	int columns = 3 + text_width(span_of(name)), gap = row->used ? 3 : 0;

	if (row->used && row->used + gap + columns > d->width) {
		row_print(row, d->out);
		gap = 0;
	}
	strbuf_addf(&row->text, "%*s%s %s", gap, "", swatch, name);
	row->used += gap + columns;
	free(name);
}

static void print_legend(const struct drawing *d)
{
	struct row row = { STRBUF_INIT, 0 };
	struct strbuf swatch = STRBUF_INIT;

	for (size_t i = 0; i < d->plot->nseries; i++) {
		if (!d->plot->series[i].name)
			continue;
		strbuf_clear(&swatch);
		canvas_swatch(&d->plot->series[i], (int)i, d->color, &swatch);
		add_entry(d, &row, swatch.buf, d->plot->series[i].name);
	}
	for (size_t i = 0; i < d->plot->levels; i++)
		add_entry(d, &row, axes_shows(&d->axes, d->plot->level[i].y) ? "╌╌" : "↑ ",
			  d->plot->level[i].label);
	row_print(&row, d->out);
	strbuf_release(&swatch);
}

static void draw(struct drawing *d)
{
	const struct plot *plot = d->plot;

	for (size_t i = 0; i < plot->levels; i++)
		canvas_level(&d->canvas, &plot->level[i]);
	for (size_t i = 0; i < plot->marks; i++)
		canvas_mark(&d->canvas, &plot->mark[i]);
	for (size_t i = 0; i < plot->nseries; i++)
		canvas_series(&d->canvas, &plot->series[i], (int)i);
}

/* One canvas of so many rows with its axes, marks and legend. */
static void print_panel(const struct plot *plot, FILE *out, int width, int rows, bool color)
{
	struct drawing d = { .plot = plot, .out = out, .color = color, .width = width };
	char label[AXIS_TEXT];
	double y;

	axes_init(&d.axes, plot, d.width / STEP_X, rows / STEP_Y);
	for (int i = 0; axes_y_at(&d.axes, i, &y); i++) {
		int columns = (int)strlen(axes_y_label(label, &d.axes, y)) + 2;

		d.margin = columns > d.margin ? columns : d.margin;
	}
	canvas_init(&d.canvas, d.width - d.margin - 2, rows, &d.axes);
	draw(&d);
	print_marks(&d);
	print_canvas(&d);
	print_x_axis(&d);
	print_legend(&d);
	canvas_release(&d.canvas);
}

int plot_to_terminal(const struct plot *plot, FILE *out, int width, int height, bool color)
{
	/* Around a canvas: titles, the marks, the axis with its label, two lines of legend. */
	enum { AROUND = 8, AROUND_PANEL = 5 };
	int rows = height - AROUND > LOWEST ? height - AROUND : LOWEST;

	width = width > NARROWEST ? width : NARROWEST;
	print_title(out, plot->title, width, "\033[1m", color);
	print_title(out, plot->subtitle, width, "\033[2m", color);
	if (!plot->panels)
		print_panel(plot, out, width, rows, color);
	for (size_t i = 0; i < plot->panels; i++) {
		rows = height / (int)plot->panels - AROUND_PANEL;
		putc('\n', out);
		print_title(out, plot->panel[i].title, width, "\033[1m", color);
		print_panel(&plot->panel[i], out, width, rows > LOWEST / 2 ? rows : LOWEST / 2,
			    color);
	}
	return 0;
}
