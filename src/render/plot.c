/*
 * A plot as a picture file.  gnuplot draws; where things go is decided here, in pixels, because
 * gnuplot places labels and legends without looking whether they overlap.
 *
 *	title
 *	subtitle
 *	labels of the marks
 *	+---------------------------- labels of the levels
 *	|  series
 *	+----------------------------
 *	   x label
 *	   legend
 */
#include "render/plot.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "render/figure.h"
#include "render/gnuplot.h"

/* cairo writes the current time into a pdf; the same plot has to give the same bytes. */
static void fix_pdf_date(struct strbuf *picture)
{
	static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
	char *at = memmem(picture->buf, picture->len, key, sizeof(key) - 1);

	if (!at)
		return;
	at += sizeof(key) - 1;
	if ((size_t)(picture->buf + picture->len - at) > sizeof(date))
		memcpy(at, date, sizeof(date) - 1);
}

/* A part of gnuplot's svg, and what to write instead, up to and with its end. */
static const struct svg_part {
	const char *start, *end, *instead;
} svg_parts[] = {
	/* Not well-formed inside a text, where a log may bring it. */
	{ "]]>", NULL, "]]&gt;" },
	/* Tips like "gnuplot_plot_1" under the pointer. */
	{ "<title>", "</title>", "" },
	{ "<desc>", "</desc>", "" },
};

static const struct svg_part *svg_part_at(struct span svg)
{
	for (size_t i = 0; i < sizeof(svg_parts) / sizeof(*svg_parts); i++) {
		if (span_starts(svg, svg_parts[i].start))
			return &svg_parts[i];
	}
	return NULL;
}

static void fix_svg(struct strbuf *picture)
{
	struct strbuf fixed = STRBUF_INIT;
	struct span rest = strbuf_span(picture);

	while (rest.len) {
		const struct svg_part *part = svg_part_at(rest);
		const char *end = part && part->end ? strstr(rest.ptr, part->end) : NULL;
		size_t len = !part ? 1
			     : end ? (size_t)(end - rest.ptr) + strlen(part->end)
				   : strlen(part->start);

		strbuf_add(&fixed, part ? part->instead : rest.ptr,
			   part ? strlen(part->instead) : 1);
		rest = span_skip(rest, len);
	}
	strbuf_release(picture);
	*picture = fixed;
}

/* By extension. */
static const struct format {
	const char *extension;
	const char *script; /* sets the terminal */
	void (*finish)(struct strbuf *picture);
} formats[] = {
	{ ".png", "png", NULL },
	{ ".svg", "svg", fix_svg },
	{ ".pdf", "pdf", fix_pdf_date },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

char *plot_extensions(void)
{
	struct strbuf names = STRBUF_INIT;

	for (int i = 0; i < FORMATS; i++)
		strbuf_addf(&names, "%s%s", i ? " " : "", formats[i].extension);
	return strbuf_detach(&names);
}

static const struct format *format_find(const char *extension)
{
	for (int i = 0; i < FORMATS; i++) {
		if (!strcasecmp(extension, formats[i].extension))
			return &formats[i];
	}
	return NULL;
}

static const struct format *format_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	const struct format *format = dot ? format_find(dot) : NULL;
	char *names;

	if (format)
		return format;
	names = plot_extensions();
	error_usage("%s: cannot tell the format of the picture; end the name in one of %s", path,
		    names);
	free(names);
	return NULL;
}

struct plot_size plot_default_size(const struct plot *plot)
{
	int panels = (int)(plot->panels < 40 ? plot->panels : 40);

	return (struct plot_size){ 1200, panels > 2 ? 100 + 300 * panels : 700, 96 };
}

static int draw(struct strbuf *picture, const struct plot *plot, const struct format *format,
		const struct plot_size *size)
{
	struct plot_size all = plot_default_size(plot);
	struct strbuf script = STRBUF_INIT;
	int rc;

	if (size) {
		all.width = size->width ? size->width : all.width;
		all.height = size->height ? size->height : all.height;
		all.dpi = size->dpi ? size->dpi : all.dpi;
	}
	strbuf_adds(&script, gnuplot_script("version"));
	strbuf_addf(&script, "WIDTH = %d\nHEIGHT = %d\nSCALE = %d / 96.0\n", all.width, all.height,
		    all.dpi);
	strbuf_adds(&script, gnuplot_script(format->script));
	strbuf_adds(&script, gnuplot_script("style"));
	figure_script(&script, plot, &all);
	rc = gnuplot_run(&script, picture);
	if (!rc && format->finish)
		format->finish(picture);
	strbuf_release(&script);
	return rc;
}

int plot_draw(struct strbuf *picture, const struct plot *plot, const char *extension,
	      const struct plot_size *size)
{
	const struct format *format = format_find(extension);

	return format ? draw(picture, plot, format, size)
		      : error_usage("%s: is no format of pictures", extension);
}

int plot_to_file(const struct plot *plot, const char *path, const struct plot_size *size)
{
	const struct format *format = format_of(path);
	struct strbuf picture = STRBUF_INIT;
	int rc;

	if (!format)
		return -1;
	rc = draw(&picture, plot, format, size);
	if (!rc)
		rc = whole_file_write(path, strbuf_span(&picture));
	strbuf_release(&picture);
	return rc;
}
