#include "model/view.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/strbuf.h"

void view_release(struct view *view)
{
	for (struct block *b = view->first; b; b = b->next) {
		if (!b->table)
			continue;
		free(b->table->column);
		free(b->table->cell);
	}
	arena_release(&view->arena);
	*view = (struct view)VIEW_INIT;
}

static struct block *add_block(struct view *view)
{
	struct block *block = arena_alloc(&view->arena, sizeof(*block));

	if (view->last)
		view->last->next = block;
	else
		view->first = block;
	view->last = block;
	return block;
}

struct table *view_table(struct view *view, const char *name)
{
	struct table *table = arena_alloc(&view->arena, sizeof(*table));

	table->arena = &view->arena;
	table->name = name;
	add_block(view)->table = table;
	return table;
}

void table_column(struct table *table, const char *name, enum cell_type type)
{
	if (table->columns == table->column_cap) {
		table->column_cap = table->column_cap ? 2 * table->column_cap : 8;
		table->column = xrealloc(table->column, table->column_cap, sizeof(*table->column));
	}
	table->column[table->columns++] =
		(struct column){ arena_text(table->arena, span_of(name)), type };
}

void table_row(struct table *table)
{
	assert(table->columns && table->cells % table->columns == 0);
	if (table->cells + table->columns > table->cell_cap) {
		table->cell_cap = 2 * (table->cell_cap + table->columns);
		table->cell = xrealloc(table->cell, table->cell_cap, sizeof(*table->cell));
	}
}

static struct cell *add_cell(struct table *table)
{
	assert(table->cells < table->cell_cap);
	table->cell[table->cells] = (struct cell){ 0 };
	return &table->cell[table->cells++];
}

void cell_text(struct table *table, const char *text)
{
	struct cell *cell = add_cell(table);

	cell->null = !text;
	cell->text = arena_text(table->arena, span_of(text));
}

void cell_int(struct table *table, int64_t number)
{
	struct cell *cell = add_cell(table);

	cell->null = !quantity_known(number);
	cell->number = number;
}

void cell_real(struct table *table, double real)
{
	add_cell(table)->real = real;
}

void cell_null(struct table *table)
{
	add_cell(table)->null = true;
}

struct block *view_paragraph(struct view *view, int indent)
{
	struct block *block = add_block(view);

	block->indent = indent;
	return block;
}

void view_text(struct view *view, enum tone tone, const char *fmt, ...)
{
	struct fragment *fragment = arena_alloc(&view->arena, sizeof(*fragment));
	struct strbuf sb = STRBUF_INIT;
	va_list ap;
	char *text = NULL;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	strbuf_adds(&sb, text ? text : "");
	free(text);
	assert(view->last && !view->last->table);
	fragment->tone = tone;
	fragment->text = arena_text(&view->arena, strbuf_span(&sb));
	strbuf_release(&sb);
	if (view->last->last)
		view->last->last->next = fragment;
	else
		view->last->first = fragment;
	view->last->last = fragment;
}
