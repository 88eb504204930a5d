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
	*b = (struct bulk){ .store = store, .columns = 1 };
	for (const char *c = columns; *c; c++)
		b->columns += *c == ',';
	if (prepare(b, &b->many, table, columns, BULK_ROWS) < 0)
		return -1;
	return prepare(b, &b->one, table, columns, 1);
}

static int insert(struct bulk *b, sqlite3_stmt *stmt, int from, int rows)
{
	int at = 1, rc;

	for (int r = from; r < from + rows; r++)
		for (int c = 0; c < b->columns; c++, at++) {
			if (quantity_known(b->value[r][c]))
				sqlite3_bind_int64(stmt, at, b->value[r][c]);
			else
				sqlite3_bind_null(stmt, at);
		}
	rc = sqlite3_step(stmt);
	if (rc != SQLITE_DONE)
		store_error(b->store);
	sqlite3_reset(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

int bulk_add(struct bulk *b, const int64_t *values)
{
	memcpy(b->value[b->rows++], values, (size_t)b->columns * sizeof(*values));
	if (b->rows < BULK_ROWS)
		return 0;
	b->rows = 0;
	return insert(b, b->many, 0, BULK_ROWS);
}

int bulk_flush(struct bulk *b)
{
	int rows = b->rows;

	b->rows = 0;
	for (int r = 0; r < rows; r++)
		if (insert(b, b->one, r, 1) < 0)
			return -1;
	return 0;
}

void bulk_drop(struct bulk *b)
{
	b->rows = 0;
}

void bulk_close(struct bulk *b)
{
	sqlite3_finalize(b->many);
	sqlite3_finalize(b->one);
	b->many = b->one = NULL;
}
