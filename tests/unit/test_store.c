#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "store/store.h"

/* ---- writing by hand ---- */

static struct position place(size_t index, const char *file, int64_t line)
{
	return (struct position){ .index = index, .file = file, .code_line = line };
}

static struct point plain_point(int64_t line, const struct position *position, int64_t allocated)
{
	return (struct point){
		.line = line,
		.time = TIME_UNKNOWN,
		.position = position,
		.step = -1,
		.visible = QUANTITY_UNKNOWN,
		.allocated = allocated,
		.reserved = QUANTITY_UNKNOWN,
		.quantum = 1,
	};
}

static struct store *memory_store(void)
{
	struct store *store;

	cr_assert_eq(store_open(&store, ":memory:", STORE_WRITE), 0, "%s", error_text());
	return store;
}

static const struct run_end whole_run = { .dialect = "d", .started = TIME_UNKNOWN };

/* One source with one run of two points at two places; `hash` tells sources apart. */
static int add_source(struct store *store, const char *name, const char *hash)
{
	struct source_info info = { .path = "p", .run_name = name, .hash = hash, .lines = 2 };
	struct position a = place(0, "a.py", 1), b = place(1, "b.py", 2);
	struct point first = plain_point(1, &a, 100), second = plain_point(2, &b, 200);
	struct point_sink sink = store_sink(store);
	int64_t known;

	cr_assert_eq(store_begin_source(store, &info), 0, "%s", error_text());
	cr_assert_eq(sink.run_begin(sink.context, 1), 0);
	cr_assert_eq(sink.point(sink.context, &first), 0);
	cr_assert_eq(sink.note(sink.context, &(struct note){ 2, "odd", "an oddity" }), 0);
	cr_assert_eq(sink.point(sink.context, &second), 0);
	cr_assert_eq(sink.run_end(sink.context, &whole_run), 0);
	return store_end_source(store, &info, &known);
}

static void add_import(struct store *store, const char *name, const char *hash)
{
	cr_assert_eq(store_begin_import(store), 0, "%s", error_text());
	cr_assert_eq(add_source(store, name, hash), 0, "%s", error_text());
	cr_assert_eq(store_commit(store), 0, "%s", error_text());
}

/* Names of all runs, "a b c". */
static void expect_runs(struct store *store, const char *names)
{
	struct strbuf got = STRBUF_INIT;
	struct run_list runs;

	cr_assert_eq(store_all_runs(store, &runs), 0, "%s", error_text());
	for (size_t i = 0; i < runs.len; i++)
		strbuf_addf(&got, "%s%s", i ? " " : "", runs.at[i].name);
	cr_expect_str_eq(got.buf, names);
	run_list_release(&runs);
	strbuf_release(&got);
}

/* ---- opening ---- */

struct folder {
	char path[32], db[64];
};

static void folder_open(struct folder *f)
{
	snprintf(f->path, sizeof(f->path), "/tmp/store-XXXXXX");
	cr_assert_not_null(mkdtemp(f->path));
	snprintf(f->db, sizeof(f->db), "%s/memlog.db", f->path);
}

static void folder_close(struct folder *f)
{
	unlink(f->db);
	cr_expect_eq(rmdir(f->path), 0, "something is left in %s", f->path);
}

static void write_bytes(const char *path, const void *data, size_t len)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file);
	cr_assert_eq(fwrite(data, 1, len, file), len);
	fclose(file);
}

static void patch(const char *path, long at, const unsigned char *bytes, size_t n)
{
	FILE *file = fopen(path, "r+");

	cr_assert_not_null(file);
	fseek(file, at, SEEK_SET);
	cr_assert_eq(fwrite(bytes, 1, n, file), n);
	fclose(file);
}

Test(store, creates_and_opens_again)
{
	struct store *store;
	struct folder f;

	folder_open(&f);
	cr_expect_eq(store_open(&store, f.db, STORE_READ), -1, "reading creates nothing");
	cr_expect_not_null(strstr(error_text(), "memlog import"));
	cr_expect_eq(access(f.db, F_OK), -1);
	cr_assert_eq(store_open(&store, f.db, STORE_WRITE), 0, "%s", error_text());
	add_import(store, "one", "h1");
	store_close(store);
	cr_assert_eq(store_open(&store, f.db, STORE_READ), 0, "%s", error_text());
	expect_runs(store, "one");
	store_close(store);
	folder_close(&f);
}

