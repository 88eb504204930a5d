/*
 * Where the parts of a picture go.  Widths of texts are estimates that run a little wide, so that
 * nothing is cut off.
 */
#include "render/figure.h"

#include <math.h>

#include "base/alloc.h"
#include "render/figure_parts.h"
#include "render/gnuplot.h"
#include "render/text.h"

/* Pixels. */
enum {
	TITLE_FONT = 24, /* 21, bold */
	TITLE_LINE = 28,
	SWATCH = 36,
	STEP_X = 95, /* about the distance of steps on an axis */
	STEP_Y = 50,
};

enum { COLORS = 7, LINE_TYPES = 2 * COLORS, LEGEND_ROWS = 6, TITLE_LINES = 4, NAME_COLUMNS = 44 };

double figure_screen_x(const struct figure *f, double pixel)
{
	return pixel / f->width;
}

double figure_screen_y(const struct figure *f, double pixel)
{
	return 1 - pixel / f->height;
}

/* The width of text in a sans-serif font of so many pixels. */
static double pixels(struct span text, int font)
{
	struct glyph glyph;
	double ems = 0;

	while (text_next(&text, &glyph)) {
		char c = glyph.code < 0x80 ? (char)glyph.code : 'n';

		if (glyph_width(&glyph) != 1)
			ems += glyph_width(&glyph) / 2.0;
		else if (strchr("iljtfrI .,:;'|!()[]-", c))
			ems += 0.43;
		else if (strchr("mwMW@%", c))
			ems += 0.98;
		else
			ems += c >= 'A' && c <= 'Z' ? 0.74 : 0.64;
	}
	return ems * font;
}

/* Text as it will be drawn: without unsafe characters, cut to `columns`. */
static void prepare(struct strbuf *out, const char *text, int columns)
{
	struct strbuf clean = STRBUF_INIT;

	text_strip(&clean, span_of(text));
	text_shorten(out, strbuf_span(&clean), columns);
	strbuf_release(&clean);
}

double figure_text_pixels(const char *text, int columns, int font)
{
	struct strbuf sb = STRBUF_INIT;
	double width;

	prepare(&sb, text, columns);
	width = pixels(strbuf_span(&sb), font);
	strbuf_release(&sb);
	return width;
}

/* A label at pixels, cut to `columns`; `style` is the rest of gnuplot's `set label`. */
void figure_label(struct figure *f, const char *text, int columns, double x, double y,
		  const char *style)
{
	struct strbuf sb = STRBUF_INIT;

	prepare(&sb, text, columns);
	strbuf_adds(f->out, "set label ");
	gnuplot_quote(f->out, strbuf_span(&sb));
	strbuf_addf(f->out, " at screen %.6f,%.6f %s\n", figure_screen_x(f, x),
		    figure_screen_y(f, y), style);
	strbuf_release(&sb);
}

/* ---- the title ---- */

/* The bytes of the next line: as much as fits, up to a blank where there is one. */
static size_t line_bytes(struct span text, int font, double room)
{
	struct span rest = text;
	struct glyph glyph;
	size_t at = 0, end = 0;

	while (text_next(&rest, &glyph)) {
		if (pixels((struct span){ text.ptr, at + glyph.bytes.len }, font) > room)
			return end ? end : at;
		at += glyph.bytes.len;
		if (*glyph.bytes.ptr == ' ' || glyph_width(&glyph) == 2)
			end = at;
	}
	return text.len;
}

/* As many columns of `text` as fit. */
static int columns_in(struct span text, int font, double room)
{
	double all = pixels(text, font);

	return all <= room ? text_width(text) : (int)(text_width(text) * room / all);
}

/* Wraps `text` into at most TITLE_LINES lines below *y, and moves *y below them. */
static void add_lines(struct figure *f, const char *text, int font, int height, const char *style,
		      double *y)
{
	double room = f->width - 2.0 * EDGE;
	struct strbuf clean = STRBUF_INIT;
	struct span rest;

	text_strip(&clean, span_of(text));
	rest = span_trim(strbuf_span(&clean));
	/* Nothing longer can be shown, and measuring costs. */
	rest.len = rest.len < 4000 ? rest.len : 4000;
	for (int i = 0; i < TITLE_LINES && rest.len; i++) {
		bool last = i + 1 == TITLE_LINES;
		size_t len = last ? rest.len : line_bytes(rest, font, room);
		char *line = xstrndup(rest.ptr, len);

		figure_label(f, line, columns_in(span_of(line), font, room), EDGE,
			     *y + height / 2.0, style);
		free(line);
		rest = span_trim(span_skip(rest, len));
		*y += height;
	}
	strbuf_release(&clean);
}

/* ---- margins ---- */

/* Where the next name of the legend goes. */
struct cursor {
	double x;
	int row;
};

/* Lines of text between the area and the middle of the first row of the legend. */
static double axis_lines(const struct figure *f)
{
	return f->plot->x_label ? 3.2 : 2.2;
}

