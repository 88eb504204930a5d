/*
 * The format "json": the view's document; without one, the rows of its first table.  Rows are
 * written one a line as they come, so that a long answer needs no tree in memory.
 */
#include <jansson.h>
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "render/cell.h"
#include "render/formats.h"
#include "render/text.h"

/* 15 digits: 0.1 prints as 0.1. */
enum { REAL = JSON_REAL_PRECISION(15) };

/* jansson refuses text that is not UTF-8. */
static json_t *json_text(const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	json_t *json;

	text_repair(&sb, span_of(text));
	json = json_stringn_nocheck(sb.buf, sb.len);
	strbuf_release(&sb);
	return json;
}

static json_t *json_number(double real)
{
	return isfinite(real) ? json_real(real) : json_null();
}

static int set(json_t *object, const char *key, json_t *value)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	text_repair(&sb, span_of(key));
	/* A query may name two columns alike; an object keeps one of each name. */
	for (int n = 2; json_object_get(object, sb.buf); n++) {
		strbuf_clear(&sb);
		text_repair(&sb, span_of(key));
		strbuf_addf(&sb, ":%d", n);
	}
	rc = json_object_set_new_nocheck(object, sb.buf, value);
	strbuf_release(&sb);
	return rc;
}

static json_t *json_of(const struct doc *doc);

static json_t *children(const struct doc *doc)
{
	bool array = doc->kind == DOC_ARRAY;
	json_t *json = array ? json_array() : json_object();

	for (const struct doc *child = doc->first; child; child = child->next) {
		json_t *value = json_of(child);

		if (array ? json_array_append_new(json, value) : set(json, child->key, value)) {
			json_decref(json);
			return NULL;
		}
	}
	return json;
}

static json_t *json_of(const struct doc *doc)
{
	switch (doc->kind) {
	case DOC_BOOL:
		return json_boolean(doc->number);
	case DOC_INT:
		return json_integer(doc->number);
	case DOC_REAL:
		return json_number(doc->real);
	case DOC_TEXT:
		return json_text(doc->text);
	case DOC_ARRAY:
	case DOC_OBJECT:
		return children(doc);
	default:
		return json_null();
	}
}

static json_t *json_of_cell(const struct cell *cell, enum cell_type type, int64_t resolution)
{
	struct strbuf sb = STRBUF_INIT;
	json_t *json;

	if (cell_is_null(cell, type))
		return json_null();
	switch (type) {
	case CELL_TEXT:
		return json_text(cell->text);
	case CELL_REAL:
		return json_number(cell->real);
	case CELL_TIME:
		cell_exact(&sb, cell, type, resolution);
		json = json_text(sb.buf);
		strbuf_release(&sb);
		return json;
	default:
		return json_integer(cell->number);
	}
}

/* Takes the reference. */
static int dump(json_t *json, size_t flags, FILE *out)
{
	int rc = json ? json_dumpf(json, out, flags | REAL) : -1;

	json_decref(json);
	/* A failed write is also in the state of `out`, where it is checked with its errno. */
	return rc && !ferror(out) ? error_set("cannot make the json document") : 0;
}

int json_string_to(const char *text, FILE *out)
{
	return dump(json_text(text), JSON_ENCODE_ANY, out);
}

static int dump_rows(const struct table *table, FILE *out)
{
	int64_t *resolution = cell_resolutions(table);
	int rc = 0;

	for (size_t row = 0; !rc && row < table_rows(table); row++) {
		json_t *object = json_object();

		for (size_t c = 0; c < table->columns; c++)
			rc |= set(object, table->column[c].name,
				  json_of_cell(cell_at(table, row, c), table->column[c].type,
					       resolution[c]));
		fputs(row ? ",\n  " : "\n  ", out);
		rc |= dump(object, 0, out);
	}
	free(resolution);
	return rc ? -1 : 0;
}

static int dump_table(const struct table *table, FILE *out)
{
	char *schema = xasprintf("memlog.%s/1", table->name);
	int rc;

	fputs("{\n \"schema\": ", out);
	rc = json_string_to(schema, out);
	fputs(",\n ", out);
	rc |= json_string_to(table->name, out);
	fputs(": [", out);
	rc |= dump_rows(table, out);
	fputs(table_rows(table) ? "\n ]\n}\n" : "]\n}\n", out);
	free(schema);
	return rc;
}

int render_json(const struct view *view, FILE *out, const struct render_options *options)
{
	const struct block *b = view->first;
	int rc;

	(void)options;
	if (view->doc) {
		rc = dump(json_of(view->doc), JSON_INDENT(1) | JSON_ENCODE_ANY, out);
		putc('\n', out);
		return rc;
	}
	while (b && !b->table)
		b = b->next;
	if (b)
		return dump_table(b->table, out);
	fputs("{}\n", out);
	return 0;
}
