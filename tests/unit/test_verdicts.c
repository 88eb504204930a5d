/*
 * What a verdict says where the log shows little: no figures, whole percents, a stray heading.
 */
#include "detector_run.h"

/* ---- no figures ---- */

/* Five samples of a driver that tells nothing. */
Test(verdicts, a_monitor_without_figures)
{
	struct run r;

	start(&r);
	build_subject(&r.b, 0, 0, -1);
	for (int i = 0; i < 5; i++)
		build_point(&r.b, -1);
	r.b.site.len = 0;
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_str_eq(r.a.why, "the log holds no memory figures");
	cr_assert(strstr(r.a.log_next, "--query-compute-apps"));
	cr_assert_null(strstr(r.a.log_next, "track()"));
	finish(&r, VERDICT_UNDECIDED, NULL);
}

/* Near miss: figures, but three samples of them; a tracker's report gets a tracker's advice. */
Test(verdicts, too_few_figures)
{
	for (int tracker = 0; tracker < 2; tracker++) {
		struct run r;

		start(&r);
		build_subject(&r.b, 0, 0, -1);
		for (int i = 0; i < 3; i++) {
			build_point(&r.b, tracker ? r.site : -1);
			if (tracker)
				build_level(&r.b, LEVEL_ALLOCATED, 100 * mib);
			else
				build_used(&r.b, 0, 100 * mib);
		}
		if (!tracker)
			r.b.site.len = 0;
		judge(&r, QUANTITY_UNKNOWN);
		cr_assert(strstr(r.a.why, tracker ? "only 3 iterations" : "only 3 samples"), "%s",
			  r.a.why);
		cr_assert_eq(strstr(r.a.log_next, "track()") != NULL, tracker);
		finish(&r, VERDICT_UNDECIDED, NULL);
	}
}

Test(verdicts, a_single_moment)
{
	struct run r;

	start(&r);
	build_subject(&r.b, 0, 0, -1);
	build_point(&r.b, -1);
	build_used(&r.b, 0, 100 * mib);
	r.b.site.len = 0;
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert(strstr(r.a.why, "single moment"));
	finish(&r, VERDICT_UNDECIDED, NULL);
}

/* ---- whole percents ---- */

/* 24 iterations of a card in whole percents, as its parts of 10000. */
static void watch(struct run *r, const char *percents)
{
	start(r);
	build_subject(&r->b, 0, 0, -1);
	r->b.subject[0].used.percent = true;
	r->b.subject[0].used.quantum = 100;
	for (; *percents; percents++) {
		build_point(&r->b, r->site);
		build_used(&r->b, 0, (*percents - '0') * 100);
	}
	judge(r, QUANTITY_UNKNOWN);
}

/* 13 samples of 1 %, 11 of 2 %: what 100 MiB an iteration look like on a card of 140 GiB. */
Test(verdicts, one_percent_may_be_a_leak)
{
	struct run r;

	watch(&r, "111111111111122222222222");
	cr_assert(strstr(r.a.why, "whole percents only"), "%s", r.a.why);
	cr_assert(strstr(r.a.why, "rose by 1 %"), "%s", r.a.why);
	cr_assert(strstr(r.a.log_next, "log bytes"), "%s", r.a.log_next);
	finish(&r, VERDICT_UNDECIDED, NULL);
	watch(&r, "111111112222222233333333");
	finish(&r, VERDICT_UNDECIDED, NULL);
	/* five steps, the last of them late: too few for blocks, and not at rest */
	watch(&r, "111112222233334444455566");
	cr_assert_neq(r.a.verdict, VERDICT_CLEAN);
	analysis_release(&r.a);
	build_release(&r.b);
}

/* Near miss: flat; a leak of one percent for each of seven blocks would have shown: 7 % / 24. */
Test(verdicts, flat_percents_are_clean)
{
	static const char *const flat[] = { "111111111111111111111111", "011111111111111111111111",
					    "121212121212121212121212", "155555555555555555555555" };

	for (size_t i = 0; i < sizeof(flat) / sizeof(*flat); i++) {
		struct run r;

		watch(&r, flat[i]);
		cr_assert(r.a.smallest_percent);
		if (i == 0)
			cr_assert_float_eq(r.a.smallest, 700.0 / 24, 1e-9);
		finish(&r, VERDICT_CLEAN, NULL);
	}
}

/* 2 % a sample: nine times as much at the end. */
Test(verdicts, many_percents_are_a_leak)
{
	struct run r;

	watch(&r, "111222333444555666777888999");
	cr_assert(r.a.finding[0].percent);
	cr_assert(r.a.growth[GROWTH_DEVICE].percent);
	finish(&r, VERDICT_LEAK, "device-growth");
}

