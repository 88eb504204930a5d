/*
 * The detectors of tensors: one positive case and one near miss for each cause.
 */
#include "detector_run.h"

/* A scalar more each time: 4 bytes, count 1 2 3 … 10. */
Test(detectors, tensor_count)
{
	struct run r;
	int row;

	start(&r);
	row = build_row(&r.b, "()", "torch.Tensor");
	for (int i = 1; i <= 10; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i);
		build_level(&r.b, LEVEL_ALLOCATED, 100 * mib + 512 * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].count_per_iteration, 1);
	cr_assert_eq(r.a.finding[0].bytes_per_iteration, 4);
	cr_assert_eq(r.a.finding[0].row[0].history[9], 10);
	cr_assert_eq(r.a.growth[GROWTH_ALLOCATED].estimate, 512);
	cr_assert(strstr(r.a.finding[0].advice, ".item()"));
	cr_assert(strstr(r.a.finding[0].advice, "train.py:10"));
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* One kept every third time, among a row that comes and goes: 10 rises in 30 iterations. */
Test(detectors, tensor_count_now_and_then)
{
	struct run r;
	int row, batch;

	start(&r);
	row = build_row(&r.b, "(512,)", "torch.Tensor");
	batch = build_row(&r.b, "(64, 10)", "torch.Tensor");
	for (int i = 0; i < 30; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, 1 + i / 3);
		build_count(&r.b, batch, 1 + (i * 7) % 3);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_float_eq(r.a.finding[0].count_per_iteration, 1.0 / 3, 1e-9);
	cr_assert_eq(r.a.finding[0].rows, 1);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Near miss: a list bounded to 12 entries. */
Test(detectors, plateau_is_no_tensor_count)
{
	struct run r;
	int row;

	start(&r);
	row = build_row(&r.b, "(64, 3, 64, 64)", "torch.Tensor");
	for (int i = 1; i <= 40; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i < 12 ? i : 12);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, "plateau");
}

/* (128, 10), (256, 10), …: 128 × 10 × 4 = 5,120 bytes an iteration. */
Test(detectors, tensor_size)
{
	static char shape[20][32];
	struct run r;
	int row[20];

	start(&r);
	for (int i = 0; i < 20; i++) {
		snprintf(shape[i], sizeof(shape[i]), "(%d, 10)", 128 * (i + 1));
		row[i] = build_row(&r.b, shape[i], "torch.Tensor");
	}
	for (int i = 0; i < 20; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row[i], 1);
		if (i > 0)
			build_count(&r.b, row[i - 1], 0);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].bytes_per_iteration, 5120);
	cr_assert_str_eq(r.a.finding[0].row[0].shape, "(*, 10)");
	cr_assert_eq(r.a.finding[0].row[0].history[19], 2560);
	finish(&r, VERDICT_LEAK, "tensor-size");
}

/* Near miss: the length varies, up and down. */
Test(detectors, varying_size_is_no_tensor_size)
{
	static char shape[10][32];
	struct run r;
	int row[10];

	start(&r);
	for (int i = 0; i < 10; i++) {
		snprintf(shape[i], sizeof(shape[i]), "(%d, 10)", 128 * (i + 1));
		row[i] = build_row(&r.b, shape[i], "torch.Tensor");
	}
	for (int i = 0; i < 40; i++) {
		build_point(&r.b, r.site);
		for (int k = 0; k < 10; k++)
			build_count(&r.b, row[k], k == i * 7 % 10);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, NULL);
}

/* Kept tensors of lengths that never come again: no row grows, the family does. */
Test(detectors, kept_tensors_of_varying_length)
{
	static char shape[30][32];
	struct run r;

	start(&r);
	for (int i = 0; i < 30; i++) {
		snprintf(shape[i], sizeof(shape[i]), "(1, %d, 64)", 10 + (i * 17) % 31);
		build_row(&r.b, shape[i], "torch.Tensor");
	}
	for (int i = 0; i < 30; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, i, 1);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].count_per_iteration, 1);
	cr_assert_str_eq(r.a.finding[0].row[0].shape, "(1, *, 64)");
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Three shapes of intermediates and the outputs; 10 is no layer's input, so (64, 10) is the handle.
 */
