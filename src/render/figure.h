#ifndef RENDER_FIGURE_H
#define RENDER_FIGURE_H

#include "base/strbuf.h"
#include "model/plot.h"
#include "render/plot.h"

/*
 * Appends the part of a gnuplot script that depends on the plot: where everything goes, the texts
 * and the data.  It follows the scripts in src/render/plot/, which say how everything looks.
 */
void figure_script(struct strbuf *script, const struct plot *plot, const struct plot_size *size);

/* Appends the data block $s<index> of a series: numbers only, y in `unit` bytes. */
void figure_data(struct strbuf *script, const struct plot_series *series, size_t index, double unit,
		 size_t columns);

#endif