/* The same where the total is known and the percents were made bytes; near miss: MiB of that card. */
Test(verdicts, bytes_made_of_percents)
{
	for (int fine = 0; fine < 2; fine++) {
		int64_t total = 143771 * mib;
		struct run r;

		start(&r);
		build_subject(&r.b, 0, 0, -1);
		r.b.subject[0].total = r.b.t.capacity = total;
		r.b.subject[0].used.quantum = fine ? mib : total / 100;
		for (int i = 0; i < 24; i++) {
			build_point(&r.b, r.site);
			build_used(&r.b, 0, fine ? 1400 * mib + 100 * mib * i
						 : (i < 13 ? 1 : 2) * (total / 100));
		}
		judge(&r, QUANTITY_UNKNOWN);
		cr_assert_not(r.a.growth[GROWTH_DEVICE].percent);
		if (!fine)
			cr_assert(strstr(r.a.why, "rose by 1 % of the card"), "%s", r.a.why);
		finish(&r, fine ? VERDICT_LEAK : VERDICT_UNDECIDED, NULL);
	}
}

/* ---- stray labels ---- */

/* A process grows by 5 MiB a sample; `headed` of the samples carry a heading of their own. */
static void sample(struct run *r, int headed)
{
	static const char *const heading[] = { "loading", "warming up", "training", "saving",
					       "done",    "again",      "really",   "bye" };

	start(r);
	build_subject(&r->b, 0, 0, 10);
	for (int i = 0; i < 16; i++) {
		bool has = i % 2 == 0 && i / 2 < headed;

		build_point(&r->b, has ? build_label(&r->b, heading[i / 2]) : -1);
		build_used(&r->b, 0, 400 * mib + 5 * mib * i);
	}
	judge(r, QUANTITY_UNKNOWN);
}

Test(verdicts, a_stray_label_hides_no_leak)
{
	struct run r;

	sample(&r, 1);
	cr_assert_str_eq(r.a.unit, "sample");
	finish(&r, VERDICT_LEAK, "process-growth");
	sample(&r, 3);
	finish(&r, VERDICT_LEAK, "process-growth");
}

/* Near miss: half of the points have a label, and each label comes once. */
Test(verdicts, labels_that_come_once_are_a_straight_line)
{
	struct run r;

	sample(&r, 8);
	cr_assert_str_eq(r.a.why, "no position repeats, so there is nothing to compare");
	finish(&r, VERDICT_UNDECIDED, NULL);
}

/* ---- details ---- */

/* Process 7 works on one card and holds 664 MiB on another; both are known by UUID only. */
Test(verdicts, a_context_is_told_in_sizes_and_names)
{
	struct run r;

	start(&r);
	build_subject(&r.b, 0, -1, 7);
	build_subject(&r.b, 1, -1, 7);
	r.b.subject[0].uuid = "GPU-1a2b3c4d-0000-0000-0000-000000000000";
	r.b.subject[1].uuid = "GPU-5e6f7a8b-0000-0000-0000-000000000000";
	for (int i = 0; i < 8; i++) {
		build_point(&r.b, -1);
		build_used(&r.b, 0, 664 * mib);
		build_used(&r.b, 1, 4096 * mib);
	}
	judge(&r, QUANTITY_UNKNOWN);
	cr_assert_not_null(find(&r, "context"));
	cr_assert_str_eq(find(&r, "context")->detail,
			 "664.0 MiB on GPU-1a2b3c4d belong to process 7, which works on "
			 "GPU-5e6f7a8b (4.0 GiB)");
	finish(&r, VERDICT_CLEAN, "context");
}

/* (64, 10) float32 is 2,560 bytes; the graph behind each holds 10 MiB.  Near miss: nothing behind. */
Test(verdicts, a_graph_tells_what_is_hidden_once)
{
	for (int hidden = 0; hidden < 2; hidden++) {
		static const char *const shape[] = { "(64, 10)", "(64, 256)", "(64, 32, 8)" };
		static const int64_t bytes[] = { 2560, 65536, 65536 };
		const struct finding *f;
		struct run r;
		int row[3];

		start(&r);
		for (int k = 0; k < 3; k++)
			row[k] = build_row(&r.b, shape[k], "torch.Tensor");
		for (int i = 1; i <= 12; i++) {
			int64_t held = 100 * mib;

			build_point(&r.b, r.site);
			for (int k = 0; k < 3; k++) {
				build_count(&r.b, row[k], i);
				held += i * bytes[k];
			}
			build_level(&r.b, LEVEL_ALLOCATED, held + (hidden ? 10 * mib * i : 0));
		}
		judge(&r, QUANTITY_UNKNOWN);
		f = find(&r, "graph-retained");
		cr_assert_str_eq(f->handle->shape, "(64, 10)");
		if (hidden)
			cr_assert_str_eq(f->detail, "10.0 MiB of it are not visible to Python");
		else
			cr_assert_null(f->detail);
		finish(&r, VERDICT_LEAK, "graph-retained");
	}
}
