#include "store/bulk.h"

#include "base/strbuf.h"

static int prepare(struct bulk *b, sqlite3_stmt **stmt, const char *table, const char *columns,
		   int rows)
{
	struct strbuf sql = STRBUF_INIT;
	int rc;

	strbuf_addf(&sql, "INSERT INTO %s (%s) VALUES ", table, columns);
	for (int r = 0; r < rows; r++) {
		strbuf_adds(&sql, r ? ", (" : "(");
		for (int c = 0; c < b->columns; c++)
			strbuf_adds(&sql, c ? ", ?" : "?");
		strbuf_addc(&sql, ')');
	}
	rc = sqlite3_prepare_v3(b->store->db, sql.buf, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
	strbuf_release(&sql);
	return rc ? store_error(b->store) : 0;
}

int bulk_open(struct bulk *b, struct store *store, const char *table, const char *columns)
{
	*b = (struct bulk){ .store = store, .columns = 1, .box = { .target = b } };
	for (const char *c = columns; *c; c++)
		b->columns += *c == ',';
	if (prepare(b, &b->many, table, columns, BULK_ROWS) < 0)
		return -1;
	return prepare(b, &b->one, table, columns, 1);
}

static int insert(struct bulk *b, sqlite3_stmt *stmt, const struct box *box, int from, int rows)
{
	int at = 1, rc;

	for (int r = from; r < from + rows; r++)
		for (int c = 0; c < b->columns; c++, at++) {
			if (quantity_known(box->value[r][c]))
				sqlite3_bind_int64(stmt, at, box->value[r][c]);
			else
				sqlite3_bind_null(stmt, at);
		}
	rc = sqlite3_step(stmt);
	if (rc != SQLITE_DONE)
		store_keep_failure(b->store);
	sqlite3_reset(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

int bulk_write(const struct box *box)
{
	struct bulk *b = box->target;
	int r = 0;

	for (; r + BULK_ROWS <= box->rows; r += BULK_ROWS)
		if (insert(b, b->many, box, r, BULK_ROWS) < 0)
			return -1;
	for (; r < box->rows; r++)
		if (insert(b, b->one, box, r, 1) < 0)
			return -1;
	return 0;
}

int bulk_add(struct bulk *b, const int64_t *values)
{
	memcpy(b->box.value[b->box.rows++], values, (size_t)b->columns * sizeof(*values));
	if (b->box.rows < BOX_ROWS)
		return 0;
	if (conveyor_push(b->store->conveyor, &b->box) < 0)
		return store_error(b->store);
	b->box.rows = 0;
	return 0;
}

int bulk_flush(struct bulk *b)
{
	if (conveyor_settle(b->store->conveyor) < 0 || bulk_write(&b->box) < 0)
		return store_error(b->store);
	b->box.rows = 0;
	return 0;
}

void bulk_drop(struct bulk *b)
{
	b->box.rows = 0;
}

void bulk_close(struct bulk *b)
{
	sqlite3_finalize(b->many);
	sqlite3_finalize(b->one);
	b->many = b->one = NULL;
}
