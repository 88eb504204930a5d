#include "render/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "render/cell.h"
#include "render/plot.h"
#include "render/text.h"

static const struct {
	const char *name, *text;
} parts[] = {
#include "html.inc"
};

static struct span part(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!strcmp(parts[i].name, name))
			return span_of(parts[i].text);
	}
	return SPAN_NONE;
}

/* ---- texts ---- */

static void add_escaped(struct strbuf *out, struct span text)
{
	static const struct {
		char c;
		const char *escape;
	} escapes[] = { { '&', "&amp;" },
			{ '<', "&lt;" },
			{ '>', "&gt;" },
			{ '"', "&quot;" },
			{ '\'', "&#39;" } };

	for (size_t i = 0; i < text.len; i++) {
		const char *escape = NULL;

		for (size_t k = 0; k < sizeof(escapes) / sizeof(*escapes); k++)
			escape = escapes[k].c == text.ptr[i] ? escapes[k].escape : escape;
		if (escape)
			strbuf_adds(out, escape);
		else
			strbuf_addc(out, text.ptr[i]);
	}
}

void html_text(struct strbuf *out, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	text_for_terminal(&safe, span_of(text));
	add_escaped(out, strbuf_span(&safe));
	strbuf_release(&safe);
}

/* ' class="bad"', or nothing for plain text. */
static const char *class_of(enum tone tone)
{
	static const char *const classes[TONES] = {
		[TONE_PLAIN] = "",
		[TONE_BAD] = " class=\"bad\"",
		[TONE_WARN] = " class=\"warn\"",
		[TONE_GOOD] = " class=\"good\"",
		[TONE_STRONG] = " class=\"strong\"",
		[TONE_DIM] = " class=\"dim\"",
	};

	return classes[tone];
}

static void add_element(struct strbuf *out, const char *name, const char *attributes,
			const char *text)
{
	strbuf_addf(out, "<%s%s>", name, attributes);
	html_text(out, text);
	strbuf_addf(out, "</%s>\n", name);
}

/* ---- tables ---- */

static const char *column_class(const struct table *table, size_t column)
{
	return cell_is_number(table->column[column].type) ? " class=\"number\"" : "";
}

/* People's words for the cell, and the exact value for sorting where they differ. */
static void add_cell(struct strbuf *out, const struct table *table, size_t row, size_t column,
		     int64_t resolution, enum size_style units)
{
	const struct cell *cell = cell_at(table, row, column);
	enum cell_type type = table->column[column].type;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(out, "<td%s", column_class(table, column));
	if (cell_is_number(type)) {
		cell_exact(&text, cell, type, resolution);
		strbuf_addf(out, " data-value=\"%s\"", text.buf);
		strbuf_clear(&text);
	}
	strbuf_addc(out, '>');
	cell_for_people(&text, cell, type, resolution, units);
	html_text(out, text.buf);
	strbuf_adds(out, "</td>");
	strbuf_release(&text);
}

static void add_table(struct strbuf *out, const struct page *page, const struct page_item *item)
{
	const struct table *table = item->table;
	int64_t *resolution = cell_resolutions(table);

	strbuf_addf(out, "<div class=\"wide\"><table%s>\n",
		    table_rows(table) > 1 ? " class=\"sorts\"" : "");
	strbuf_adds(out, "<thead><tr>");
	for (size_t c = 0; c < table->columns; c++) {
		strbuf_addf(out, "<th scope=\"col\"%s>", column_class(table, c));
		html_text(out, table->column[c].name);
		strbuf_adds(out, "</th>");
	}
	strbuf_adds(out, "</tr></thead>\n<tbody>\n");
	for (size_t r = 0; r < table_rows(table); r++) {
		strbuf_adds(out, "<tr>");
		for (size_t c = 0; c < table->columns; c++)
			add_cell(out, table, r, c, resolution[c], page->view.units);
		strbuf_adds(out, "</tr>\n");
	}
	strbuf_adds(out, "</tbody></table></div>\n");
	free(resolution);
}

/* ---- plots ---- */

static void add_characters(struct strbuf *out, const struct plot *plot)
{
	enum { WIDTH = 96, HEIGHT = 26 };
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	const char *why = error_text(), *end = strstr(why, ". ");
	char *first = xstrndup(why, end ? (size_t)(end - why) : strlen(why));

	/* What else the error says is for who asked for a picture file. */
	add_element(out, "p", " class=\"dim\"", first);
	free(first);
	if (!memory)
		return;
	plot_to_terminal(plot, memory, WIDTH, HEIGHT, false);
	fclose(memory);
	strbuf_adds(out, "<pre>");
	/* The lines of the drawing stay lines; its texts are harmless already. */
	add_escaped(out, span_of(text));
	strbuf_adds(out, "</pre>\n");
	free(text);
}

