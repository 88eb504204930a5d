#include <criterion/criterion.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "store/store.h"

/*
 * A run too long to be held whole is folded while it is read.  The log here: an outer loop of ROUNDS
 * rounds of STEPS steps; a tensor of 512 bytes is kept at each step; allocated rises by 512 a step,
 * and dips and peaks by a megabyte between the steps of a round.
 */
enum { ROUNDS = 400, STEPS = 100, KEPT = 512, SWING = 1 << 20, BASE = 1 << 28 };

static const struct position step = { .index = 0, .file = "a.py", .code_line = 5, .function = "f" };
static const struct position outer = { .index = 1, .file = "a.py", .code_line = 9, .function = "f" };
static const struct tensor kept = {
	.index = 0, .class_name = "torch.Tensor", .shape = "(128,)", .dtype = "torch.float32", .numel = 128, .itemsize = 4
};

static int64_t allocated_at(int64_t n)
{
	int64_t swing = n % STEPS == 50 ? SWING : n % STEPS == 70 ? -SWING : 0;

	return BASE + n * KEPT + swing;
}

static void send(const struct point_sink *sink, int64_t line, const struct position *position, int64_t n)
{
	struct change change = { &kept, n, line };
	struct point p = {
		.line = line,
		.time = TIME_UNKNOWN,
		.position = position,
		.step = -1,
		.visible = n * KEPT,
		.allocated = allocated_at(n),
		.reserved = QUANTITY_UNKNOWN,
		.quantum = 1,
		.changes = &change,
		.nchanges = position == &step,
	};

	cr_assert_eq(sink->point(sink->context, &p), 0);
}

static struct store *long_run(void)
{
	struct source_info info = { .path = "x", .run_name = "x", .hash = "0123456789abcdef0123456789abcdef" };
	struct run_end end = { .dialect = "d", .started = TIME_UNKNOWN, .rows = true };
	struct point_sink sink;
	struct store *store;
	int64_t known, line = 0, n = 0;

	cr_assert_eq(store_open(&store, ":memory:", STORE_WRITE), 0, "%s", error_text());
	cr_assert_eq(store_begin_import(store), 0);
	cr_assert_eq(store_begin_source(store, &info), 0);
	sink = store_sink(store);
	cr_assert_eq(sink.run_begin(sink.context, 1), 0);
	for (int r = 0; r < ROUNDS; r++) {
		for (int s = 0; s < STEPS; s++)
			send(&sink, ++line, &step, ++n);
		send(&sink, ++line, &outer, n);
	}
	cr_assert_eq(sink.run_end(sink.context, &end), 0);
	cr_assert_eq(store_end_source(store, &info, &known), 0);
	cr_assert_eq(store_commit(store), 0);
	return store;
}

Test(fold, keeps_the_ends_the_floors_and_the_peaks)
{
	struct store *store = long_run();
	struct timeline t;
	int64_t lowest = INT64_MAX, highest = 0;

	cr_assert_eq(store_read_timeline(store, 1, &t), 0);
	cr_assert_eq(t.logged_points, ROUNDS * (STEPS + 1));
	/* 40,400 points: three visits of the step become one, 40,000 / 3; the 400 rounds stay. */
	cr_assert_eq(t.site[0].fold, 3);
	cr_assert_eq(t.site[1].fold, 1);
	cr_assert_eq(t.points, 40000 / 3 + 1 + ROUNDS);
	for (size_t i = 0; i < t.points; i++) {
		const struct series *a = &t.level[LEVEL_ALLOCATED];

		lowest = a->value[i] < lowest ? a->value[i] : lowest;
		highest = series_peak(a, i) > highest ? series_peak(a, i) : highest;
	}
	/* Step 1 is the lowest but for the first dip, at step 70; the last peak is 50 steps before the end. */
	cr_assert_eq(lowest, BASE + 70 * KEPT - SWING);
	cr_assert_eq(highest, BASE + (ROUNDS * STEPS - 50) * KEPT + SWING);
	/* The last state is exact. */
	cr_assert_eq(t.row[0].change[t.row[0].nchanges - 1].count, ROUNDS * STEPS);
	cr_assert_eq(t.level[LEVEL_VISIBLE].value[t.points - 1], ROUNDS * STEPS * KEPT);
	timeline_release(&t);
	store_close(store);
}

Test(fold, tells_rates_of_the_log_and_not_of_the_folded_run)
{
	struct store *store = long_run();
	struct analysis analysis;
	struct timeline t;

	cr_assert_eq(store_read_timeline(store, 1, &t), 0);
	analyse(&analysis, &t, &ANALYSIS_OPTIONS_DEFAULT);
	cr_assert_eq(analysis.verdict, VERDICT_LEAK);
	cr_assert_gt(analysis.findings, 0);
	cr_assert_float_eq(analysis.finding[0].bytes_per_iteration, KEPT, 0.5);
	cr_assert_float_eq(analysis.finding[0].count_per_iteration, 1, 0.001);
	cr_assert_eq(analysis.finding[0].last, ROUNDS * STEPS);
	cr_assert_eq(analysis.iterations, ROUNDS * STEPS);
	cr_assert_eq(analysis.finding[0].site->code_line, 5);
	analysis_release(&analysis);
	timeline_release(&t);
	store_close(store);
}
