#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "store/store.h"

/* What was written by hand is read as series. */

static struct store *begin(struct point_sink *sink)
{
	struct source_info info = { .path = "run.txt", .run_name = "run", .hash = "h" };
	struct store *store;

	cr_assert_eq(store_open(&store, ":memory:", STORE_WRITE), 0, "%s", error_text());
	cr_assert_eq(store_begin_import(store), 0);
	cr_assert_eq(store_begin_source(store, &info), 0);
	*sink = store_sink(store);
	cr_assert_eq(sink->run_begin(sink->context, 1), 0);
	return store;
}

static void end(struct store *store, const struct point_sink *sink, const struct run_end *run_end)
{
	struct source_info info = { .path = "run.txt", .run_name = "run", .hash = "h" };
	int64_t known;

	cr_assert_eq(sink->run_end(sink->context, run_end), 0, "%s", error_text());
	cr_assert_eq(store_end_source(store, &info, &known), 0, "%s", error_text());
	cr_assert_eq(store_commit(store), 0, "%s", error_text());
}

static void read_run(struct store *store, int64_t run, struct timeline *t)
{
	cr_assert_eq(store_read_timeline(store, run, t), 0, "%s", error_text());
}

static struct point blank(int64_t line)
{
	return (struct point){
		.line = line,
		.time = TIME_UNKNOWN,
		.step = -1,
		.visible = QUANTITY_UNKNOWN,
		.allocated = QUANTITY_UNKNOWN,
		.reserved = QUANTITY_UNKNOWN,
		.quantum = 1,
	};
}

static const struct run_end rows_end = {
	.dialect = "d", .started = 5 * SECOND, .printed_unit = MIB, .rows = true,
};

Test(timeline, series_have_a_value_a_point)
{
	struct position a = { .index = 0, .file = "a.py", .code_line = 7, .function = "f" };
	struct position b = { .index = 1, .label = "epoch #" };
	struct point first = blank(3), second = blank(9);
	struct point_sink sink;
	struct timeline t;
	struct store *store = begin(&sink);

	first.position = &a;
	first.time = 10 * SECOND;
	first.visible = 4;
	first.quantum = 100;
	second.position = &b;
	second.allocated = 600;
	cr_assert_eq(sink.point(sink.context, &first), 0);
	cr_assert_eq(sink.point(sink.context, &second), 0);
	end(store, &sink, &rows_end);
	read_run(store, 1, &t);
	cr_expect_str_eq(t.name, "run");
	cr_expect_str_eq(t.source, "run.txt");
	cr_expect_str_eq(t.dialect, "d");
	cr_expect_not(t.damaged);
	cr_assert_eq(t.points, 2);
	cr_expect_eq(t.line[1], 9);
	cr_expect_eq(t.time[0], 10 * SECOND);
	cr_expect_eq(t.time[1], TIME_UNKNOWN);
	cr_expect_eq(t.level[LEVEL_VISIBLE].value[0], 4);
	cr_expect_eq(t.level[LEVEL_VISIBLE].value[1], QUANTITY_UNKNOWN);
	cr_expect_eq(t.level[LEVEL_VISIBLE].quantum, 1, "summed from rows: exact");
	cr_expect_eq(t.level[LEVEL_ALLOCATED].value[1], 600);
	cr_expect_eq(t.level[LEVEL_ALLOCATED].quantum, 100);
	cr_expect_null(t.level[LEVEL_RESERVED].value);
	cr_expect_eq(t.site[t.position[0]].code_line, 7);
	cr_expect_str_eq(t.site[t.position[0]].function, "f");
	cr_expect_str_eq(t.site[t.position[1]].label, "epoch #");
	cr_expect_eq(t.capacity, QUANTITY_UNKNOWN);
	timeline_release(&t);
	store_close(store);
}

/* A label may give way to none of its places: those have indexes, but no point. */
Test(timeline, places_without_a_point_leave_a_hole)
{
	struct position a = { .index = 0, .label = "a" }, b = { .index = 2, .label = "b" },
			c = { .index = 5, .label = "c" };
	const struct position *all[] = { &a, &b, &c };
	struct point_sink sink;
	struct timeline t;
	struct store *store = begin(&sink);

	for (int i = 0; i < 3; i++) {
		struct point p = blank(i + 1);

		p.position = all[i];
		cr_assert_eq(sink.point(sink.context, &p), 0);
	}
	end(store, &sink, &rows_end);
	read_run(store, 1, &t);
	for (int i = 0; i < 3; i++) {
		cr_assert_lt((size_t)t.position[i], t.sites);
		cr_expect_str_eq(t.site[t.position[i]].label, all[i]->label);
	}
	timeline_release(&t);
	store_close(store);
}

static struct tensor tensor_of(size_t index, const char *class_name, const char *shape, int64_t numel)
{
	return (struct tensor){ index, class_name, shape, "torch.float32", numel, 4 };
}

