/*
 * The detectors of levels and the notes: one positive case and one near miss for each cause.
 */
#include "detector_run.h"

/* Visible stays at 4 MiB while allocated grows by 2 MiB; near miss: it grows once. */
static void hide(struct run *r, bool grows)
{
	int row;

	start(r);
	row = build_row(&r->b, "(1024, 1024)", "torch.Tensor");
	for (int i = 0; i < 20; i++) {
		build_point(&r->b, r->site);
		build_count(&r->b, row, 1);
		build_level(&r->b, LEVEL_ALLOCATED, 50 * mib + 2 * mib * (grows ? i : i > 8));
	}
	judge(r, 1000 * mib);
}

Test(detectors_levels, hidden)
{
	struct run r;

	hide(&r, true);
	cr_assert_eq(r.a.growth[GROWTH_HIDDEN].estimate, 2 * mib);
	cr_assert_eq(r.a.growth[GROWTH_VISIBLE].estimate, 0);
	cr_assert_eq(r.a.forecast.left, (1000 - 50 - 38) / 2);
	finish(&r, VERDICT_LEAK, "hidden");
}

Test(detectors_levels, one_step_is_not_hidden_growth)
{
	struct run r;

	hide(&r, false);
	cr_assert_not(r.a.forecast.in_sight);
	cr_assert(r.a.smallest > 0 && r.a.smallest < mib);
	finish(&r, VERDICT_CLEAN, "step");
}