static void legend_step(const struct figure *f, struct cursor *at, const char *name, double *x)
{
	double width = SWATCH + figure_text_pixels(name, NAME_COLUMNS, TEXT_FONT) + EDGE;

	if (at->x > EDGE && at->x + width > f->width - EDGE) {
		at->x = EDGE;
		at->row++;
	}
	*x = at->x;
	at->x += width;
}

static double y_label_pixels(const struct axes *a)
{
	char text[AXIS_TEXT];
	double width = 0, y;

	for (int i = 0; axes_y_at(a, i, &y); i++)
		width = fmax(width, pixels(span_of(axes_y_label(text, a, y)), TEXT_FONT));
	return width;
}

/* Sets the plot area and the axes, below a band of `band` pixels for the marks. */
static void measure(struct figure *f, double below_titles, double band)
{
	struct cursor at = { EDGE, 0 };
	double x;

	for (size_t i = 0; i < f->plot->nseries; i++) {
		if (f->plot->series[i].name)
			legend_step(f, &at, f->plot->series[i].name, &x);
	}
	f->legend_rows = at.row < LEGEND_ROWS ? at.row + 1 : LEGEND_ROWS;
	f->top = below_titles + 12 + band;
	f->bottom = f->end - EDGE - TEXT_LINE * (axis_lines(f) - 0.7 + f->legend_rows);
	f->right = f->width - 2.0 * EDGE - figure_levels_width(f);
	/* A picture too small for all this still shows the series. */
	f->bottom = fmax(f->bottom, f->top + 50);
	f->right = fmax(f->right, EDGE + 150);
	axes_init(&f->axes, f->plot, (int)(f->right - EDGE) / STEP_X,
		  (int)(f->bottom - f->top) / STEP_Y);
	f->left = 2 * EDGE + y_label_pixels(&f->axes);
}

/* gnuplot reads the label of a step as a format. */
static void add_step(struct figure *f, const char *comma, const char *label, double at)
{
	strbuf_addf(f->out, "%s'", comma);
	for (; *label; label++) {
		strbuf_adds(f->out, *label == '%' ? "%" : "");
		strbuf_addc(f->out, *label);
	}
	strbuf_addf(f->out, "' %.17g", at);
}

static void add_axes(struct figure *f)
{
	const struct axes *a = &f->axes;
	char text[AXIS_TEXT], *title = axes_x_title(a, f->plot);
	double at;

	strbuf_addf(f->out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
		    figure_screen_x(f, f->left), figure_screen_x(f, f->right));
	strbuf_addf(f->out, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
		    figure_screen_y(f, f->top), figure_screen_y(f, f->bottom));
	strbuf_addf(f->out, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", a->x_low,
		    a->x_high, a->y_low, a->y_high);
	strbuf_adds(f->out, "set ytics (");
	for (int i = 0; axes_y_at(a, i, &at); i++)
		add_step(f, i ? ", " : "", axes_y_label(text, a, at), at);
	strbuf_adds(f->out, ")\nset xtics (");
	for (int i = 0; axes_x_at(a, i, &at); i++)
		add_step(f, i ? ", " : "", axes_x_label(text, a, at), at);
	strbuf_adds(f->out, ")\n");
	figure_label(f, title, columns_in(span_of(title), TEXT_FONT, f->right - f->left),
		     (f->left + f->right) / 2, f->bottom + 2 * TEXT_LINE,
		     "center font TEXT_FONT textcolor rgb '#303030'");
	free(title);
}

/* ---- the legend ---- */

/* The colour of a series: line types 1, 2, … and the same index in the array FILL. */
static size_t line_type(const struct figure *f, size_t series)
{
	size_t color = f->plot->series[series].color;

	return color ? color : series % LINE_TYPES + 1;
}

static size_t fill_color(const struct figure *f, size_t series)
{
	return (line_type(f, series) - 1) % COLORS + 1;
}

/* How a style is drawn, in gnuplot's words. */
static const struct look {
	const char *with; /* an area is filled first, and this is its upper edge; NULL: nothing */
	const char *more;
	const char *fill; /* columns and the way they are filled; NULL: not at all */
} looks[] = {
	[PLOT_LINE] = { "lines", "", NULL },
	[PLOT_STEP] = { "steps", "", NULL },
	[PLOT_AREA] = { "lines", "", "1:2 with filledcurves y=0" },
	[PLOT_POINTS] = { "points", "", NULL },
	[PLOT_DASHED] = { "lines", " dashtype 2", NULL },
	[PLOT_BAND] = { NULL, "", "1:2:3 with filledcurves" },
};

