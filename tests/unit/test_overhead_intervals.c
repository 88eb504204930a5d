/*
 * Where the bytes are: intervals with the figures of the article's reports, and ledgers that close.
 */
#include <criterion/criterion.h>

#include "analysis/first_use.h"
#include "analysis/overhead.h"
#include "build_timeline.h"

enum { MB = 1000000 };
static const int64_t step = 100000; /* the reports print 0.1 MB */

/* A level at the latest point, in tenths of MB, as the reports print it. */
static void device(struct build *b, int64_t tenths)
{
	build_level(b, LEVEL_DEVICE, tenths * step);
}

static int64_t ledger_sum(const struct ledger *l)
{
	int64_t sum = 0;

	for (size_t i = 0; i < l->parts; i++)
		sum += l->part[i].bytes;
	return sum;
}

static const struct ledger_part *part_of(const struct ledger *l, const char *name)
{
	for (size_t i = 0; i < l->parts; i++)
		if (!strcmp(l->part[i].part, name))
			return &l->part[i];
	return NULL;
}

/* VGG19's tensors are one row here: 553,430,176 bytes / 4. */
static const char vgg19[] = "(138357544,)";
/* (60 + 30 + 40) x 3 x 512 x 512 float32 = 408,944,640 bytes. */
static const char *const three[] = { "(60, 3, 512, 512)", "(30, 3, 512, 512)",
				     "(40, 3, 512, 512)" };

static void build_weights(struct build *b)
{
	int site = build_site(b, "train.py", 13), row = build_row(b, vgg19, NULL);

	b->t.name = "weights";
	build_point(b, site);
	device(b, 4722);
	build_point(b, site);
	device(b, 13875);
	build_count(b, row, 1);
}

static void build_three(struct build *b, const char *name, int64_t before, int64_t after)
{
	int site = build_site(b, "train.py", 18);

	b->t.name = name;
	build_point(b, site);
	device(b, before);
	build_point(b, site);
	device(b, after);
	for (size_t i = 0; i < 3; i++)
		build_count(b, build_row(b, three[i], NULL), 1);
}

/* 1387.5 - 472.2 = 915.3 MB; 915,300,000 - 553,430,176 = 361,869,824: the article's 361.9. */
Test(overhead_intervals, first_weights_bring_361_9)
{
	struct build b = { .quantum = step };
	struct overhead_interval in;
	struct ledger ledger;

	build_weights(&b);
	cr_assert(overhead_next(build_done(&b), 0, &in));
	cr_assert_eq(in.total_change, 915300000);
	cr_assert_eq(in.visible_change, 553430176);
	cr_assert_eq(in.unexplained_change, 361869824);
	cr_assert_eq(in.kind, OVERHEAD_FIRST_USE);
	cr_assert(overhead_ledger(&b.t, &ledger));
	cr_assert_eq(ledger_sum(&ledger), 1387500000);
	cr_assert_eq(part_of(&ledger, "visible")->bytes, 553430176);
	cr_assert_eq(part_of(&ledger, "context")->bytes, 361869824);
	cr_assert_eq(part_of(&ledger, "before")->bytes, 472200000);
	build_release(&b);
}

/*
 * After the weights: 1807.0 - 1387.5 = 419.5, less 408.9 is 10.6.  Alone: 1271.3 - 513.3 = 758.0,
 * less 408.9 is 349.1.  So it is not the weights.
 */
Test(overhead_intervals, the_runs_together_tell_the_context_from_the_weights)
{
	struct build b[3] = { { .quantum = step }, { .quantum = step }, { .quantum = step } };
	struct first_tensors first[3] = { 0 };
	struct first_use use;

	build_weights(&b[0]);
	build_three(&b[1], "after", 13875, 18070);
	build_three(&b[2], "alone", 5133, 12713);
	for (int i = 0; i < 3; i++) {
		cr_assert(first_tensors_find(&first[i], build_done(&b[i])));
		first[i].run = b[i].t.name;
	}
	cr_assert_eq(first[1].in.unexplained_change, 419500000 - 408944640);
	cr_assert_eq(first[2].in.unexplained_change, 758000000 - 408944640);
	cr_assert(first_use_argue(&use, first, 3));
	cr_assert_str_eq(use.jump->run, "weights");
	cr_assert_str_eq(use.later->run, "after");
	cr_assert_str_eq(use.alone->run, "alone");
	cr_assert_eq(use.low, 349055360);
	cr_assert_eq(use.high, 361869824);
	/* Without the third nothing is shown. */
	cr_assert(!first_use_argue(&use, first, 2));
	for (int i = 0; i < 3; i++)
		build_release(&b[i]);
}