Test(detectors, graph_retained)
{
	static const char *const shape[] = { "(64, 32, 64, 64)", "(64, 64, 32, 32)", "(64, 256)",
					     "(64, 10)" };
	struct run r;
	int row[4], weight;

	start(&r);
	weight = build_row(&r.b, "(10, 256)", "torch.nn.parameter.Parameter");
	for (int k = 0; k < 4; k++)
		row[k] = build_row(&r.b, shape[k], "torch.Tensor");
	for (int i = 1; i <= 10; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, weight, 1);
		for (int k = 0; k < 4; k++)
			build_count(&r.b, row[k], k < 2 ? 2 * i : i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.findings, 1, "one finding a cause");
	cr_assert_eq(r.a.finding[0].rows, 4);
	cr_assert_str_eq(r.a.finding[0].row[0].shape, shape[0], "most bytes first");
	cr_assert_str_eq(r.a.finding[0].handle->shape, "(64, 10)");
	cr_assert(strstr(r.a.finding[0].advice, "no_grad"));
	finish(&r, VERDICT_LEAK, "graph-retained");
}

/* One row of 3 MiB grows and 300 MiB of hidden memory with it. */
Test(detectors, graph_retained_behind_one_row)
{
	struct run r;
	int row;

	start(&r);
	row = build_row(&r.b, "(1, 768, 32, 32)", "torch.Tensor");
	for (int i = 1; i <= 6; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i);
		build_level(&r.b, LEVEL_ALLOCATED, 1000 * mib + 303 * mib * i);
	}
	judge(&r, 24 * 1024 * mib);
	cr_assert_eq(r.a.finding[0].bytes_per_iteration, 303 * mib);
	cr_assert(r.a.forecast.in_sight);
	cr_assert_eq(r.a.forecast.left, (24 * 1024 - 1000 - 6 * 303) / 303);
	finish(&r, VERDICT_LEAK, "graph-retained");
}

/* Near miss: two rows in step, nothing hidden: pairs are kept, no graph. */
Test(detectors, pairs_are_no_graph)
{
	struct run r;
	int x, y;

	start(&r);
	x = build_row(&r.b, "(64, 3, 32, 32)", "torch.Tensor");
	y = build_row_of(&r.b, "(64,)", "torch.Tensor", "torch.int64");
	for (int i = 1; i <= 10; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, x, i);
		build_count(&r.b, y, i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_null(find(&r, "graph-retained"));
	cr_assert_eq(r.a.finding[0].rows, 2);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Weights, gradients and two moments: 4 of each parameter shape a pass; (256,) has a buffer too. */
static void train_models(struct run *r, bool keep)
{
	static const char *const shape[] = { "(256, 1024)", "(10, 256)", "(256,)" };
	int row[3];

	start(r);
	for (int k = 0; k < 3; k++)
		row[k] = build_row(&r->b, shape[k], "torch.nn.parameter.Parameter");
	for (int i = 0; i < 8; i++) {
		build_point(&r->b, r->site);
		for (int k = 0; k < 3; k++)
			build_count(&r->b, row[k], keep ? 4 * (i + 1) + (k == 2) : 4);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(detectors, model_copies)
{
	struct run r;

	train_models(&r, true);
	cr_assert_eq(r.a.finding[0].rows, 3);
	cr_assert(strstr(r.a.finding[0].advice, "gc.collect()"));
	finish(&r, VERDICT_LEAK, "model-copies");
}

Test(detectors, models_that_are_freed)
{
	struct run r;

	train_models(&r, false);
	finish(&r, VERDICT_CLEAN, NULL);
}
