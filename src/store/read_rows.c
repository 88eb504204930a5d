#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "store/reader.h"

static void add_member(struct rows *rows, int64_t id, size_t row)
{
	if (!rows->member.len)
		rows->first_tensor = id;
	/* Ids of rows that could not be counted are missing. */
	while (rows->first_tensor + (int64_t)rows->member.len < id)
		*vec_push(&rows->member) = (struct member){ .row = SIZE_MAX };
	*vec_push(&rows->member) = (struct member){ row, rows->state.at[row].first, 0 };
	rows->state.at[row].first = rows->member.len;
}

static size_t find_row(struct reader *r, sqlite3_stmt *stmt, struct strbuf *key)
{
	const char *dtype = column_text(stmt, 3), *class_name = column_text(stmt, 1);
	bool added;
	size_t row;

	strbuf_clear(key);
	strbuf_adds(key, column_text(stmt, 2));
	strbuf_addc(key, '\1');
	strbuf_adds(key, dtype ? dtype : "");
	row = intern(&r->rows.kinds, strbuf_span(key), &added);
	if (added) {
		*vec_push(&r->rows.state) = (struct row_state){ 0 };
		*vec_push(&r->rows.at) = (struct tensor_row){
			.class_name = reader_keep(r, stmt, 1),
			.shape = reader_keep(r, stmt, 2),
			.dtype = reader_keep(r, stmt, 3),
			.numel = sqlite3_column_int64(stmt, 4),
			.itemsize = sqlite3_column_int(stmt, 5),
		};
	}
	if (class_name && strstr(class_name, "Parameter"))
		r->rows.at.at[row].parameter = true;
	return row;
}

int rows_read(struct reader *r)
{
	sqlite3_stmt *stmt = BIND(r->store, TENSORS, SQL_ARG(r->source));
	struct strbuf key = STRBUF_INIT;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0)
		add_member(&r->rows, sqlite3_column_int64(stmt, 0), find_row(r, stmt, &key));
	strbuf_release(&key);
	return rc;
}

void rows_change(struct rows *rows, int64_t tensor, int64_t count, int64_t line)
{
	size_t at = (size_t)(tensor - rows->first_tensor);
	struct row_state *state;

	if (at >= rows->member.len || rows->member.at[at].row == SIZE_MAX)
		return;
	rows->member.at[at].count = count;
	state = &rows->state.at[rows->member.at[at].row];
	state->line = line;
	if (!state->touched)
		*vec_push(&rows->touched) = rows->member.at[at].row;
	state->touched = true;
}

/* The largest of the classes: all that are alive print the same, and one may go while another
 * stays. */
static int64_t joint_count(const struct rows *rows, size_t row)
{
	int64_t count = 0;

	for (size_t m = rows->state.at[row].first; m; m = rows->member.at[m - 1].next)
		if (rows->member.at[m - 1].count > count)
			count = rows->member.at[m - 1].count;
	return count;
}

void rows_end_point(struct rows *rows, size_t point)
{
	for (size_t i = 0; i < rows->touched.len; i++) {
		size_t row = rows->touched.at[i];
		struct row_state *state = &rows->state.at[row];
		int64_t count = joint_count(rows, row);

		state->touched = false;
		if (count == state->told)
			continue;
		state->told = count;
		rows->at.at[row].nchanges++;
		*vec_push(&rows->loose) = (struct loose_change){ row, { (uint32_t)point, count, state->line } };
	}
	vec_clear(&rows->touched);
}

void rows_finish(struct reader *r)
{
	struct rows *rows = &r->rows;
	struct tensor_row *row = arena_alloc(&r->t->arena, rows->at.len * sizeof(*row));
	struct tensor_change *at = arena_alloc(&r->t->arena, rows->loose.len * sizeof(*at));
	struct tensor_change **next = xcalloc(rows->at.len, sizeof(*next));

	for (size_t i = 0; i < rows->at.len; i++) {
		row[i] = rows->at.at[i];
		row[i].change = next[i] = at;
		at += row[i].nchanges;
	}
	for (size_t i = 0; i < rows->loose.len; i++)
		*next[rows->loose.at[i].row]++ = rows->loose.at[i].change;
	r->t->row = row;
	r->t->rows = rows->at.len;
	free(next);
}

void rows_release(struct rows *rows)
{
	vec_release(&rows->at);
	vec_release(&rows->state);
	vec_release(&rows->member);
	vec_release(&rows->touched);
	vec_release(&rows->loose);
	intern_release(&rows->kinds);
}