Test(store, an_empty_file_is_a_new_database)
{
	struct store *store;
	struct folder f;

	folder_open(&f);
	write_bytes(f.db, "", 0);
	cr_expect_eq(store_open(&store, f.db, STORE_READ), -1);
	cr_assert_eq(store_open(&store, f.db, STORE_WRITE), 0, "%s", error_text());
	store_close(store);
	folder_close(&f);
}

/* The header of an SQLite file: user_version at byte 60, application_id at 68, big endian. */
static const struct {
	const char *what;
	long at;
	unsigned char bytes[4];
	const char *says;
} strangers[] = {
	{ "a newer schema", 60, { 0, 0, 0, 99 }, "newer memlog (schema 99" },
	{ "another program", 68, { 1, 2, 3, 4 }, "another program" },
	{ "no database", 0, { 'd', 'e', 'a', 'r' }, "not a database" },
};

Test(store, a_stranger_is_refused_and_never_written)
{
	for (size_t i = 0; i < sizeof(strangers) / sizeof(*strangers); i++) {
		struct stat before, after;
		struct store *store;
		struct folder f;

		folder_open(&f);
		cr_assert_eq(store_open(&store, f.db, STORE_WRITE), 0);
		store_close(store);
		patch(f.db, strangers[i].at, strangers[i].bytes, 4);
		cr_assert_eq(stat(f.db, &before), 0);
		cr_expect_eq(store_open(&store, f.db, STORE_WRITE), -1, "%s", strangers[i].what);
		cr_expect_not_null(strstr(error_text(), strangers[i].says), "%s: %s",
				   strangers[i].what, error_text());
		cr_expect_not_null(strstr(error_text(), f.db), "names no file: %s", error_text());
		cr_expect_eq(store_open(&store, f.db, STORE_READ), -1, "%s", strangers[i].what);
		cr_assert_eq(stat(f.db, &after), 0);
		cr_expect_eq(before.st_size, after.st_size);
		cr_expect_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
		folder_close(&f);
	}
}

Test(store, a_folder_is_no_database)
{
	struct store *store;

	cr_expect_eq(store_open(&store, "/tmp", STORE_WRITE), -1);
	cr_expect_not_null(strstr(error_text(), "is not a file"));
}

/* ---- imports ---- */

Test(store, known_bytes_are_kept_once)
{
	struct source_info info = { .path = "q", .run_name = "copy", .hash = "h1" };
	struct store *store = memory_store();
	struct point_sink sink = store_sink(store);
	struct run_list runs;
	int64_t known = 0;

	add_import(store, "one", "h1");
	cr_assert_eq(store_begin_import(store), 0);
	cr_assert_eq(store_begin_source(store, &info), 0);
	cr_assert_eq(sink.run_begin(sink.context, 1), 0);
	cr_assert_eq(sink.run_end(sink.context, &whole_run), 0);
	cr_assert_eq(store_end_source(store, &info, &known), 1);
	cr_assert_eq(store_commit(store), 0);
	expect_runs(store, "one");
	cr_assert_eq(store_source_runs(store, known, &runs), 0);
	cr_assert_eq(runs.len, 1);
	cr_expect_str_eq(runs.at[0].name, "one");
	run_list_release(&runs);
	store_close(store);
}

Test(store, a_dropped_source_leaves_the_others)
{
	struct source_info info = { .path = "bad", .run_name = "bad" };
	struct position a = place(0, "a.py", 1);
	struct store *store = memory_store();
	struct point_sink sink = store_sink(store);
	struct point point = plain_point(1, &a, 5);

	cr_assert_eq(store_begin_import(store), 0);
	cr_assert_eq(add_source(store, "one", "h1"), 0);
	cr_assert_eq(store_begin_source(store, &info), 0);
	cr_assert_eq(sink.run_begin(sink.context, 1), 0);
	cr_assert_eq(sink.point(sink.context, &point), 0);
	cr_assert_eq(store_drop_source(store), 0, "%s", error_text());
	cr_assert_eq(add_source(store, "two", "h2"), 0);
	cr_assert_eq(store_commit(store), 0);
	expect_runs(store, "one two");
	store_close(store);
}

