#include "render/canvas.h"

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"

enum { DOTS_X = 2, DOTS_Y = 4, COLORS = 7, SHADES = 4 };

/* Near Okabe and Ito's palette among the 256 colours of terminals. */
static const char *const colors[COLORS] = {
	"\033[38;5;32m", "\033[38;5;214m", "\033[38;5;36m",  "\033[38;5;175m",
	"\033[38;5;74m", "\033[38;5;250m", "\033[38;5;227m",
};
static const char *const shades[SHADES] = { "░", "▒", "▓", "█" };

void canvas_init(struct canvas *canvas, int width, int height, const struct axes *axes)
{
	*canvas = (struct canvas){ width, height, axes, NULL, 0 };
	canvas->cell = xcalloc((size_t)width * (size_t)height, sizeof(*canvas->cell));
	for (int i = 0; i < width * height; i++)
		canvas->cell[i].line = canvas->cell[i].area = -1;
}

void canvas_release(struct canvas *canvas)
{
	free(canvas->cell);
	canvas->cell = NULL;
}

static struct canvas_cell *cell_of(const struct canvas *canvas, int column, int row)
{
	return &canvas->cell[row * canvas->width + column];
}

/* Shares of the ranges, 0 to 1 inside. */
static double share_x(const struct canvas *canvas, double x)
{
	const struct axes *a = canvas->axes;

	return (x - a->x_low) / (a->x_high - a->x_low);
}

static double share_y(const struct canvas *canvas, double y)
{
	const struct axes *a = canvas->axes;

	return (y - a->y_low) / (a->y_high - a->y_low);
}

static int index_in(double share, int count)
{
	return share >= 0 && share <= 1 ? (int)lround(share * (count - 1)) : -1;
}

int canvas_column(const struct canvas *canvas, double x)
{
	int dot = index_in(share_x(canvas, x), canvas->width * DOTS_X);

	return dot < 0 ? -1 : dot / DOTS_X;
}

int canvas_row(const struct canvas *canvas, double y)
{
	int dot = index_in(1 - share_y(canvas, y), canvas->height * DOTS_Y);

	return dot < 0 ? -1 : dot / DOTS_Y;
}

/* ---- lines ---- */

/* A place in dots, y downwards. */
struct dot {
	int x, y;
	int low; /* where the area or band ends */
};

static int dot_row(const struct canvas *canvas, double y)
{
	double share = fmin(fmax(share_y(canvas, y / canvas->axes->unit), 0), 1);

	return index_in(1 - share, canvas->height * DOTS_Y);
}

static struct dot dot_of(const struct canvas *canvas, const struct plot_point *p)
{
	double x = fmin(fmax(share_x(canvas, p->x), 0), 1);

	return (struct dot){ index_in(x, canvas->width * DOTS_X), dot_row(canvas, p->y),
			     dot_row(canvas, p->low) };
}

static void set_dot(struct canvas *canvas, struct dot dot, int series)
{
	static const unsigned char bits[DOTS_Y][DOTS_X] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 }
	};
	struct canvas_cell *cell = cell_of(canvas, dot.x / DOTS_X, dot.y / DOTS_Y);

	cell->dots |= bits[dot.y % DOTS_Y][dot.x % DOTS_X];
	cell->line = (short)series;
	cell->line_color = canvas->color;
}

static void draw_dots(struct canvas *canvas, struct dot from, struct dot to, int series, bool dashed)
{
	int dx = to.x - from.x, dy = to.y - from.y;
	int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);

	for (int i = 0; i <= steps; i++) {
		double part = steps ? (double)i / steps : 0;
		struct dot dot = { from.x + (int)lround(part * dx),
				   from.y + (int)lround(part * dy), 0 };

		/* By place, not by step: short pieces make one pattern. */
		if (!dashed || (dot.x + dot.y) % 4 < 2)
			set_dot(canvas, dot, series);
	}
}

static void draw_line(struct canvas *canvas, struct dot from, struct dot to, int series)
{
	draw_dots(canvas, from, to, series, false);
}

static void draw_dashed(struct canvas *canvas, struct dot from, struct dot to, int series)
{
	draw_dots(canvas, from, to, series, true);
}

static void draw_step(struct canvas *canvas, struct dot from, struct dot to, int series)
{
	struct dot corner = { to.x, from.y, 0 };

	draw_line(canvas, from, corner, series);
	draw_line(canvas, corner, to, series);
}

static void draw_point(struct canvas *canvas, struct dot from, struct dot to, int series)
{
	(void)from;
	set_dot(canvas, to, series);
}

/* ---- areas ---- */