/* The process grows by 3 MiB while the allocator keeps what it has; near miss: both grow. */
static void grow_outside(struct run *r, bool reserved_too)
{
	start(r);
	for (int i = 0; i < 20; i++) {
		build_point(&r->b, r->site);
		build_level(&r->b, LEVEL_ALLOCATED, 50 * mib + (reserved_too ? 3 * mib * i : 0));
		build_level(&r->b, LEVEL_RESERVED, 90 * mib + (reserved_too ? 3 * mib * i : 0));
		build_level(&r->b, LEVEL_PROCESS, 590 * mib + 3 * mib * i);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(detectors_levels, outside_allocator)
{
	struct run r;

	grow_outside(&r, false);
	cr_assert_eq(r.a.growth[GROWTH_OUTSIDE].estimate, 3 * mib);
	cr_assert_eq(r.a.findings, 1);
	finish(&r, VERDICT_LEAK, "outside-allocator");
}

Test(detectors_levels, growth_inside_is_not_outside)
{
	struct run r;

	grow_outside(&r, true);
	cr_assert_null(find(&r, "outside-allocator"));
	cr_assert_null(find(&r, "process-growth"));
	finish(&r, VERDICT_LEAK, "hidden");
}

/* A monitor's log: process 20 grows by 5 MiB a sample, 10 does not. */
Test(detectors_levels, process_growth)
{
	struct run r;

	start(&r);
	build_subject(&r.b, 0, 0, 10);
	build_subject(&r.b, 1, 0, 20);
	for (int i = 0; i < 12; i++) {
		build_point(&r.b, -1);
		build_used(&r.b, 0, 400 * mib);
		build_used(&r.b, 1, 500 * mib + 5 * mib * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_eq(r.a.finding[0].subject->pid, 20);
	cr_assert_str_eq(r.a.finding[0].unit, "sample");
	finish(&r, VERDICT_LEAK, "process-growth");
}

/* The process's total is all that is known of it: 5 MiB an iteration. */
Test(detectors_levels, process_growth_of_a_level)
{
	struct run r;

	start(&r);
	for (int i = 0; i < 12; i++) {
		build_point(&r.b, r.site);
		build_level(&r.b, LEVEL_PROCESS, 500 * mib + 5 * mib * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_float_eq(find(&r, "process-growth")->bytes_per_iteration, 5.0 * (double)mib, 1);
	finish(&r, VERDICT_LEAK, "process-growth");
}

/* A report without rows: the sum of the tensors grows, and no row can be named. */
Test(detectors_levels, tensors_without_rows)
{
	struct run r;

	start(&r);
	for (int i = 0; i < 12; i++) {
		build_point(&r.b, r.site);
		build_level(&r.b, LEVEL_VISIBLE, 20 * mib + 3 * mib * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_float_eq(find(&r, "tensor-count")->bytes_per_iteration, 3.0 * (double)mib, 1);
	cr_assert_eq(find(&r, "tensor-count")->rows, 0);
	finish(&r, VERDICT_LEAK, "tensor-count");
}

/* Near miss: the run is tracked and healthy; it is another process that grows. */
Test(detectors_levels, other_process)
{
	struct run r;

	start(&r);
	build_subject(&r.b, 0, 0, 10);
	build_subject(&r.b, 1, 0, 20);
	for (int i = 0; i < 12; i++) {
		build_point(&r.b, r.site);
		build_level(&r.b, LEVEL_PROCESS, 400 * mib);
		build_used(&r.b, 0, 400 * mib);
		build_used(&r.b, 1, 500 * mib + 5 * mib * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, "other-process");
}

/* Only the device is known: used grows from the 4th of 24 samples on, after an idle start. */
Test(detectors_levels, device_growth)
{
	struct run r;

	start(&r);
	build_subject(&r.b, 0, 0, -1);
	for (int i = 0; i < 24; i++) {
		build_point(&r.b, -1);
		build_used(&r.b, 0, i < 4 ? 0 : 500 * mib + 10 * mib * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_LEAK, "device-growth");
}

/* Near miss: the log lists the run's tensors, and they do not grow: whose memory it is stays open.
 */
Test(detectors_levels, device_growth_beside_healthy_tensors)
{
	struct run r;
	int row;

	start(&r);
	row = build_row(&r.b, "(1024, 1024)", "torch.Tensor");
	for (int i = 0; i < 20; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, 1);
		build_level(&r.b, LEVEL_DEVICE, 900 * mib + 100 * mib * i);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_not_null(r.a.log_next);
	finish(&r, VERDICT_SUSPECT, "device-growth");
}

/* 3 MiB a step, collected every 9th: the floor stays; near miss: it rises by 1 MiB a tooth. */
static void saw(struct run *r, int64_t rise)
{
	start(r);
	for (int i = 0; i < 72; i++) {
		build_point(&r->b, r->site);
		build_level(&r->b, LEVEL_ALLOCATED, 50 * mib + 3 * mib * (i % 9) + rise * (i / 9));
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(detectors_levels, sawtooth)
{
	struct run r;

	saw(&r, 0);
	cr_assert_eq(r.a.growth[GROWTH_ALLOCATED].estimate, 0);
	finish(&r, VERDICT_CLEAN, "sawtooth");
}

Test(detectors_levels, sawtooth_on_a_rising_floor)
{
	struct run r;

	saw(&r, mib);
	cr_assert_float_eq(r.a.growth[GROWTH_ALLOCATED].estimate, (double)mib / 9, 1);
	finish(&r, VERDICT_LEAK, NULL);
}

/* The allocator holds more and more while what is alive stays; near miss: it stops. */
static void hold(struct run *r, int stop)
{
	start(r);
	for (int i = 0; i < 28; i++) {
		build_point(&r->b, r->site);
		build_level(&r->b, LEVEL_ALLOCATED, 50 * mib);
		build_level(&r->b, LEVEL_RESERVED, 60 * mib + 2 * mib * (i < stop ? i : stop));
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(detectors_levels, fragmentation)
{
	struct run r;

	hold(&r, 28);
	cr_assert(strstr(find(&r, "fragmentation")->advice, "expandable_segments"));
	finish(&r, VERDICT_CLEAN, "fragmentation");
}

Test(detectors_levels, cache)
{
	struct run r;

	hold(&r, 12);
	cr_assert_null(find(&r, "fragmentation"));
	finish(&r, VERDICT_CLEAN, "cache");
}

/* Process 7 works on device 1 and holds 664 MiB on device 0; near miss: as much on both. */
static void two_devices(struct run *r, int64_t minor)
{
	start(r);
	build_subject(&r->b, 0, 0, 7);
	build_subject(&r->b, 1, 1, 7);
	for (int i = 0; i < 12; i++) {
		build_point(&r->b, -1);
		build_used(&r->b, 0, minor);
		build_used(&r->b, 1, 2256 * mib);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(detectors_levels, context)
{
	struct run r;

	two_devices(&r, 664 * mib);
	cr_assert_eq(find(&r, "context")->subject->device, 0);
	cr_assert(strstr(find(&r, "context")->advice, "map_location"));
	finish(&r, VERDICT_CLEAN, "context");
}

Test(detectors_levels, work_on_two_devices_is_no_context)
{
	struct run r;

	two_devices(&r, 2250 * mib);
	cr_assert_null(find(&r, "context"));
	finish(&r, VERDICT_CLEAN, NULL);
}

/* Labels that never repeat: up, kept, back to the start. */
Test(detectors_levels, emptied_cache_in_a_straight_line)
{
	static const int64_t percent[] = { 5, 30, 30, 5 };
	static const char *const label[] = { "before", "allocated", "deleted", "emptied" };
	struct run r;

	start(&r);
	r.b.quantum = 10000;
	build_subject(&r.b, 0, 0, -1);
	for (int i = 0; i < 4; i++) {
		build_point(&r.b, build_label(&r.b, label[i]));
		build_used(&r.b, 0, percent[i] * 10000);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_UNDECIDED, "cache");
}

/* A peak that rises beside a level that stays. */
Test(detectors_levels, peak_counter)
{
	int64_t peak[20];
	struct run r;

	start(&r);
	for (int i = 0; i < 20; i++) {
		build_point(&r.b, r.site);
		build_level(&r.b, LEVEL_ALLOCATED, 50 * mib);
		peak[i] = 60 * mib + 2 * mib * i;
	}
	r.b.t.peak = (struct series){ peak, 1, false };
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, "peak-counter");
}

/* An error with 300 MiB free inside the allocator for a request of 200; near miss: 20 free. */
static void fail(struct run *r, int64_t free_inside)
{
	start(r);
	for (int i = 0; i < 8; i++) {
		build_point(&r->b, r->site);
		build_level(&r->b, LEVEL_ALLOCATED, 700 * mib);
	}
	*vec_push(&r->b.event) = (struct timeline_event){ .point = 7,
							  .line = 99,
							  .code = "out-of-memory",
							  .text = "CUDA out of memory",
							  .requested = 200 * mib,
							  .capacity = 1024 * mib,
							  .limit = QUANTITY_UNKNOWN,
							  .allocated = 700 * mib,
							  .reserved = 700 * mib + free_inside };
	judge(r, QUANTITY_UNKNOWN);
}

Test(detectors_levels, out_of_memory_by_fragmentation)
{
	struct run r;

	fail(&r, 300 * mib);
	cr_assert_eq(find(&r, "oom")->first_line, 99);
	finish(&r, VERDICT_CLEAN, "fragmentation");
}

Test(detectors_levels, out_of_memory_of_a_full_card)
{
	struct run r;

	fail(&r, 20 * mib);
	cr_assert_null(find(&r, "fragmentation"));
	finish(&r, VERDICT_CLEAN, "oom");
}

/* Optimizer state in the second iteration only. */
Test(detectors_levels, warm_up)
{
	struct run r;
	int row;

	start(&r);
	row = build_row(&r.b, "(1024, 1024)", "torch.nn.parameter.Parameter");
	for (int i = 0; i < 20; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i == 0 ? 2 : 4);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, "warm-up");
}

/* Percent of a card: one per cent more is within two quanta. */
Test(detectors_levels, percent_below_two_quanta)
{
	struct run r;

	start(&r);
	r.b.quantum = 10000;
	build_subject(&r.b, 0, 0, -1);
	r.b.subject[0].used.percent = true;
	for (int i = 0; i < 12; i++) {
		build_point(&r.b, -1);
		build_used(&r.b, 0, (22 + i / 6) * 10000);
	}
	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_CLEAN, NULL);
}

/* Rows of a damaged report are no evidence. */
Test(detectors_levels, damaged_report)
{
	struct run r;
	int row;

	start(&r);
	row = build_row(&r.b, "(64,)", "torch.Tensor");
	for (int i = 1; i <= 10; i++) {
		build_point(&r.b, r.site);
		build_count(&r.b, row, i > 5 ? 1 : 2);
	}
	r.b.t.damaged = true;
	r.b.t.damage = "two writers";
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert(strstr(r.a.why, "two writers"));
	finish(&r, VERDICT_UNDECIDED, NULL);
}

Test(detectors_levels, nothing_at_all)
{
	struct run r = { .b = { .quantum = 1 } };

	judge(&r, QUANTITY_UNKNOWN);
	finish(&r, VERDICT_UNDECIDED, NULL);
}

/* Four iterations are too few to call it clean. */
Test(detectors_levels, too_few_iterations)
{
	struct run r;

	start(&r);
	for (int i = 0; i < 4; i++) {
		build_point(&r.b, r.site);
		build_level(&r.b, LEVEL_ALLOCATED, 50 * mib);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert(strstr(r.a.why, "4 iterations"));
	cr_assert_not_null(r.a.log_next);
	finish(&r, VERDICT_UNDECIDED, NULL);
}
