/*
 * The least a C program can do with a tracker report, as a yardstick for `memlog import`: read(), one
 * PCRE2 pattern with JIT a kind of line, the live tensors, rows into SQLite.  No dialects, notes,
 * encodings, provenance or checks.
 *
 *	cc -O2 bare.c -lpcre2-8 -lsqlite3 && ./a.out report.txt out.db
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <fcntl.h>
#include <pcre2.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 32, SLOTS = 1 << 16 };

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
};

struct bulk {
	sqlite3_stmt *many, *one;
	int columns, rows;
	sqlite3_int64 value[ROWS][4];
};

static struct pattern compile(const char *text)
{
	struct pattern p;
	int error;
	PCRE2_SIZE at;

	p.code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_ANCHORED, &error, &at, NULL);
	if (!p.code)
		exit(1);
	pcre2_jit_compile(p.code, PCRE2_JIT_COMPLETE);
	p.data = pcre2_match_data_create_from_pattern(p.code, NULL);
	return p;
}

static PCRE2_SIZE *match(struct pattern *p, const char *text, size_t len)
{
	if (pcre2_jit_match(p->code, (PCRE2_SPTR)text, len, 0, 0, p->data, NULL) < 0)
		return NULL;
	return pcre2_get_ovector_pointer(p->data);
}

static void prepare(struct bulk *b, sqlite3 *db, const char *table, int columns)
{
	char sql[1024];

	b->columns = columns;
	b->rows = 0;
	for (int rows = 1; rows <= ROWS; rows += ROWS - 1) {
		size_t n = (size_t)snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES ", table);

		for (int r = 0; r < rows; r++) {
			n += (size_t)snprintf(sql + n, sizeof(sql) - n, r ? ",(?" : "(?");
			for (int c = 1; c < columns; c++)
				n += (size_t)snprintf(sql + n, sizeof(sql) - n, ",?");
			n += (size_t)snprintf(sql + n, sizeof(sql) - n, ")");
		}
		if (sqlite3_prepare_v2(db, sql, -1, rows == 1 ? &b->one : &b->many, NULL))
			exit(1);
	}
}

static void run(sqlite3_stmt *stmt, struct bulk *b, int from, int rows)
{
	for (int r = 0, at = 1; r < rows; r++)
		for (int c = 0; c < b->columns; c++)
			sqlite3_bind_int64(stmt, at++, b->value[from + r][c]);
	sqlite3_step(stmt);
	sqlite3_reset(stmt);
}

static void add(struct bulk *b, sqlite3_int64 v0, sqlite3_int64 v1, sqlite3_int64 v2, sqlite3_int64 v3)
{
	sqlite3_int64 *v = b->value[b->rows++];

	v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3;
	if (b->rows < ROWS)
		return;
	run(b->many, b, 0, ROWS);
	b->rows = 0;
}

static void flush(struct bulk *b)
{
	for (int r = 0; r < b->rows; r++)
		run(b->one, b, r, 1);
}

/* Distinct texts, numbered; FNV-1a. */
static struct {
	char *text;
	size_t len;
	int number;
} slot[SLOTS];
static int names;

static int number_of(const char *text, size_t len)
{
	unsigned long h = 14695981039346656037ul;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211ul;
	for (h &= SLOTS - 1; slot[h].text; h = (h + 1) & (SLOTS - 1))
		if (slot[h].len == len && !memcmp(slot[h].text, text, len))
			return slot[h].number;
	slot[h].text = strndup(text, len);
	slot[h].len = len;
	return slot[h].number = names++;
}

int main(int argc, char **argv)
{
	struct pattern row = compile("([+-]) \\| (\\d++) \\* Size:(\\([\\d, ]*+\\)) *\\| Memory: ([\\d.e+-]++) M "
				     "\\| <class '([^']++)'> *\\| (torch\\.\\w++)"),
		       at = compile("At (.+) line (\\d++): (.*?) +Total Tensor Used Memory:([\\d.]++) *Mb Total "
				    "Allocated Memory:([\\d.]++) *Mb");
	static char buf[1 << 16];
	struct bulk points, changes;
	size_t have = 0;
	sqlite3 *db;
	long line = 0, point = 0;
	int fd = argc > 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || sqlite3_open(argv[2], &db))
		return 1;
	sqlite3_exec(db, "BEGIN; CREATE TABLE point(line, position, visible, allocated); CREATE TABLE "
			 "change(point, tensor, count, line)", NULL, NULL, NULL);
	prepare(&points, db, "point", 4);
	prepare(&changes, db, "change", 4);
	for (;;) {
		ssize_t n = read(fd, buf + have, sizeof(buf) - have);
		char *p = buf, *end, *stop;

		if (n <= 0)
			break;
		stop = buf + have + n;
		for (; (end = memchr(p, '\n', (size_t)(stop - p))); p = end + 1) {
			PCRE2_SIZE *o;

			line++;
			if ((*p == '+' || *p == '-') && (o = match(&row, p, (size_t)(end - p)))) {
				if (*p == '+')
					add(&changes, point, number_of(p + o[6], o[13] - o[6]),
					    strtol(p + o[4], NULL, 10), line);
			} else if (*p == 'A' && (o = match(&at, p, (size_t)(end - p)))) {
				add(&points, line, number_of(p + o[2], o[7] - o[2]),
				    (long)(strtod(p + o[8], NULL) * 1048576),
				    (long)(strtod(p + o[10], NULL) * 1048576));
				point++;
			}
		}
		have = (size_t)(stop - p);
		memmove(buf, p, have);
	}
	flush(&points);
	flush(&changes);
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	return 0;
}