/* Two of four equal tensors are freed: the total stays, then the cache is emptied. */
Test(overhead_intervals, what_stays_when_tensors_go_is_cache)
{
	struct build b = { .quantum = step };
	int site = build_site(&b, "train.py", 1), row = build_row(&b, "(25000000,)", NULL);
	struct overhead_interval in;
	struct ledger ledger;
	size_t peak;

	build_point(&b, site);
	device(&b, 5000);
	build_point(&b, site);
	build_count(&b, row, 4);
	device(&b, 12000); /* + 700 MB: 400 are tensors, 300 the context */
	build_point(&b, site);
	build_count(&b, row, 2);
	device(&b, 12000);
	build_point(&b, site);
	device(&b, 10000);
	build_done(&b);
	cr_assert(overhead_next(&b.t, 1, &in));
	cr_assert_eq(in.kind, OVERHEAD_KEPT);
	cr_assert_eq(in.unexplained_change, 200 * MB);
	cr_assert(overhead_next(&b.t, 2, &in));
	cr_assert_eq(in.kind, OVERHEAD_RETURNED);
	cr_assert(overhead_peak(&b.t, true, &peak));
	cr_assert_eq(peak, 2);
	cr_assert(overhead_ledger_at(&b.t, peak, &ledger));
	cr_assert_eq(ledger_sum(&ledger), 1200 * MB);
	cr_assert_eq(part_of(&ledger, "cached")->bytes, 200 * MB);
	cr_assert_eq(part_of(&ledger, "cached")->how, LEDGER_BOUNDED);
	cr_assert(overhead_ledger_at(&b.t, 3, &ledger));
	cr_assert_eq(ledger_sum(&ledger), 1000 * MB);
	cr_assert_null(part_of(&ledger, "cached"));
	build_release(&b);
}

/* Visible above allocated: the difference is views, and negative. */
Test(overhead_intervals, views_are_named)
{
	struct build b = { .quantum = 1 };
	int site = build_site(&b, "train.py", 1), row = build_row(&b, "(1000000,)", NULL);
	struct ledger ledger;

	build_point(&b, site);
	build_count(&b, row, 2);
	build_level(&b, LEVEL_ALLOCATED, 4000000);
	cr_assert(overhead_ledger(build_done(&b), &ledger));
	cr_assert_eq(part_of(&ledger, "views")->bytes, -4000000);
	cr_assert_eq(ledger_sum(&ledger), 4000000);
	build_release(&b);
}

/* All levels known: 20 + 80 + 400 + 540 + (device - process). */
Test(overhead_intervals, five_levels_separate)
{
	struct build b = { .quantum = MIB };
	int site = build_site(&b, "train.py", 1), row = build_row(&b, "(5242880,)", NULL);
	struct ledger ledger;

	build_subject(&b, 0, 0, 7);
	b.subject[0].is_process = true;
	b.subject[0].used.quantum = MIB;
	build_point(&b, site);
	build_count(&b, row, 1); /* 20 MiB */
	build_used(&b, 0, 2000 * MIB);
	build_level(&b, LEVEL_ALLOCATED, 100 * MIB);
	build_level(&b, LEVEL_RESERVED, 500 * MIB);
	build_level(&b, LEVEL_PROCESS, 1040 * MIB);
	build_level(&b, LEVEL_DEVICE, 3670 * MIB);
	build_done(&b);
	b.t.driver_reserved = 615 * MIB;
	b.t.driver_in_device = true;
	cr_assert(overhead_ledger(&b.t, &ledger));
	cr_assert_eq(part_of(&ledger, "hidden")->bytes, 80 * MIB);
	cr_assert_eq(part_of(&ledger, "cached")->bytes, 400 * MIB);
	cr_assert_eq(part_of(&ledger, "outside")->bytes, 540 * MIB);
	cr_assert_eq(part_of(&ledger, "others")->bytes, 2000 * MIB);
	cr_assert_eq(part_of(&ledger, "driver-reserved")->bytes, 615 * MIB);
	cr_assert_eq(part_of(&ledger, "driver")->bytes, 15 * MIB);
	cr_assert_eq(ledger_sum(&ledger), 3670 * MIB);
	build_release(&b);
}

/* Whatever levels are known and whatever they do, every ledger sums to its total. */
Test(overhead_intervals, ledgers_close)
{
	uint64_t state = 20210401;

	for (int run = 0; run < 300; run++) {
		struct build b = { .quantum = run % 3 ? step : 1 };
		int site = build_site(&b, "train.py", 1);
		int row = build_row(&b, "(1000, 1000)", run % 2 ? "torch.Tensor" : NULL);
		unsigned levels = (unsigned)run % 16 + 1;
		struct ledger ledger;

		for (int i = 0; i < 12; i++) {
			int64_t level = 0;

			build_point(&b, site);
			state = state * 6364136223846793005u + 1442695040888963407u;
			build_count(&b, row, (int64_t)(state >> 33) % 5);
			for (int l = LEVEL_ALLOCATED; l < LEVELS; l++) {
				state = state * 6364136223846793005u + 1442695040888963407u;
				level += (int64_t)(state >> 33) % (200 * MB) - 20 * MB;
				if (levels & (1u << (l - LEVEL_ALLOCATED)))
					build_level(&b, (enum level)l, level);
			}
		}
		build_done(&b);
		for (size_t i = 0; i < b.t.points; i++) {
			if (!overhead_ledger_at(&b.t, i, &ledger))
				continue;
			cr_assert_eq(ledger_sum(&ledger), ledger.total);
			cr_assert_leq(ledger.parts, LEDGER_PARTS);
		}
		build_release(&b);
	}
}