/* The sample of a series in the legend, centred on y. */
static void add_swatch(struct figure *f, size_t series, double x, double y)
{
	enum plot_style style = f->plot->series[series].style;
	const double half = looks[style].fill ? 5 : 0, width = SWATCH - 8;

	if (style == PLOT_POINTS) {
		strbuf_addf(f->out,
			    "set label '' at screen %.6f,%.6f point linetype %zu pointsize 0.9\n",
			    figure_screen_x(f, x + width / 2), figure_screen_y(f, y),
			    line_type(f, series));
		return;
	}
	strbuf_addf(f->out, "set %s from screen %.6f,%.6f to screen %.6f,%.6f ",
		    half > 0 ? "object rectangle" : "arrow", figure_screen_x(f, x),
		    figure_screen_y(f, y + half), figure_screen_x(f, x + width),
		    figure_screen_y(f, y - half));
	if (!looks[style].fill)
		strbuf_addf(f->out, "nohead linetype %zu%s\n", line_type(f, series),
			    looks[style].more);
	else if (!looks[style].with)
		strbuf_addf(f->out, "fillcolor rgb FILL[%zu] fillstyle solid 1.0 noborder\n",
			    fill_color(f, series));
	else
		strbuf_addf(f->out,
			    "fillcolor rgb FILL[%zu] fillstyle solid 1.0 border linetype %zu\n",
			    fill_color(f, series), line_type(f, series));
}

static void add_legend(struct figure *f)
{
	struct cursor at = { EDGE, 0 };

	for (size_t i = 0; i < f->plot->nseries; i++) {
		const struct plot_series *series = &f->plot->series[i];
		double x, y;

		if (!series->name)
			continue;
		legend_step(f, &at, series->name, &x);
		if (at.row >= LEGEND_ROWS)
			return;
		y = f->bottom + TEXT_LINE * (axis_lines(f) + at.row);
		add_swatch(f, i, x, y);
		figure_label(f, series->name, NAME_COLUMNS, x + SWATCH, y,
			     "left font TEXT_FONT textcolor rgb '#303030'");
	}
}

/* ---- series ---- */

static void add_series(struct figure *f, size_t i)
{
	const struct look *look = &looks[f->plot->series[i].style];

	if (look->fill)
		strbuf_addf(f->out, "$s%zu using %s fillcolor rgb FILL[%zu] notitle, ", i,
			    look->fill, fill_color(f, i));
	if (look->with)
		strbuf_addf(f->out, "$s%zu using 1:2 with %s linetype %zu%s notitle, ", i,
			    look->with, line_type(f, i), look->more);
	strbuf_adds(f->out, "\\\n     ");
}

/* Bands go first, then areas, so that no line hides behind one. */
static void add_plot(struct figure *f)
{
	static const int layer[] = { [PLOT_LINE] = 2,   [PLOT_STEP] = 2,   [PLOT_AREA] = 1,
				     [PLOT_POINTS] = 2, [PLOT_DASHED] = 2, [PLOT_BAND] = 0 };

	for (size_t i = 0; i < f->plot->nseries; i++)
		figure_data(f->out, &f->plot->series[i], i, f->axes.unit, (size_t)f->width);
	strbuf_adds(f->out, "plot ");
	for (int l = 0; l <= 2; l++) {
		for (size_t i = 0; i < f->plot->nseries; i++) {
			if (layer[f->plot->series[i].style] == l)
				add_series(f, i);
		}
	}
	/* gnuplot draws no frame without a series. */
	strbuf_adds(f->out, "NaN notitle\n");
}

/* One plot area with all that belongs to it, between `y` and the figure's end. */
static void add_panel(struct figure *f, double y)
{
	/* How the marks' labels can lie depends on the area, and the area on their height. */
	measure(f, y, 0);
	measure(f, y, figure_marks_height(f));
	add_axes(f);
	figure_marks(f);
	figure_levels(f);
	add_legend(f);
	add_plot(f);
}

/* Panels share the height evenly; what is set for one must not show in the next. */
static void add_panels(struct figure *f, const struct plot *plot, double y)
{
	double height = (f->height - y) / (double)plot->panels;

	strbuf_adds(f->out, "set multiplot\n");
	for (size_t i = 0; i < plot->panels; i++) {
		double top = y + (double)i * height;

		f->plot = &plot->panel[i];
		f->end = top + height;
		add_lines(f, f->plot->title ? f->plot->title : "", TEXT_FONT, TEXT_LINE,
			  "left font TEXT_FONT", &top);
		add_panel(f, top);
		strbuf_adds(f->out, "unset label\nunset arrow\nunset object\n");
	}
	strbuf_adds(f->out, "unset multiplot\n");
}

void figure_script(struct strbuf *script, const struct plot *plot, const struct plot_size *size)
{
	struct figure f = { .out = script,
			    .plot = plot,
			    .width = size->width,
			    .height = size->height,
			    .end = size->height };
	double y = EDGE;

	add_lines(&f, plot->title ? plot->title : "", TITLE_FONT, TITLE_LINE,
		  "left font TITLE_FONT", &y);
	add_lines(&f, plot->subtitle ? plot->subtitle : "", TEXT_FONT, TEXT_LINE,
		  "left font TEXT_FONT textcolor rgb SUBTITLE_COLOR", &y);
	if (plot->panels)
		add_panels(&f, plot, y + EDGE / 2.0);
	else
		add_panel(&f, y);
}
