/* Several logs of one run: alignment by the curve, the run's own process, its device. */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/align.h"
#include "analysis/join.h"
#include "build_timeline.h"

/* A report of twelve points, one every two seconds from second 10; another process adds 100 MiB
 * each. */
enum { POINTS = 12, SAMPLES = 80 };

static int64_t total_at(int second)
{
	int point = (second - 10) / 2;

	if (second < 10)
		return 0;
	return (500 + 100 * (point < POINTS ? point : POINTS - 1)) * MIB;
}

/* Each sample once a second; a stair of two seconds tells where each point was within a second. */
Test(join, points_find_their_times_by_the_curve)
{
	double value[POINTS], seen[SAMPLES];
	int64_t time[SAMPLES];
	struct curve timed = { time, seen, SAMPLES };
	struct arena arena = ARENA_INIT;
	struct alignment at;

	for (int i = 0; i < SAMPLES; i++) {
		time[i] = i * SECOND;
		seen[i] = (double)total_at(i);
	}
	for (int i = 0; i < POINTS; i++)
		value[i] = (double)(total_at(10 + 2 * i) + 615 * MIB);
	cr_assert(align_points(&at, &arena, value, POINTS, 10 * SECOND, &timed,
			       (struct align_fit){ false, (double)(615 * MIB) }));
	for (int i = 0; i < POINTS - 1; i++)
		cr_assert(llabs(at.time[i] - (10 + 2 * i) * SECOND) <= at.error, "point %d at %lld",
			  i, (long long)at.time[i]);
	for (int i = 1; i < POINTS; i++)
		cr_assert_geq(at.time[i], at.time[i - 1]);
	arena_release(&arena);
}

Test(join, nothing_to_go_by)
{
	double value[2] = { NAN, NAN };
	struct curve timed = { NULL, NULL, 0 };
	struct arena arena = ARENA_INIT;
	struct alignment at;

	cr_assert(!align_points(&at, &arena, value, 2, TIME_UNKNOWN, &timed,
				(struct align_fit){ true, 0 }));
	arena_release(&arena);
}

static void build_report(struct build *b)
{
	int site = build_site(b, "train.py", 9), row = build_row(b, "(262144,)", "torch.Tensor");

	b->t.started = 10 * SECOND;
	b->t.own_device = -1;
	for (int i = 0; i < POINTS; i++) {
		build_point(b, site);
		build_count(b, row, 3);
		build_level(b, LEVEL_DEVICE, total_at(10 + 2 * i) + 615 * MIB);
	}
}

/* The device; process 1 grows by 100 MiB, process 2 is the run's and stays at 300. */
static void build_monitor(struct build *b, int64_t *time)
{
	int site = build_label(b, "sample");

	build_subject(b, 0, 0, -1);
	build_subject(b, 1, 0, 1);
	build_subject(b, 2, 0, 2);
	b->subject[0].reserved = 615 * MIB;
	b->subject[0].total = 16384 * MIB;
	b->subject[0].start = b->subject[1].start = b->subject[2].start = QUANTITY_UNKNOWN;
	b->subject[1].is_process = b->subject[2].is_process = true;
	for (int i = 0; i < SAMPLES; i++) {
		build_point(b, site);
		build_used(b, 0, total_at(i));
		if (i >= 10) {
			build_used(b, 1, total_at(i) - 300 * MIB);
			build_used(b, 2, 300 * MIB);
		}
		time[i] = i * SECOND;
	}
	b->t.time = time;
}

Test(join, the_steady_process_is_the_run_s_own)
{
	struct build report = { .quantum = 100000 }, monitor = { .quantum = MIB };
	int64_t time[SAMPLES];
	const struct timeline *t = &report.t;

	build_report(&report);
	build_monitor(&monitor, time);
	build_done(&report);
	build_done(&monitor);
	join_parts(&report.t, &monitor.t, 1);
	cr_assert_eq(t->parts, 1);
	cr_assert_str_eq(t->part[0].how, "by the curve of the device's memory");
	cr_assert_leq(t->part[0].error, 3 * SECOND);
	cr_assert_eq(t->subjects, 3);
	cr_assert(!t->subject[0].own && !t->subject[1].own && t->subject[2].own);
	cr_assert_eq(t->own_device, 0);
	cr_assert_eq(t->driver_reserved, 615 * MIB);
	cr_assert(t->driver_in_device);
	cr_assert_eq(t->capacity, 16384 * MIB);
	cr_assert_eq(t->level[LEVEL_PROCESS].value[5], 300 * MIB);
	/* The report's own total stays. */
	cr_assert(!t->level[LEVEL_DEVICE].joined);
	arena_release(&report.t.arena);
	build_release(&report);
	build_release(&monitor);
}

/* The same steps, no time stamps: the k-th visit here is the k-th there. */
Test(join, steps_pair_logs_without_times)
{
	struct build report = { .quantum = 100000 }, job = { .quantum = MIB };
	int label = build_label(&job, "step");

	build_report(&report);
	for (int i = 0; i < POINTS; i++) {
		build_point(&job, label);
		build_level(&job, LEVEL_ALLOCATED, (7 + i) * MIB);
	}
	build_done(&report);
	build_done(&job);
	join_parts(&report.t, &job.t, 1);
	cr_assert_str_eq(report.t.part[0].how, "by the steps that both show");
	cr_assert_eq(report.t.level[LEVEL_ALLOCATED].value[3], 10 * MIB);
	arena_release(&report.t.arena);
	build_release(&report);
	build_release(&job);
}

Test(join, another_number_of_steps_is_left_out)
{
	struct build report = { .quantum = 100000 }, job = { .quantum = MIB };
	int label = build_label(&job, "step");

	build_report(&report);
	for (int i = 0; i < POINTS - 2; i++) {
		build_point(&job, label);
		build_level(&job, LEVEL_ALLOCATED, 7 * MIB);
	}
	build_done(&report);
	build_done(&job);
	join_parts(&report.t, &job.t, 1);
	cr_assert_null(report.t.part[0].how);
	cr_assert_null(report.t.level[LEVEL_ALLOCATED].value);
	arena_release(&report.t.arena);
	build_release(&report);
	build_release(&job);
}
