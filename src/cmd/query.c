#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "cli/terminal.h"
#include "cmd/common.h"

enum {
	SECONDS = 30,          /* what an answer may take */
	TERMINAL_ROWS = 1000,  /* more scrolls past whoever reads it */
	MOST_BYTES = 1 << 30,  /* of an answer, which is held in memory until it is printed */
};

/* Rows as they come; the type of a column is known when all its values are. */
struct answer {
	struct arena arena;
	size_t most_rows, bytes;
	bool cut;
	VEC(const char *) names;
	VEC(struct query_value) values;
};

static int on_columns(void *context, const char *const *names, size_t n)
{
	struct answer *a = context;

	for (size_t i = 0; i < n; i++)
		*vec_push(&a->names) = arena_text(&a->arena, span_of(names[i]));
	return 0;
}

static int on_row(void *context, const struct query_value *values, size_t n)
{
	struct answer *a = context;

	a->cut = a->values.len / n >= a->most_rows;
	if (a->cut)
		return 1;
	for (size_t i = 0; i < n; i++) {
		struct query_value *v = vec_push(&a->values);

		*v = values[i];
		a->bytes += sizeof(*v);
		if (v->kind != QUERY_TEXT)
			continue;
		a->bytes += strlen(v->text);
		v->text = arena_text(&a->arena, span_of(v->text));
	}
	if (a->bytes > MOST_BYTES)
		return error_usage("memlog query: the answer is larger than 1 GiB; ask for less, such "
				   "as with LIMIT");
	return 0;
}

/* The narrowest type that holds every value of the column. */
static enum cell_type column_type(const struct answer *a, size_t column)
{
	enum cell_type type = CELL_INT;

	for (size_t i = column; i < a->values.len; i += a->names.len) {
		if (a->values.at[i].kind == QUERY_TEXT)
			return CELL_TEXT;
		if (a->values.at[i].kind == QUERY_REAL)
			type = CELL_REAL;
	}
	return type;
}

static void add_value(struct table *t, const struct query_value *v, enum cell_type type)
{
	char text[64];

	if (v->kind == QUERY_NULL) {
		cell_null(t);
	} else if (type == CELL_INT) {
		cell_int(t, v->number);
	} else if (type == CELL_REAL) {
		cell_real(t, v->kind == QUERY_REAL ? v->real : (double)v->number);
	} else if (v->kind == QUERY_TEXT) {
		cell_text(t, v->text);
	} else {
		if (v->kind == QUERY_INT)
			snprintf(text, sizeof(text), "%" PRId64, v->number);
		else
			snprintf(text, sizeof(text), "%.15g", v->real);
		cell_text(t, text);
	}
}

static void fill_view(struct view *view, const struct answer *a)
{
	struct table *t = view_table(view, "query");
	size_t n = a->names.len;

	for (size_t c = 0; c < n; c++)
		table_column(t, a->names.at[c], column_type(a, c));
	for (size_t row = 0; row < a->values.len; row += n) {
		table_row(t);
		for (size_t c = 0; c < n; c++)
			add_value(t, &a->values.at[row + c], t->column[c].type);
	}
	if (!a->cut)
		return;
	view_paragraph(view, 0);
	view_text(view, TONE_PLAIN,
		  "The first %zu rows; for all, redirect the output or give --format csv.",
		  a->most_rows);
}

/* Files and programs get everything. */
static size_t most_rows(const struct common *common)
{
	return terminal_is(stdout) && !strcmp(common->format, "table") ? TERMINAL_ROWS : SIZE_MAX;
}

int cmd_query(const struct command *self, int argc, const char **argv)
{
	int seconds = SECONDS;
	const struct option table[] = {
		{ "seconds", 0, OPT_INT, &seconds, "N", "stop after N seconds; default 30" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	struct answer answer = { .arena = ARENA_INIT };
	struct query_sink sink = { &answer, on_columns, on_row };
	struct view view = VIEW_INIT;
	struct store *store = NULL;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc && rest.len != 1)
		rc = error_usage(
			"memlog query: give one SELECT statement, quoted; see memlog help query");
	if (!rc && seconds < 1)
		rc = error_usage("memlog query: --seconds: give 1 or more");
	answer.most_rows = most_rows(&common);
	if (!rc)
		rc = common_store(&common, STORE_READ, &store);
	if (!rc)
		rc = store_query(store, rest.at[0], seconds, &sink);
	if (!rc) {
		fill_view(&view, &answer);
		rc = common_print(&common, &view);
	}
	view_release(&view);
	vec_release(&answer.names);
	vec_release(&answer.values);
	arena_release(&answer.arena);
	store_close(store);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
