/*
 * Marks and levels of a figure.
 */
#include <math.h>

#include "base/alloc.h"
#include "render/figure_parts.h"
#include "render/layout.h"

/* Columns; longer texts lose their middle. */
enum { FLAG_COLUMNS = 40, UPRIGHT_COLUMNS = 20, LEVEL_COLUMNS = 24 };

enum { FLAG_ROWS = 3, FLAG_GAP = 12 };

static double x_pixel(const struct figure *f, double x)
{
	const struct axes *a = &f->axes;

	return f->left + (x - a->x_low) / (a->x_high - a->x_low) * (f->right - f->left);
}

static double y_pixel(const struct figure *f, double bytes)
{
	const struct axes *a = &f->axes;
	double share = (bytes / a->unit - a->y_low) / (a->y_high - a->y_low);

	return f->bottom - fmin(fmax(share, 0), 1) * (f->bottom - f->top);
}

/* ---- marks ---- */

static int by_x(const void *a, const void *b)
{
	const struct plot_mark *const *p = a, *const *q = b;

	if ((*p)->x != (*q)->x)
		return (*p)->x < (*q)->x ? -1 : 1;
	return *p < *q ? -1 : *p > *q;
}

/* The marks that can be drawn, by x; *n gets how many.  Allocated. */
static const struct plot_mark **sorted_marks(const struct plot *plot, size_t *n)
{
	const struct plot_mark **sorted = xcalloc(plot->marks + 1, sizeof(*sorted));

	*n = 0;
	for (size_t i = 0; i < plot->marks; i++) {
		if (isfinite(plot->mark[i].x))
			sorted[(*n)++] = &plot->mark[i];
	}
	qsort(sorted, *n, sizeof(*sorted), by_x);
	return sorted;
}

static bool labelled(const struct plot_mark *mark)
{
	return mark->label && *mark->label;
}

/* The flags of the marks that have a label; returns how many rows they take, 0 if too many. */
static int lay_out_flags(const struct figure *f, const struct plot_mark **mark, size_t n,
			 struct flag *flag)
{
	size_t flags = 0;
	int rows;

	for (size_t i = 0; i < n; i++) {
		double width = figure_text_pixels(mark[i]->label, FLAG_COLUMNS, SMALL_FONT);

		if (labelled(mark[i]))
			flag[flags++] = (struct flag){ .x = x_pixel(f, mark[i]->x),
						       .width = width + FLAG_GAP };
	}
	/* So many never fit, and trying takes time. */
	if (flags > 200)
		return 0;
	rows = layout_flags(flag, flags, f->width - (double)EDGE);
	return rows <= FLAG_ROWS ? rows : 0;
}

double figure_marks_height(struct figure *f)
{
	double width = 0;
	size_t n;
	const struct plot_mark **mark = sorted_marks(f->plot, &n);
	struct flag *flag = xcalloc(n + 1, sizeof(*flag));

	for (size_t i = 0; i < n; i++)
		width = fmax(width,
			     figure_text_pixels(mark[i]->label, UPRIGHT_COLUMNS, SMALL_FONT));
	f->mark_rows = lay_out_flags(f, mark, n, flag);
	free(mark);
	free(flag);
	if (!width)
		return 0;
	return f->mark_rows ? f->mark_rows * SMALL_LINE : width + 12;
}

static void add_line(struct figure *f, double x, double y, double to_x, double to_y,
		     const char *style)
{
	strbuf_addf(f->out, "set arrow from screen %.6f,%.6f to screen %.6f,%.6f %s front\n",
		    figure_screen_x(f, x), figure_screen_y(f, y), figure_screen_x(f, to_x),
		    figure_screen_y(f, to_y), style);
}

static void add_mark_line(struct figure *f, const struct plot_mark *mark, double top)
{
	double x = x_pixel(f, mark->x);

	add_line(f, x, f->bottom, x, top, mark->bad ? "arrowstyle 2" : "arrowstyle 1");
}

/* A line as high as its row, the label beside its upper end. */
static void add_flag(struct figure *f, const struct plot_mark *mark, const struct flag *flag)
{
	double top = f->top - SMALL_LINE * (f->mark_rows - flag->row);
	const char *style = mark->bad         ? flag->leftwards
							? "right font SMALL_FONT textcolor rgb BAD_COLOR"
							: "left font SMALL_FONT textcolor rgb BAD_COLOR"
			    : flag->leftwards ? "right font SMALL_FONT textcolor rgb MARK_COLOR"
					      : "left font SMALL_FONT textcolor rgb MARK_COLOR";

	add_mark_line(f, mark, top);
	figure_label(f, mark->label, FLAG_COLUMNS, flag->x + (flag->leftwards ? -5 : 5),
		     top + SMALL_LINE / 2.0 - 1, style);
}

