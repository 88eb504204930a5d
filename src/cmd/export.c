#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "cmd/common.h"
#include "render/rows.h"

/* Rows go out as they come: an export may be larger than memory. */
struct export {
	const struct row_format *format;
	struct arena arena;
	VEC(const char *) names;
	VEC(struct row_value) row;
};

static int on_columns(void *context, const char *const *names, size_t n)
{
	struct export *e = context;

	for (size_t i = 0; i < n; i++) {
		*vec_push(&e->names) = arena_text(&e->arena, span_of(names[i]));
		*vec_push(&e->row) = (struct row_value){ ROW_NULL, 0, 0, NULL };
	}
	return e->format->head ? e->format->head(stdout, e->names.at, n) : 0;
}

static int on_row(void *context, const struct query_value *values, size_t n)
{
	static const enum row_kind kinds[] = {
		[QUERY_NULL] = ROW_NULL,
		[QUERY_INT] = ROW_INT,
		[QUERY_REAL] = ROW_REAL,
		[QUERY_TEXT] = ROW_TEXT,
	};
	struct export *e = context;

	for (size_t i = 0; i < n; i++)
		e->row.at[i] = (struct row_value){ kinds[values[i].kind], values[i].number, values[i].real,
						   values[i].text };
	if (ferror(stdout))
		return error_set("standard output cannot be written");
	return e->format->row(stdout, e->names.at, e->row.at, n);
}

static int run(const struct common *common, const struct arguments *rest)
{
	const char *format = strcmp(common->format, "table") ? common->format : "csv";
	struct export e = { .format = row_format_find(format), .arena = ARENA_INIT };
	struct query_sink sink = { &e, on_columns, on_row };
	struct run_list runs = { .arena = ARENA_INIT };
	struct store *store = NULL;
	int rc;

	if (!e.format)
		return error_usage("memlog export: --format is csv or json (an object a line), not '%s'", format);
	rc = common_store(common, STORE_READ, &store);
	if (!rc)
		rc = rest->len > 1 ? store_find_runs(store, rest->at + 1, rest->len - 1, &runs)
				   : store_all_runs(store, &runs);
	if (!rc)
		rc = store_export(store, rest->at[0], &runs, &sink);
	run_list_release(&runs);
	store_close(store);
	vec_release(&e.names);
	vec_release(&e.row);
	arena_release(&e.arena);
	return rc;
}

int cmd_export(const struct command *self, int argc, const char **argv)
{
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, NULL, argc, argv, &rest);

	if (!rc && !rest.len)
		rc = error_usage("memlog export: name a view: runs, allocator_memory, device_memory, "
				 "process_memory, tensor_changes or notes");
	if (!rc)
		rc = run(&common, &rest);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
