/* Memory that stays on the device when its process is gone from the list. */
#include "detector_run.h"
#include "model/finding.h"

/* Process 7 holds 500 MiB of the device's first four looks, process 8 100 MiB of all; `left` stay. */
static void lose_a_process(struct run *r, int64_t held, int64_t left)
{
	start(r);
	build_subject(&r->b, 0, 0, -1);
	build_subject(&r->b, 1, 0, 7);
	build_subject(&r->b, 2, 0, 8);
	r->b.subject[1].is_process = r->b.subject[2].is_process = true;
	for (int i = 0; i < 8; i++) {
		build_point(&r->b, r->site);
		build_used(&r->b, 0, (100 + 10) * mib + (i < 4 ? held : left));
		build_used(&r->b, 2, 100 * mib);
		if (i < 4)
			build_used(&r->b, 1, held);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(outlives, memory_that_no_process_has_is_told)
{
	const struct finding *f;
	struct run r;

	lose_a_process(&r, 500 * mib, 480 * mib);
	f = find(&r, "outlives-process");
	cr_assert_not_null(f);
	cr_assert_eq(f->kind, FINDING_NOTE);
	cr_assert_eq(f->subject->pid, 7);
	/* From the fourth line, the last that lists it, to the last. */
	cr_assert_eq(f->first_line, 4);
	cr_assert_eq(f->last_line, 8);
	cr_assert_str_eq(f->detail, "process 7 is gone, and 480.0 MiB on device 0 that no process "
				    "has are left");
	/* Gates and policies may name it. */
	cr_assert_not_null(cause_find(f->cause));
	finish(&r, r.a.verdict, "outlives-process");
}

/* Near misses: most of it went, and what is left is no more than noise. */
Test(outlives, memory_that_went_is_not)
{
	struct run r;

	lose_a_process(&r, 500 * mib, 370 * mib); /* three quarters are 375 */
	cr_assert_null(find(&r, "outlives-process"));
	finish(&r, r.a.verdict, NULL);
	lose_a_process(&r, 63 * mib, 63 * mib);
	cr_assert_null(find(&r, "outlives-process"));
	finish(&r, r.a.verdict, NULL);
}