Test(store, a_rollback_leaves_nothing)
{
	struct store *store = memory_store();

	add_import(store, "one", "h1");
	cr_assert_eq(store_begin_import(store), 0);
	cr_assert_eq(add_source(store, "two", "h2"), 0);
	store_rollback(store);
	expect_runs(store, "one");
	/* And the next import is a whole one. */
	add_import(store, "three", "h3");
	expect_runs(store, "one three");
	store_close(store);
}

Test(store, names_of_runs_are_distinct)
{
	struct source_info info = { .path = "p", .run_name = "run", .hash = "h3" };
	struct store *store = memory_store();
	struct point_sink sink = store_sink(store);
	int64_t known;

	add_import(store, "run", "h1");
	add_import(store, "run", "h2");
	/* Runs of one log are numbered. */
	cr_assert_eq(store_begin_import(store), 0);
	cr_assert_eq(store_begin_source(store, &info), 0);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(sink.run_begin(sink.context, 1), 0);
		cr_assert_eq(sink.run_end(sink.context, &whole_run), 0);
	}
	cr_assert_eq(store_end_source(store, &info, &known), 0);
	cr_assert_eq(store_commit(store), 0);
	expect_runs(store, "run run~2 run~3 run#2");
	store_close(store);
}

/* ---- runs ---- */

static void expect_found(struct store *store, const char *const *names, size_t n, const char *want)
{
	struct strbuf got = STRBUF_INIT;
	struct run_list runs;

	cr_assert_eq(store_find_runs(store, names, n, &runs), 0, "%s", error_text());
	for (size_t i = 0; i < runs.len; i++)
		strbuf_addf(&got, "%s%s", i ? " " : "", runs.at[i].name);
	cr_expect_str_eq(got.buf, want);
	run_list_release(&runs);
	strbuf_release(&got);
}

Test(store, runs_are_found_by_id_name_and_glob)
{
	struct store *store = memory_store();
	struct run_list runs;

	cr_expect_eq(store_find_runs(store, NULL, 0, &runs), -1);
	cr_expect_not_null(strstr(error_text(), "holds no runs"));
	add_import(store, "alpha", "h1");
	add_import(store, "beta", "h2");
	add_import(store, "betamax", "h3");
	expect_found(store, NULL, 0, "betamax");
	expect_found(store, (const char *[]){ "1" }, 1, "alpha");
	expect_found(store, (const char *[]){ "beta" }, 1, "beta");
	expect_found(store, (const char *[]){ "beta*" }, 1, "beta betamax");
	/* In the order of the database, each once. */
	expect_found(store, (const char *[]){ "beta*", "alpha", "2" }, 3, "alpha beta betamax");
	cr_expect_eq(store_find_runs(store, (const char *[]){ "alpha", "nobody" }, 2, &runs), -1);
	cr_expect_eq(error_kind(), ERROR_USAGE);
	cr_expect_not_null(strstr(error_text(), "'nobody'"));
	store_close(store);
}

Test(store, runs_are_renamed_and_tagged)
{
	struct store *store = memory_store();
	struct run_list runs;

	add_import(store, "a", "h1");
	add_import(store, "b", "h2");
	cr_expect_eq(store_rename_run(store, 1, "b"), -1);
	cr_expect_eq(error_kind(), ERROR_USAGE);
	cr_expect_eq(store_rename_run(store, 1, "c"), 0);
	expect_runs(store, "c b");
	cr_expect_eq(store_tag_run(store, 1, "z", false), 0);
	cr_expect_eq(store_tag_run(store, 1, "y", false), 0);
	cr_expect_eq(store_tag_run(store, 1, "y", false), 0, "twice is once");
	cr_assert_eq(store_all_runs(store, &runs), 0);
	cr_expect_str_eq(runs.at[0].tags, "y,z");
	cr_expect_null(runs.at[1].tags);
	cr_expect_eq(runs.at[0].points, 2);
	cr_expect_eq(runs.at[0].notes, 1);
	cr_expect_eq(runs.at[0].started, TIME_UNKNOWN);
	run_list_release(&runs);
	cr_expect_eq(store_tag_run(store, 1, "z", true), 0);
	cr_assert_eq(store_all_runs(store, &runs), 0);
	cr_expect_str_eq(runs.at[0].tags, "y");
	run_list_release(&runs);
	store_close(store);
}