/* A cell belongs to the area when its middle does. */
static void draw_area(struct canvas *canvas, struct dot from, struct dot to, int series)
{
	for (int x = from.x; x <= to.x; x++) {
		double part = to.x > from.x ? (double)(x - from.x) / (to.x - from.x) : 0;
		int edge = from.y + (int)lround(part * (to.y - from.y));
		int low = from.low + (int)lround(part * (to.low - from.low));

		for (int row = 0; row < canvas->height; row++) {
			int middle = row * DOTS_Y + DOTS_Y / 2;

			struct canvas_cell *cell = cell_of(canvas, x / DOTS_X, row);

			if (middle < edge || middle > low + 1)
				continue;
			cell->area = (short)series;
			cell->area_color = canvas->color;
		}
	}
}

/* As in pictures: enum plot_color. */
static unsigned char color_of(const struct plot_series *series, int index)
{
	return (unsigned char)((series->color ? (int)series->color - 1 : index) % COLORS);
}

void canvas_series(struct canvas *canvas, const struct plot_series *series, int index)
{
	static void (*const draw[])(struct canvas *, struct dot, struct dot, int) = {
		[PLOT_LINE] = draw_line,
		[PLOT_STEP] = draw_step,
		[PLOT_AREA] = draw_area,
		[PLOT_POINTS] = draw_point,
		[PLOT_DASHED] = draw_dashed,
		[PLOT_BAND] = draw_area,
	};
	bool joined = false;
	struct dot last = { 0, 0, 0 };

	canvas->color = color_of(series, index);

	for (size_t i = 0; i < series->points; i++) {
		const struct plot_point *p = &series->point[i];
		struct dot dot;

		if (!isfinite(p->x) || !isfinite(p->y)) {
			joined = false;
			continue;
		}
		dot = dot_of(canvas, p);
		if (series->style == PLOT_AREA)
			dot.low = dot_row(canvas, 0);
		draw[series->style](canvas, joined ? last : dot, dot, index);
		last = dot;
		joined = true;
	}
}

void canvas_mark(struct canvas *canvas, const struct plot_mark *mark)
{
	int column = canvas_column(canvas, mark->x);

	for (int row = 0; column >= 0 && row < canvas->height; row++) {
		cell_of(canvas, column, row)->mark = true;
		cell_of(canvas, column, row)->bad |= mark->bad;
	}
}

void canvas_level(struct canvas *canvas, const struct plot_level *level)
{
	int row = canvas_row(canvas, level->y / canvas->axes->unit);

	for (int column = 0; row >= 0 && column < canvas->width; column++)
		cell_of(canvas, column, row)->level = true;
}

/* ---- output ---- */

/* The character of a cell and its colour ("" for none). */
struct look {
	char text[4];
	const char *color;
};

static void set_text(struct look *look, const char *text)
{
	snprintf(look->text, sizeof(look->text), "%s", text);
}

static struct look look_of(const struct canvas_cell *cell)
{
	struct look look = { " ", "" };
	unsigned code = 0x2800u + cell->dots;

	if (cell->bad) {
		set_text(&look, "┃");
		look.color = "\033[1;31m";
	} else if (cell->dots) {
		look.text[0] = (char)(0xe0 | code >> 12);
		look.text[1] = (char)(0x80 | (code >> 6 & 0x3f));
		look.text[2] = (char)(0x80 | (code & 0x3f));
		look.text[3] = '\0';
		look.color = colors[cell->line_color];
	} else if (cell->area >= 0) {
		set_text(&look, shades[cell->area % SHADES]);
		look.color = colors[cell->area_color];
	} else if (cell->mark) {
		set_text(&look, "┊");
	} else if (cell->level) {
		set_text(&look, "╌");
	}
	return look;
}

void canvas_print_row(const struct canvas *canvas, int row, bool color, struct strbuf *out)
{
	const char *current = "";

	for (int column = 0; column < canvas->width; column++) {
		struct look look = look_of(cell_of(canvas, column, row));

		if (color && look.color != current) {
			strbuf_adds(out, *current ? "\033[0m" : "");
			strbuf_adds(out, look.color);
			current = look.color;
		}
		strbuf_adds(out, look.text);
	}
	strbuf_adds(out, *current ? "\033[0m" : "");
}

char canvas_letter(int index)
{
	return (char)('a' + index % 26);
}

void canvas_swatch(const struct plot_series *series, int index, bool color, struct strbuf *out)
{
	if (color)
		strbuf_adds(out, colors[color_of(series, index)]);
	if (series->style == PLOT_AREA || series->style == PLOT_BAND)
		strbuf_addf(out, "%s%s", shades[index % SHADES], shades[index % SHADES]);
	else if (color)
		strbuf_adds(out, "⠤⠤");
	else
		strbuf_addf(out, "⠤%c", canvas_letter(index));
	if (color)
		strbuf_adds(out, "\033[0m");
}
