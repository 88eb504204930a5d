#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "model/plot.h"
#include "render/axes.h"

/*
 * A drawing area in the terminal.  A character cell holds 2 × 4 Braille dots of lines, or the shade
 * of an area; what is drawn later wins.
 */
struct canvas_cell {
	unsigned char dots; /* bits of U+2800 */
	short line, area;   /* series, -1: none */
	unsigned char line_color, area_color;
	bool mark, bad, level;
};

struct canvas {
	int width, height; /* cells */
	const struct axes *axes;
	struct canvas_cell *cell; /* row by row, from the top */
	unsigned char color;      /* of the series being drawn */
};

void canvas_init(struct canvas *canvas, int width, int height, const struct axes *axes);
void canvas_release(struct canvas *canvas);

/* The column of x and the row of y (in the unit of the axes), -1 outside. */
int canvas_column(const struct canvas *canvas, double x);
int canvas_row(const struct canvas *canvas, double y);

void canvas_series(struct canvas *canvas, const struct plot_series *series, int index);
void canvas_mark(struct canvas *canvas, const struct plot_mark *mark);
void canvas_level(struct canvas *canvas, const struct plot_level *level);

/* Appends the characters of a row. */
void canvas_print_row(const struct canvas *canvas, int row, bool color, struct strbuf *out);

/* How the legend shows a series: two columns. */
void canvas_swatch(const struct plot_series *series, int index, bool color, struct strbuf *out);

/* The letter that names a line where there is no colour. */
char canvas_letter(int index);

#endif