Test(timeline, counts_are_joint_over_classes)
{
	struct tensor parameter = tensor_of(0, "torch.nn.parameter.Parameter", "(3,)", 3);
	struct tensor plain = tensor_of(1, "torch.Tensor", "(3,)", 3);
	struct tensor other = tensor_of(3, "torch.Tensor", "(5,)", 5);
	/* 7 parameters; a tensor comes and both say 8; the parameters go and 1 is left. */
	struct change first[] = { { &parameter, 7, 1 } };
	struct change second[] = { { &parameter, 8, 3 }, { &plain, 8, 4 }, { &other, 1, 5 } };
	struct change third[] = { { &parameter, 0, 7 }, { &plain, 1, 8 } };
	struct point p[3] = { blank(2), blank(6), blank(9) };
	const struct tensor_row *row;
	struct point_sink sink;
	struct timeline t;
	struct store *store = begin(&sink);

	p[0].changes = first;
	p[0].nchanges = 1;
	p[1].changes = second;
	p[1].nchanges = 3;
	p[2].changes = third;
	p[2].nchanges = 2;
	for (int i = 0; i < 3; i++)
		cr_assert_eq(sink.point(sink.context, &p[i]), 0);
	end(store, &sink, &rows_end);
	read_run(store, 1, &t);
	cr_assert_eq(t.rows, 2, "one row a shape and dtype");
	row = &t.row[0];
	cr_expect_str_eq(row->shape, "(3,)");
	cr_expect_str_eq(row->class_name, "torch.nn.parameter.Parameter");
	cr_expect(row->parameter);
	cr_expect_eq(row->numel, 3);
	cr_assert_eq(row->nchanges, 3);
	cr_expect_eq(row->change[0].count, 7);
	cr_expect_eq(row->change[1].count, 8);
	cr_expect_eq(row->change[1].point, 1);
	cr_expect(row->change[1].line == 3 || row->change[1].line == 4, "a row of either class");
	cr_expect_eq(row->change[2].count, 1);
	cr_expect_eq(t.row[1].nchanges, 1);
	cr_expect_eq(t.row[1].change[0].count, 1);
	cr_expect_not(t.row[1].parameter);
	timeline_release(&t);
	store_close(store);
}

Test(timeline, devices_and_processes_are_subjects)
{
	struct device gpu = { .index = 0, .number = 1, .uuid = "GPU-1", .name = "H200", .total = 1000 };
	struct process job = { .index = 0, .pid = 42, .name = "python" };
	struct sample first[] = {
		{ .device = &gpu, .line = 1, .time = TIME_UNKNOWN, .used = 700, .total = 1000,
		  .free = 300, .reserved = QUANTITY_UNKNOWN, .quantum = 10 },
		{ .device = &gpu, .process = &job, .line = 2, .time = TIME_UNKNOWN, .used = 600,
		  .total = QUANTITY_UNKNOWN, .free = QUANTITY_UNKNOWN,
		  .reserved = QUANTITY_UNKNOWN, .quantum = 10 },
	};
	struct point p[2] = { blank(1), blank(3) };
	struct point_sink sink;
	struct timeline t;
	struct store *store = begin(&sink);

	p[0].samples = first;
	p[0].nsamples = 2;
	p[1].samples = first;
	p[1].nsamples = 1;
	for (int i = 0; i < 2; i++)
		cr_assert_eq(sink.point(sink.context, &p[i]), 0);
	end(store, &sink, &(struct run_end){ .dialect = "d", .started = TIME_UNKNOWN });
	read_run(store, 1, &t);
	cr_assert_eq(t.subjects, 2);
	cr_expect_not(t.subject[0].is_process);
	cr_expect_eq(t.subject[0].device, 1);
	cr_expect_str_eq(t.subject[0].uuid, "GPU-1");
	cr_expect_eq(t.subject[0].total, 1000);
	cr_expect_eq(t.subject[0].used.value[1], 700);
	cr_expect_eq(t.subject[0].used.quantum, 10);
	cr_expect(t.subject[1].is_process);
	cr_expect_eq(t.subject[1].pid, 42);
	cr_expect_str_eq(t.subject[1].process, "python");
	cr_expect_eq(t.subject[1].used.value[0], 600);
	cr_expect_eq(t.subject[1].used.value[1], QUANTITY_UNKNOWN, "a gap is no zero");
	/* The only device is the run's, and its size the capacity. */
	cr_expect_eq(t.level[LEVEL_DEVICE].value[0], 700);
	cr_expect_eq(t.capacity, 1000);
	timeline_release(&t);
	store_close(store);
}

static int collect_note(void *context, const struct note *note)
{
	strbuf_addf(context, "%d:%s:%s;", (int)note->line, note->code, note->text);
	return 0;
}

