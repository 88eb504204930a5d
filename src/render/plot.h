#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "model/plot.h"

/*
 * Draws a picture: into a file by gnuplot, or in the terminal without it.  The same plot gives the
 * same bytes.  Texts of a plot come from logs and are harmless in either.
 */

/* Zeros: what suits the plot. */
struct plot_size {
	int width, height; /* pixels */
	int dpi;           /* .png: more than 96 makes the same picture finer */
};

/* 1200 × 700, higher for many panels. */
struct plot_size plot_default_size(const struct plot *plot);

/* The extensions that plot_to_file() takes: ".png .svg .pdf"; allocated, free() it. */
char *plot_extensions(void);

/*
 * The format follows from the extension of `path`; a usage error for an unknown one.  `size` may be
 * NULL.  `path` is written whole or not at all.
 */
int plot_to_file(const struct plot *plot, const char *path, const struct plot_size *size);

/* The bytes of the file with one of these extensions. */
int plot_draw(struct strbuf *picture, const struct plot *plot, const char *extension,
	      const struct plot_size *size);

/*
 * Appends the picture as an <svg> element for an HTML page.  `name` starts the ids in it, which
 * must differ between the pictures of a page.
 */
int plot_to_svg(const struct plot *plot, struct strbuf *out, const struct plot_size *size,
		const char *name);

/*
 * The same as text of at most `width` columns and about `height` lines, in Unicode block and
 * Braille characters.  Without colour, letters at the right edge say which line is which.
 */
int plot_to_terminal(const struct plot *plot, FILE *out, int width, int height, bool color);

#endif
