/*
 * The format "markdown" (GitHub's): paragraphs, lists where paragraphs are indented, pipe tables.
 * Every character that could be markup is escaped, so a log cannot bring any.
 */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "render/cell.h"
#include "render/formats.h"
#include "render/markup.h"
#include "render/text.h"

static const char *escape_of(char c)
{
	static const struct {
		char c;
		const char *escape;
	} escapes[] = {
		{ '<', "&lt;" }, { '>', "&gt;" }, { '&', "&amp;" }, { '\\', "\\\\" },
		{ '`', "\\`" },  { '*', "\\*" },  { '[', "\\[" },   { ']', "\\]" },
		{ '|', "\\|" },  { '~', "\\~" },  { '$', "\\$" },
	};

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		if (escapes[i].c == c)
			return escapes[i].escape;
	}
	return NULL;
}

/* An underscore inside a word is no markup; elsewhere it may be emphasis. */
static bool inside_word(struct span text, size_t i)
{
	return i && i + 1 < text.len && isalnum((unsigned char)text.ptr[i - 1]) &&
	       isalnum((unsigned char)text.ptr[i + 1]);
}

void markdown_escape(struct strbuf *out, struct span raw)
{
	struct strbuf sb = STRBUF_INIT;
	struct span text;

	text_for_terminal(&sb, raw);
	text = strbuf_span(&sb);
	for (size_t i = 0; i < text.len; i++) {
		const char *escape = escape_of(text.ptr[i]);

		if (escape)
			strbuf_adds(out, escape);
		else if (text.ptr[i] == '_' && !inside_word(text, i))
			strbuf_adds(out, "\\_");
		else if (span_starts(span_skip(text, i), "://"))
			strbuf_adds(out, "&#58;"); /* no link out of an address */
		else
			strbuf_addc(out, text.ptr[i]);
	}
	strbuf_release(&sb);
}

static void add_fragment(struct strbuf *out, const struct fragment *f)
{
	static const char *const marks[TONES] = { [TONE_BAD] = "**", [TONE_STRONG] = "**" };
	const char *mark = marks[f->tone] ? marks[f->tone] : "";
	struct span text = span_of(f->text), body = span_trim(text);

	if (!body.len)
		mark = "";
	/* Marks must touch the words. */
	if (text.len && *text.ptr == ' ' && out->len)
		strbuf_addc(out, ' ');
	strbuf_adds(out, mark);
	markdown_escape(out, body);
	strbuf_adds(out, mark);
	if (body.len && text.ptr[text.len - 1] == ' ')
		strbuf_addc(out, ' ');
}

/* What would make a heading, a list or a rule at the beginning of a line. */
static void print_opening(struct span text, FILE *out)
{
	size_t digits = 0;

	while (digits < text.len && isdigit((unsigned char)text.ptr[digits]))
		digits++;
	if (text.len && strchr("#+-=", *text.ptr))
		putc('\\', out);
	if (digits && digits < text.len && strchr(".)", text.ptr[digits])) {
		fprintf(out, "%.*s\\", (int)digits, text.ptr);
		text = span_skip(text, digits);
	}
	fprintf(out, "%.*s\n", SPAN_ARG(text));
}

/* The indents of the list items that are open. */
struct list {
	VEC(int) indent;
};

static size_t list_depth(struct list *list, int indent)
{
	while (list->indent.len && list->indent.at[list->indent.len - 1] >= indent)
		list->indent.len--;
	if (indent)
		*vec_push(&list->indent) = indent;
	return list->indent.len;
}

static void print_paragraph(const struct block *block, size_t depth, FILE *out)
{
	struct strbuf sb = STRBUF_INIT;

	for (const struct fragment *f = block->first; f; f = f->next)
		add_fragment(&sb, f);
	if (depth)
		fprintf(out, "%*s- ", 2 * (int)(depth - 1), "");
	print_opening(span_trim(strbuf_span(&sb)), out);
	strbuf_release(&sb);
}

static void print_heading(const struct table *table, FILE *out)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t c = 0; c < table->columns; c++) {
		strbuf_adds(&sb, "| ");
		if (!table->headless)
			markdown_escape(&sb, span_of(table->column[c].name));
		strbuf_addc(&sb, ' ');
	}
	strbuf_adds(&sb, "|\n");
	for (size_t c = 0; c < table->columns; c++)
		strbuf_adds(&sb, cell_is_number(table->column[c].type) ? "| ---: " : "| --- ");
	fprintf(out, "%s|\n", sb.buf);
	strbuf_release(&sb);
}

static void print_table(const struct table *table, enum size_style units, FILE *out)
{
	int64_t *resolution = cell_resolutions(table);
	struct strbuf raw = STRBUF_INIT, row = STRBUF_INIT;

	print_heading(table, out);
	for (size_t r = 0; r < table_rows(table); r++) {
		strbuf_clear(&row);
		for (size_t c = 0; c < table->columns; c++) {
			strbuf_clear(&raw);
			cell_for_people(&raw, cell_at(table, r, c), table->column[c].type,
					resolution[c], units);
			strbuf_adds(&row, "| ");
			markdown_escape(&row, strbuf_span(&raw));
			strbuf_addc(&row, ' ');
		}
		fprintf(out, "%s|\n", row.buf);
	}
	strbuf_release(&raw);
	strbuf_release(&row);
	free(resolution);
}

int render_markdown(const struct view *view, FILE *out, const struct render_options *options)
{
	struct list list = { VEC_INIT };
	bool first = true, after_table = false;

	(void)options;
	for (const struct block *b = view->first; b; b = b->next) {
		size_t depth = list_depth(&list, b->table ? 0 : b->indent);

		if (b->table && !table_rows(b->table))
			continue;
		/* Tight items of a list need no empty line; anything else would run together. */
		if (!first && !(b->tight && depth && !after_table))
			putc('\n', out);
		first = false;
		after_table = b->table;
		if (b->table)
			print_table(b->table, view->units, out);
		else
			print_paragraph(b, depth, out);
	}
	vec_release(&list.indent);
	return 0;
}
