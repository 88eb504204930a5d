/* Runs that are read together. */
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "store/db.h"

int store_join_run(struct store *store, int64_t run, int64_t part)
{
	return RUN(store, JOINED_ADD, SQL_ARG(run), SQL_ARG(part));
}

int store_joined_runs(struct store *store, int64_t run, struct arena *arena, int64_t **out,
		      size_t *n)
{
	sqlite3_stmt *stmt = BIND(store, JOINED_PARTS, SQL_ARG(run));
	VEC(int64_t) list = VEC_INIT;
	int rc;

	while ((rc = statement_step(store, stmt)) > 0)
		*vec_push(&list) = sqlite3_column_int64(stmt, 0);
	*out = arena_alloc(arena, (list.len + 1) * sizeof(**out));
	if (list.len)
		memcpy(*out, list.at, list.len * sizeof(**out));
	*n = list.len;
	vec_release(&list);
	return rc;
}

int store_swap_names(struct store *store, const struct run_row *a, const struct run_row *b)
{
	/* Names are unique at every moment, and none is a blank. */
	if (RUN(store, RUN_RENAME, SQL_ARG(" "), SQL_ARG(a->id)) < 0 ||
	    RUN(store, RUN_RENAME, SQL_ARG(a->name), SQL_ARG(b->id)) < 0)
		return -1;
	return RUN(store, RUN_RENAME, SQL_ARG(b->name), SQL_ARG(a->id));
}

int store_learn_context(struct store *store, const struct timeline *t, const char *card,
			int64_t bytes, int64_t tolerance)
{
	return RUN(store, LEARNED_ADD, SQL_ARG(card), SQL_ARG(t->name),
		   SQL_ARG(to_stored_time(t->started)), SQL_ARG(bytes), SQL_ARG(tolerance));
}

int store_recall_context(struct store *store, struct timeline *t, const char *card)
{
	sqlite3_stmt *stmt = BIND(store, LEARNED, SQL_ARG(card), SQL_ARG(t->name));
	int rc = statement_step(store, stmt);

	if (rc > 0) {
		t->learned.run = arena_text(&t->arena, span_of(column_text(stmt, 0)));
		t->learned.started = from_stored_time(column_quantity(stmt, 1));
		t->learned.bytes = sqlite3_column_int64(stmt, 2);
		t->learned.tolerance = sqlite3_column_int64(stmt, 3);
	}
	sqlite3_reset(stmt);
	return rc < 0 ? -1 : 0;
}
