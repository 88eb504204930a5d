/*
 * A plot inside an HTML page.  gnuplot's svg is a document of its own, and its ids are the same in
 * each: the element is taken out, and the ids get a name in front.
 */
#include <string.h>

#include "base/error.h"
#include "render/plot.h"

/* What stands before an id, where it is given and where it is used. */
static const char *const before_id[] = { " id=\"", " id='", "href=\"#", "href='#", "url(#" };

static size_t id_starts(struct span at)
{
	for (size_t i = 0; i < sizeof(before_id) / sizeof(*before_id); i++) {
		if (span_starts(at, before_id[i]))
			return strlen(before_id[i]);
	}
	return 0;
}

/* Inside texts gnuplot escapes <, > and &, so a tag is a tag; ids stand in tags only. */
static void add_renamed(struct strbuf *out, struct span svg, const char *name)
{
	bool in_tag = false;

	while (svg.len) {
		size_t n = in_tag ? id_starts(svg) : 0;

		in_tag = *svg.ptr == '<' || (in_tag && *svg.ptr != '>');
		strbuf_add(out, svg.ptr, n ? n : 1);
		if (n)
			strbuf_addf(out, "%s-", name);
		svg = span_skip(svg, n ? n : 1);
	}
}

int plot_to_svg(const struct plot *plot, struct strbuf *out, const struct plot_size *size,
		const char *name)
{
	struct strbuf picture = STRBUF_INIT;
	int rc = plot_draw(&picture, plot, ".svg", size);
	const char *start;

	if (!rc) {
		start = strstr(picture.buf, "<svg");
		if (start)
			add_renamed(out, span_of(start), name);
		else
			rc = error_set("gnuplot drew no svg");
	}
	strbuf_release(&picture);
	return rc;
}