static void add_flags(struct figure *f, const struct plot_mark **mark, size_t n)
{
	struct flag *flag = xcalloc(n + 1, sizeof(*flag)), *next = flag;

	lay_out_flags(f, mark, n, flag);
	for (size_t i = 0; i < n; i++) {
		if (labelled(mark[i]))
			add_flag(f, mark[i], next++);
		else
			add_mark_line(f, mark[i], f->top);
	}
	free(flag);
}

static void add_upright(struct figure *f, const struct plot_mark *mark, const struct place *place)
{
	double x = x_pixel(f, mark->x);

	add_mark_line(f, mark, f->top);
	if (!place->shown || !labelled(mark))
		return;
	/* A label that had to move aside is joined to its mark. */
	add_line(f, x, f->top, place->at, f->top - 8,
		 mark->bad ? "arrowstyle 2 dashtype 1" : "arrowstyle 1 dashtype 1");
	figure_label(f, mark->label, UPRIGHT_COLUMNS, place->at, f->top - 11,
		     mark->bad ? "left rotate by 90 font SMALL_FONT textcolor rgb BAD_COLOR"
			       : "left rotate by 90 font SMALL_FONT textcolor rgb MARK_COLOR");
}

static void add_uprights(struct figure *f, const struct plot_mark **mark, size_t n)
{
	struct place *place = xcalloc(n + 1, sizeof(*place));

	for (size_t i = 0; i < n; i++)
		place[i] =
			(struct place){ .wanted = x_pixel(f, mark[i]->x), .first = mark[i]->bad };
	layout_places(place, n, SMALL_LINE, f->left, f->width - (double)EDGE);
	for (size_t i = 0; i < n; i++)
		add_upright(f, mark[i], &place[i]);
	free(place);
}

void figure_marks(struct figure *f)
{
	size_t n;
	const struct plot_mark **mark = sorted_marks(f->plot, &n);

	if (f->mark_rows)
		add_flags(f, mark, n);
	else
		add_uprights(f, mark, n);
	free(mark);
}

/* ---- levels ---- */

double figure_levels_width(const struct figure *f)
{
	double width = 0;

	for (size_t i = 0; i < f->plot->levels; i++)
		width = fmax(width, figure_text_pixels(f->plot->level[i].label, LEVEL_COLUMNS,
						       SMALL_FONT));
	/* Levels out of range have an arrow before their label. */
	return width > 0 ? width + EDGE : 0;
}

static int by_height(const void *a, const void *b)
{
	const struct plot_level *const *p = a, *const *q = b;

	if ((*p)->y != (*q)->y)
		return (*p)->y > (*q)->y ? -1 : 1;
	return *p < *q ? -1 : *p > *q;
}

static void add_level(struct figure *f, const struct plot_level *level, const struct place *place)
{
	double y = y_pixel(f, level->y);
	struct strbuf text = STRBUF_INIT;

	if (axes_shows(&f->axes, level->y))
		add_line(f, f->left, y, f->right, y, "arrowstyle 3");
	else
		strbuf_adds(&text, "↑ ");
	strbuf_adds(&text, level->label ? level->label : "");
	if (place->shown)
		figure_label(f, text.buf, LEVEL_COLUMNS + 2, f->right + 8, place->at,
			     "left font SMALL_FONT textcolor rgb '#000000'");
	strbuf_release(&text);
}

void figure_levels(struct figure *f)
{
	const struct plot_level **sorted = xcalloc(f->plot->levels + 1, sizeof(*sorted));
	struct place *place = xcalloc(f->plot->levels + 1, sizeof(*place));
	size_t n = 0;

	for (size_t i = 0; i < f->plot->levels; i++) {
		if (isfinite(f->plot->level[i].y))
			sorted[n++] = &f->plot->level[i];
	}
	qsort(sorted, n, sizeof(*sorted), by_height);
	for (size_t i = 0; i < n; i++)
		place[i].wanted = y_pixel(f, sorted[i]->y);
	layout_places(place, n, SMALL_LINE, f->top, f->bottom);
	for (size_t i = 0; i < n; i++)
		add_level(f, sorted[i], &place[i]);
	free(sorted);
	free(place);
}
