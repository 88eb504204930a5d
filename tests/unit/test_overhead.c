#include <criterion/criterion.h>
#include <string.h>

#include "analysis/overhead.h"
#include "build_timeline.h"

/* Timelines made by hand; the sums of real reports are in test_corpus.c. */

enum { MB = 1000 * 1000 };

/* 1 MB of tensors a point at two places, an allocator with 3 MB, then 5 MB. */
static const struct timeline *two_points(struct build *b)
{
	int site = build_site(b, "a.py", 1), row = build_row(b, "(250, 1000)", "torch.Tensor");

	build_point(b, site);
	build_count(b, row, 1);
	build_level(b, LEVEL_ALLOCATED, 3 * MB);
	build_point(b, site);
	build_count(b, row, 2);
	build_level(b, LEVEL_ALLOCATED, 5 * MB);
	return build_done(b);
}

Test(overhead, unexplained_is_total_less_visible)
{
	struct build b = { .quantum = 1000 };
	const struct timeline *t = two_points(&b);
	struct overhead_interval o;
	size_t at = 9;

	cr_expect_eq(overhead_total(t), &t->level[LEVEL_ALLOCATED]);
	cr_assert(overhead_first(t, &at));
	cr_expect_eq(at, 0);
	cr_assert(overhead_next(t, 0, &o));
	cr_expect_eq(o.from, 0);
	cr_expect_eq(o.to, 1);
	cr_expect_eq(o.total_change, 2 * MB);
	cr_expect_eq(o.visible_change, 1 * MB);
	cr_expect_eq(o.unexplained_change, 1 * MB);
	/* Two figures, each rounded to half of its 1000 bytes. */
	cr_expect_eq(o.tolerance, 1000);
	cr_expect(o.why && *o.why);
	cr_expect_not(overhead_next(t, 1, &o));
	build_release(&b);
}

Test(overhead, points_without_a_figure_are_passed_over)
{
	struct build b = { .quantum = 1 };
	int site = build_site(&b, "a.py", 1), row = build_row(&b, "(250, 1000)", "torch.Tensor");
	const struct timeline *t;
	struct overhead_interval o;
	size_t at;

	for (int i = 0; i < 5; i++) {
		build_point(&b, site);
		build_count(&b, row, 1);
		if (i == 1 || i == 4)
			build_level(&b, LEVEL_ALLOCATED, (i + 1) * MB);
	}
	t = build_done(&b);
	cr_assert(overhead_first(t, &at));
	cr_expect_eq(at, 1);
	cr_assert(overhead_next(t, 1, &o));
	cr_expect_eq(o.to, 4);
	cr_expect_eq(o.total_change, 3 * MB);
	cr_expect_eq(o.unexplained_change, 3 * MB);
	build_release(&b);
}

Test(overhead, a_run_without_a_total_has_none)
{
	struct build b = { .quantum = 1 };
	int site = build_site(&b, "a.py", 1), row = build_row(&b, "(3,)", "torch.Tensor");
	const struct timeline *t;
	struct ledger ledger;

	build_point(&b, site);
	build_count(&b, row, 1);
	t = build_done(&b);
	cr_expect_not(overhead_ledger(t, &ledger));
	build_release(&b);
}

Test(overhead, the_device_is_wider_than_the_allocator)
{
	struct build b = { .quantum = 1 };
	int site = build_site(&b, "a.py", 1), row = build_row(&b, "(250, 1000)", "torch.Tensor");
	const struct timeline *t;
	struct ledger ledger;
	int64_t sum = 0;

	build_point(&b, site);
	build_count(&b, row, 1);
	build_level(&b, LEVEL_ALLOCATED, 3 * MB);
	build_level(&b, LEVEL_RESERVED, 4 * MB);
	build_level(&b, LEVEL_DEVICE, 10 * MB);
	t = build_done(&b);
	cr_assert(overhead_ledger(t, &ledger));
	cr_expect_eq(ledger.point, 0);
	cr_expect_eq(ledger.total, 10 * MB);
	cr_expect_str_eq(ledger.total_name, "device");
	for (size_t i = 0; i < ledger.parts; i++)
		sum += ledger.part[i].bytes;
	cr_expect_eq(sum, 10 * MB, "the parts sum to the total");
	cr_assert_geq(ledger.parts, 4);
	/* visible 1, hidden 3 - 1, cached 4 - 3, and 10 - 4 that nothing tells apart */
	cr_expect_eq(ledger.part[0].bytes, 1 * MB);
	cr_expect_eq(ledger.part[0].how, LEDGER_MEASURED);
	cr_expect_eq(ledger.part[0].tolerance, 0);
	cr_expect_eq(ledger.part[1].bytes, 2 * MB);
	cr_expect_eq(ledger.part[2].bytes, 1 * MB);
	cr_expect_eq(ledger.part[3].bytes, 6 * MB);
	build_release(&b);
}

Test(overhead, the_ledger_is_of_the_largest_total)
{
	struct build b = { .quantum = 1 };
	const struct timeline *t;
	struct ledger ledger;

	two_points(&b);
	build_point(&b, 0);
	build_level(&b, LEVEL_ALLOCATED, 4 * MB);
	t = build_done(&b);
	cr_assert(overhead_ledger(t, &ledger));
	cr_expect_eq(ledger.point, 1);
	cr_expect_eq(ledger.total, 5 * MB);
	build_release(&b);
}