Test(timeline, events_and_notes_come_by_line)
{
	struct event oom = { .line = 8, .time = TIME_UNKNOWN, .code = "out-of-memory",
			     .text = "CUDA out of memory", .device = 0, .pid = -1,
			     .requested = 5, .capacity = 1000, .limit = QUANTITY_UNKNOWN,
			     .free = QUANTITY_UNKNOWN, .allocated = QUANTITY_UNKNOWN,
			     .reserved = QUANTITY_UNKNOWN, .process_used = QUANTITY_UNKNOWN };
	struct strbuf notes = STRBUF_INIT;
	struct point p = blank(2);
	struct point_sink sink;
	struct timeline t;
	struct store *store = begin(&sink);

	cr_assert_eq(sink.point(sink.context, &p), 0);
	cr_assert_eq(sink.note(sink.context, &(struct note){ 7, "b", "later" }), 0);
	cr_assert_eq(sink.note(sink.context, &(struct note){ 3, "a", "earlier" }), 0);
	cr_assert_eq(sink.event(sink.context, &oom), 0);
	end(store, &sink,
	    &(struct run_end){ .dialect = "d", .started = TIME_UNKNOWN, .damage = "broken" });
	read_run(store, 1, &t);
	cr_expect(t.damaged);
	cr_expect_str_eq(t.damage, "broken");
	cr_assert_eq(t.events, 1);
	cr_expect_eq(t.event[0].point, 0, "after the first point");
	cr_expect_eq(t.event[0].line, 8);
	cr_expect_str_eq(t.event[0].code, "out-of-memory");
	cr_expect_eq(t.event[0].requested, 5);
	cr_expect_eq(t.capacity, 1000);
	cr_assert_eq(store_read_notes(store, 1, collect_note, &notes), 0);
	cr_expect_str_eq(notes.buf, "3:a:earlier;7:b:later;");
	strbuf_release(&notes);
	timeline_release(&t);
	store_close(store);
}

/* ---- removing and asking ---- */

static int take_row(void *context, const struct query_value *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(context, "%lld ", (long long)values[i].number);
	return 0;
}

static int take_columns(void *context, const char *const *names, size_t n)
{
	(void)context;
	(void)names;
	return n ? 0 : -1;
}

static int ask(struct store *store, struct strbuf *out, const char *sql)
{
	struct query_sink sink = { out, take_columns, take_row };

	strbuf_clear(out);
	return store_query(store, sql, 30, &sink);
}

Test(timeline, a_removed_run_leaves_no_row)
{
	static const char *const tables[] = { "run",    "source", "point", "change",
					      "sample", "tensor", "note",  "position" };
	struct tensor tensor = tensor_of(0, NULL, "(3,)", 3);
	struct position a = { .index = 0, .file = "a.py" };
	struct change change = { &tensor, 1, 1 };
	struct strbuf got = STRBUF_INIT, sql = STRBUF_INIT;
	struct point p = blank(2);
	struct point_sink sink;
	struct store *store = begin(&sink);

	p.position = &a;
	p.changes = &change;
	p.nchanges = 1;
	cr_assert_eq(sink.point(sink.context, &p), 0);
	cr_assert_eq(sink.note(sink.context, &(struct note){ 7, "b", "later" }), 0);
	end(store, &sink, &rows_end);
	cr_assert_eq(ask(store, &got, "SELECT count(*), sum(bytes) FROM tensor_changes"), 0, "%s",
		     error_text());
	cr_expect_str_eq(got.buf, "1 12 ");
	cr_assert_eq(store_remove_run(store, 1), 0, "%s", error_text());
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		strbuf_clear(&sql);
		strbuf_addf(&sql, "SELECT count(*) FROM %s", tables[i]);
		cr_assert_eq(ask(store, &got, sql.buf), 0, "%s", error_text());
		cr_expect_str_eq(got.buf, "0 ", "%s", tables[i]);
	}
	strbuf_release(&sql);
	strbuf_release(&got);
	store_close(store);
}

static const char *const forbidden[] = {
	"DELETE FROM run",
	"INSERT INTO tag VALUES (1, 'x')",
	"UPDATE run SET name = 'x'",
	"DROP TABLE run",
	"CREATE TABLE t(x)",
	"ATTACH ':memory:' AS other",
	"PRAGMA user_version = 9",
	"PRAGMA writable_schema = 1",
	"SELECT load_extension('x')",
	"VACUUM INTO '/tmp/memlog-test-must-not-exist'",
	"WITH x AS (SELECT 1) DELETE FROM run",
	"SELECT 1; DELETE FROM run",
	"BEGIN",
	"",
	"   -- only a comment",
	"SELEC",
};

Test(timeline, queries_only_read)
{
	struct strbuf got = STRBUF_INIT;
	struct point_sink sink;
	struct store *store = begin(&sink);

	end(store, &sink, &rows_end);
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(*forbidden); i++) {
		cr_expect_eq(ask(store, &got, forbidden[i]), -1, "%s", forbidden[i]);
		cr_expect_eq(error_kind(), ERROR_USAGE, "%s", forbidden[i]);
		cr_expect_eq(ask(store, &got, "SELECT count(*) FROM runs"), 0);
		cr_expect_str_eq(got.buf, "1 ", "%s", forbidden[i]);
	}
	cr_expect_eq(ask(store, &got, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
				      "WHERE i < 3) SELECT i FROM n ORDER BY i; "),
		     0, "%s", error_text());
	cr_expect_str_eq(got.buf, "1 2 3 ");
	strbuf_release(&got);
	store_close(store);
}