static void add_plot(struct strbuf *out, const struct page_item *item, int number)
{
	struct plot_size size = plot_default_size(item->plot);
	char name[32];

	size.width = 960;
	size.height = size.height * 4 / 5;
	snprintf(name, sizeof(name), "plot%d", number);
	strbuf_addf(out, "<figure id=\"%s\">\n", name);
	if (item->text)
		add_element(out, "figcaption", "", item->text);
	strbuf_adds(out, "<div class=\"wide\">\n");
	if (plot_to_svg(item->plot, out, &size, name) < 0)
		add_characters(out, item->plot);
	strbuf_adds(out, "</div>\n</figure>\n");
}

/* ---- the page ---- */

static void add_heading(struct strbuf *out, const struct page_item *item)
{
	char name[8];
	struct strbuf id = STRBUF_INIT;

	snprintf(name, sizeof(name), "h%d", item->level);
	if (item->id)
		strbuf_addf(&id, " id=\"%s\"", item->id);
	add_element(out, name, id.buf, item->text);
	strbuf_release(&id);
}

static bool is_fact(const struct page_item *item)
{
	return item && (item->kind == PAGE_FACT || item->kind == PAGE_LINK);
}

static void add_fact(struct strbuf *out, const struct page_item *item)
{
	strbuf_adds(out, "<dt>");
	if (item->kind == PAGE_LINK)
		strbuf_addf(out, "<a href=\"#%s\">", item->id);
	html_text(out, item->label);
	strbuf_addf(out, "%s</dt>", item->kind == PAGE_LINK ? "</a>" : "");
	add_element(out, "dd", class_of(item->tone), item->text);
}

static void add_card(struct strbuf *out, enum tone tone)
{
	static const char *const classes[TONES] = { [TONE_BAD] = " bad",
						    [TONE_WARN] = " warn",
						    [TONE_GOOD] = " good" };

	strbuf_addf(out, "<section class=\"card%s\">\n", classes[tone] ? classes[tone] : "");
}

static void add_item(struct strbuf *out, const struct page *page, const struct page_item *item,
		     int number)
{
	switch (item->kind) {
	case PAGE_HEADING:
		add_heading(out, item);
		break;
	case PAGE_TEXT:
		add_element(out, "p", class_of(item->tone), item->text);
		break;
	case PAGE_FACT:
	case PAGE_LINK:
		add_fact(out, item);
		break;
	case PAGE_TABLE:
		add_table(out, page, item);
		break;
	case PAGE_PLOT:
		add_plot(out, item, number);
		break;
	case PAGE_CODE:
		strbuf_adds(out, "<pre><code>");
		html_text(out, item->text);
		strbuf_adds(out, "</code></pre>\n");
		break;
	case PAGE_CARD:
		add_card(out, item->tone);
		break;
	case PAGE_END:
		strbuf_adds(out, "</section>\n");
		break;
	}
}

static void add_body(struct strbuf *out, const struct page *page)
{
	const struct page_item *before = NULL;
	int number = 0;

	for (const struct page_item *item = page->first; item; before = item, item = item->next) {
		if (is_fact(item) && !is_fact(before))
			strbuf_adds(out, "<dl>\n");
		number += item->kind == PAGE_PLOT;
		add_item(out, page, item, number);
		if (is_fact(item) && !is_fact(item->next))
			strbuf_adds(out, "</dl>\n");
	}
}

void html_page(struct strbuf *out, const struct page *page)
{
	struct span rest = part("page");

	/* The template names what stands where: {{title}}. */
	while (rest.len) {
		const char *open = strstr(rest.ptr, "{{"), *close = open ? strstr(open, "}}") : NULL;
		struct span name;

		if (!close) {
			strbuf_addspan(out, rest);
			return;
		}
		strbuf_add(out, rest.ptr, (size_t)(open - rest.ptr));
		name = (struct span){ open + 2, (size_t)(close - open) - 2 };
		if (span_is(name, "title"))
			html_text(out, page->title);
		else if (span_is(name, "body"))
			add_body(out, page);
		else
			strbuf_addspan(out, part(span_is(name, "style") ? "style" : "script"));
		rest = span_skip(rest, (size_t)(close + 2 - rest.ptr));
	}
}
