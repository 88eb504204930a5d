#include <math.h>

#include "render/figure.h"

/*
 * A long log has more points than a picture has pixels.  Of those that fall into one column only
 * the first, the lowest, the highest and the last are drawn: the picture stays the same, its file
 * small.
 */
struct column {
	const struct plot_point *first, *low, *high, *last;
};

static void add_point(struct strbuf *out, const struct plot_point *p, double unit)
{
	/* An empty line breaks lines and areas. */
	if (isfinite(p->x) && isfinite(p->y))
		strbuf_addf(out, "%.17g %.10g %.10g\n", p->x, p->y / unit, p->low / unit);
	else
		strbuf_addc(out, '\n');
}

static void add_column(struct strbuf *out, const struct column *c, double unit)
{
	const struct plot_point *drawn[] = { c->first, c->low < c->high ? c->low : c->high,
					     c->low < c->high ? c->high : c->low, c->last };

	for (int i = 0; i < 4; i++) {
		if (!i || drawn[i] != drawn[i - 1])
			add_point(out, drawn[i], unit);
	}
}

static bool same_column(const struct plot_series *series, const struct column *c,
			const struct plot_point *p, double pixel)
{
	double start = series->point[0].x;

	return isfinite(c->first->y) && isfinite(p->y) && pixel > 0 &&
	       floor((c->first->x - start) / pixel) == floor((p->x - start) / pixel);
}

void figure_data(struct strbuf *script, const struct plot_series *series, size_t index, double unit,
		 size_t columns)
{
	const struct plot_point *p = series->point, *end = p + series->points;
	bool thin = series->points > 4 * columns;
	double pixel = thin ? (end[-1].x - p->x) / (double)columns : 0;

	strbuf_addf(script, "$s%zu << END_OF_DATA\n", index);
	while (p < end) {
		struct column c = { p, p, p, p };

		for (p++; p < end && same_column(series, &c, p, pixel); p++) {
			c.low = p->y < c.low->y ? p : c.low;
			c.high = p->y > c.high->y ? p : c.high;
			c.last = p;
		}
		add_column(script, &c, unit);
	}
	/* A block without a number would be an error. */
	strbuf_adds(script, "\nNaN NaN NaN\nEND_OF_DATA\n");
}
