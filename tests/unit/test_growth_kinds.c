/*
 * Ways in which programs grow and stop growing, as exact counts show them: leaks that begin late or come
 * now and then, buffers that fill, lists that go with their loop.
 */
#include "detector_run.h"

/* (64, 10) float32: 2,560 bytes a tensor. */
static int start_row(struct run *r)
{
	start(r);
	return build_row(&r->b, "(64, 10)", "torch.Tensor");
}

/* Nothing for 50 iterations, then one more at each of 70; near miss: at the last four of 120. */
Test(growth_kinds, a_leak_that_begins_late)
{
	struct run r;
	int row = start_row(&r);

	for (int i = 1; i <= 120; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i > 50 ? i - 50 : 0);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].bytes_per_iteration, 2560);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

Test(growth_kinds, a_rise_at_the_very_end_is_no_leak)
{
	struct run r;
	int row = start_row(&r);

	for (int i = 1; i <= 120; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i > 116 ? i - 115 : 1);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_neq(r.a.verdict, VERDICT_LEAK);
	analysis_release(&r.a);
	build_release(&r.b);
}

/* One more at every 10th of 60 iterations: no seven blocks of them rise.  2560 / 10 = 256 each. */
Test(growth_kinds, a_leak_now_and_then)
{
	struct run r;
	int row = start_row(&r);

	for (int i = 1; i <= 60; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, 1 + (i - 1) / 10);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].bytes_per_iteration, 256);
	cr_assert_str_eq(r.a.finding[0].detail, "1 more every 10 iterations");
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Near miss: better and better models are kept, ever more rarely: at the 1st, 2nd, 4th, … 64th. */
Test(growth_kinds, ever_rarer_rises_are_no_leak)
{
	struct run r;
	int row = start_row(&r), count = 0;

	for (int i = 1; i <= 100; i++) {
		build_point(&r.b, r.site);
		count += (i & (i - 1)) == 0;
		build_count(&r.b, row, count);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_neq(r.a.verdict, VERDICT_LEAK);
	analysis_release(&r.a);
	build_release(&r.b);
}

/* A buffer of 50: full for ten iterations it is at rest, for three it is in doubt, else a leak. */
Test(growth_kinds, a_buffer_that_is_full)
{
	static const struct {
		int iterations;
		enum verdict verdict;
	} cases[] = { { 60, VERDICT_CLEAN }, { 53, VERDICT_SUSPECT }, { 50, VERDICT_LEAK } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct run r;
		int row = start_row(&r);

		for (int i = 1; i <= cases[c].iterations; i++) {
			build_point(&r.b, r.site);
			build_count(&r.b, row, i < 50 ? i : 50);
		}
		judge(&r, QUANTITY_UNKNOWN);
		if (cases[c].verdict == VERDICT_CLEAN)
			cr_assert_eq(r.a.growth[GROWTH_VISIBLE].estimate, 0);
		finish(&r, cases[c].verdict,
		       cases[c].verdict == VERDICT_CLEAN ? "plateau" : "tensor-count");
	}
}

/* A scalar at each iteration and a matrix of 1 MiB at each fifth: two causes, the matrix first. */
Test(growth_kinds, two_leaks_are_two_findings)
{
	struct run r;
	int scalar, matrix;

	start(&r);
	scalar = build_row(&r.b, "()", "torch.Tensor");
	matrix = build_row(&r.b, "(512, 512)", "torch.Tensor");
	for (int i = 1; i <= 60; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, scalar, i);
		build_count(&r.b, matrix, i / 5);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.findings, 2);
	cr_assert_str_eq(r.a.finding[0].row[0].shape, "(512, 512)");
	cr_assert_float_eq(r.a.finding[0].bytes_per_iteration, (double)mib / 5, 1);
	cr_assert_str_eq(r.a.finding[1].row[0].shape, "()");
	cr_assert(strstr(r.a.finding[1].advice, ".item()"));
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Near miss: two rows of one output, of which one comes twice: one finding. */
Test(growth_kinds, rows_in_step_are_one_finding)
{
	struct run r;
	int a, b;

	start(&r);
	a = build_row(&r.b, "(64, 10)", "torch.Tensor");
	b = build_row(&r.b, "(64,)", "torch.Tensor");
	for (int i = 1; i <= 60; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, a, i);
		build_count(&r.b, b, 2 * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.findings, 1);
	cr_assert_eq(r.a.finding[0].rows, 2);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* 30 kept while a first loop runs, then all freed, and `after` points of another loop. */
static void free_after_loop(struct run *r, int left, int after)
{
	int row, other;

	start(r);
	row = build_row(&r->b, "()", "torch.Tensor");
	other = build_site(&r->b, "train.py", 40);
	for (int i = 1; i <= 30; i++) {
		build_point(&r->b, r->site);
		build_count(&r->b, row, i);
	}
	for (int i = 0; i < after; i++) {
		build_point(&r->b, other);
		build_count(&r->b, row, left);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(growth_kinds, what_a_loop_frees_is_no_leak)
{
	struct run r;

	free_after_loop(&r, 0, 80);
	finish(&r, VERDICT_CLEAN, "sawtooth");
	/* the run ends with the loop: it grew as long as it could */
	free_after_loop(&r, 0, 1);
	cr_assert(strstr(r.a.finding[0].detail, "freed after the loop, at log line 31"), "%s",
		  r.a.finding[0].detail);
	finish(&r, VERDICT_SUSPECT, "tensor-count");
	/* near miss: it stays */
	free_after_loop(&r, 30, 80);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Three epochs of 20 steps, one tensor more after each: too few for a leak, and not clean. */
static void run_epochs(struct run *r, const int *count, int epochs)
{
	int row = start_row(r), end = build_site(&r->b, "train.py", 60);

	for (int e = 0; e < epochs; e++) {
		for (int i = 0; i < 20; i++)
			build_point(&r->b, r->site);
		build_point(&r->b, end);
		build_count(&r->b, row, count[e]);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(growth_kinds, three_epochs_raise_a_suspicion)
{
	struct run r;

	run_epochs(&r, (const int[]){ 1, 2, 3 }, 3);
	cr_assert_str_eq(r.a.finding[0].unit, "outer iteration");
	finish(&r, VERDICT_SUSPECT, "tensor-count");
	/* near miss: made once */
	run_epochs(&r, (const int[]){ 1, 1, 1 }, 3);
	finish(&r, VERDICT_CLEAN, NULL);
}

/* Validation between epochs uses more, and gives it back. */
Test(growth_kinds, a_clean_validation_loop)
{
	struct run r;
	int row = start_row(&r), validate = build_site(&r.b, "train.py", 70);
	int epoch = build_site(&r.b, "train.py", 80);

	for (int e = 0; e < 6; e++) {
		for (int i = 0; i < 20; i++) {
			build_point(&r.b, r.site);
			build_count(&r.b, row, 1);
		}
		for (int i = 0; i < 5; i++) {
			build_point(&r.b, validate);
			build_count(&r.b, row, 3);
		}
		build_point(&r.b, epoch);
		build_count(&r.b, row, 1);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, NULL);
}

/* A cache of 24 tensors (1, 8, length, 64), 3 longer at each: 24 · 8 · 3 · 64 · 4 = 147,456 bytes. */
Test(growth_kinds, a_cache_counts_all_its_tensors)
{
	static char shape[60][32];
	int row[60];
	struct run r;

	start(&r);
	for (int i = 0; i < 60; i++) {
		snprintf(shape[i], sizeof(shape[i]), "(1, 8, %d, 64)", 3 * (i + 1));
		row[i] = build_row(&r.b, shape[i], "torch.Tensor");
	}
	for (int i = 0; i < 60; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row[i], 24);
		if (i)
			build_count(&r.b, row[i - 1], 0);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].bytes_per_iteration, 147456);
	finish(&r, VERDICT_LEAK, "tensor-size");
}

/* 8 KiB an iteration in a level printed in tenths of a MiB: four steps in 50 iterations. */
static void climb(struct run *r, int from, int to)
{
	int64_t tenth = (mib + 5) / 10;

	start(r);
	r->b.quantum = tenth;
	for (int i = 0; i < 50; i++) {
		int64_t bytes = 5 * mib + 8192 * (i < from ? 0 : i < to ? i - from : to - from);

		build_point(&r->b, r->site);
		build_level(&r->b, LEVEL_ALLOCATED, (bytes + tenth / 2) / tenth * tenth);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(growth_kinds, a_staircase_is_suspect)
{
	struct run r;

	climb(&r, 0, 50);
	cr_assert(r.a.finding[0].low < 8192 && r.a.finding[0].high > 8192);
	finish(&r, VERDICT_SUSPECT, "hidden");
	/* near miss: one step of it */
	climb(&r, 10, 20);
	finish(&r, VERDICT_CLEAN, NULL);
}

/* Outputs of varying batches are kept; some sizes come again, and no size makes a finding of its own. */
Test(growth_kinds, batches_that_vary_are_one_family)
{
	static char shape[65][32];
	int row[65], count[65] = { 0 };
	struct run r;

	start(&r);
	for (int k = 1; k <= 64; k++) {
		snprintf(shape[k], sizeof(shape[k]), "(%d, 10)", k);
		row[k] = build_row(&r.b, shape[k], "torch.Tensor");
	}
	for (int i = 0; i < 60; i++) {
		int size = 1 + (i * i + 7 * i) % 53;

		build_point(&r.b, r.site);
		build_count(&r.b, row[size], ++count[size]);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.findings, 1);
	cr_assert_str_eq(r.a.finding[0].row[0].shape, "(*, 10)");
	cr_assert_eq(r.a.finding[0].count_per_iteration, 1);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/*
 * One scalar is kept at each of 8 steps an epoch, none in the 30 steps of evaluation that follow: told
 * of the loop that keeps it.
 */
Test(growth_kinds, the_shorter_loop_is_blamed)
{
	struct run r;
	int row, evaluate, count = 0;

	start(&r);
	row = build_row(&r.b, "()", "torch.Tensor");
	evaluate = build_site(&r.b, "train.py", 70);
	for (int e = 0; e < 6; e++) {
		for (int i = 0; i < 8; i++) {
			build_point(&r.b, r.site);
			build_count(&r.b, row, ++count);
		}
		for (int i = 0; i < 30; i++)
			build_point(&r.b, evaluate);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].site->code_line, 10);
	cr_assert_eq(r.a.finding[0].count_per_iteration, 1);
	finish(&r, VERDICT_LEAK, "tensor-count");
}
