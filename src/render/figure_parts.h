#ifndef RENDER_FIGURE_PARTS_H
#define RENDER_FIGURE_PARTS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/plot.h"
#include "render/axes.h"

/* What the files that make up a figure share; see figure.h.  Everything is in pixels, y downwards.
 */

struct figure {
	struct strbuf *out;
	const struct plot *plot;
	int width, height;
	double end; /* of what the plot may take: the height, or less where panels follow */
	double left, right, top, bottom; /* of the plot area */
	int legend_rows;
	int mark_rows; /* rows of mark labels; 0: they stand upright */
	struct axes axes;
};

/* The sizes of fonts are those that the terminal scripts set. */
enum { EDGE = 18, TEXT_FONT = 15, TEXT_LINE = 22, SMALL_FONT = 13, SMALL_LINE = 17 };

/* In shares of the picture, as gnuplot's "screen" coordinates. */
double figure_screen_x(const struct figure *f, double pixel);
double figure_screen_y(const struct figure *f, double pixel);

/* The estimated width of a text that figure_label() cuts to `columns`. */
double figure_text_pixels(const char *text, int columns, int font);

/* Places a text; `style` is the rest of gnuplot's `set label`. */
void figure_label(struct figure *f, const char *text, int columns, double x, double y,
		  const char *style);

/*
 * Marks stand on the plot area like flags: their labels lie in a few rows above it.  Where there
 * are too many for that, labels stand upright and are moved apart.  The height is of the band above
 * the area; it needs left, right and the x axis, and decides mark_rows.
 */
double figure_marks_height(struct figure *f);
void figure_marks(struct figure *f);

/* Levels are lines across the area, with labels right of it. */
double figure_levels_width(const struct figure *f);
void figure_levels(struct figure *f);

#endif
