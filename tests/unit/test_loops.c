/* Loops from sequences of positions: each letter is one position, in the order of the points. */
#include <criterion/criterion.h>

#include "analysis/analysis.h"
#include "analysis/loops.h"
#include "build_timeline.h"

struct found {
	struct build b;
	struct arena arena;
	struct positions positions;
	struct loops loops;
};

static void find(struct found *f, const char *letters)
{
	int site[26];

	for (int i = 0; i < 26; i++)
		site[i] = build_site(&f->b, "train.py", i + 1);
	for (; *letters; letters++)
		build_point(&f->b, *letters == '-' ? -1 : site[*letters - 'A']);
	positions_find(&f->positions, &f->arena, build_done(&f->b));
	loops_find(&f->loops, &f->arena, &f->positions);
}

static void done(struct found *f)
{
	arena_release(&f->arena);
	build_release(&f->b);
}

/* Expected: iterations of each loop, most first, and the index of the next outer loop. */
static const struct {
	const char *what, *letters;
	size_t loops;
	struct {
		size_t n;
		int outer;
		char head;
	} loop[3];
} cases[] = {
	{ "straight line", "ABCDE", 0, { { 0, 0, 0 } } },
	{ "one site, entered late", "ABCCCCC", 1, { { 5, -1, 'C' } } },
	{ "several calls an iteration", "ABCABCABCABC", 1, { { 4, -1, 'A' } } },
	{ "cut in the middle", "ABCABCABCAB", 1, { { 4, -1, 'A' } } },
	{ "epoch with its own call", "AAABAAABAAABAAAB", 2, { { 12, 1, 'A' }, { 4, -1, 'B' } } },
	{ "epoch without one",
	  "AAABBAAABBAAABBAAABB",
	  3,
	  { { 12, 2, 'A' }, { 8, 2, 'B' }, { 4, -1, 'B' } } },
	{ "two loops in long bursts",
	  "AAAAAAAABBBBBBBBBBBBAAAAAAAABBBBBBBBBBBBAAAAAAAABBBBBBBBBBBBAAAAAAAABBBBBBBBBBBB",
	  3,
	  { { 48, 2, 'B' }, { 32, 2, 'A' }, { 4, -1, 'B' } } },
	{ "one after another", "AAAAABBBBBB", 2, { { 6, -1, 'B' }, { 5, -1, 'A' } } },
	{ "fold, epoch, step",
	  "AABAABCAABAABCAABAABC",
	  3,
	  { { 12, 1, 'A' }, { 6, 2, 'B' }, { 3, -1, 'C' } } },
	{ "two calls in the inner loop", "ABABCABABCABABC", 2, { { 6, 1, 'A' }, { 3, -1, 'C' } } },
	{ "samples", "------", 1, { { 6, -1, 0 } } },
};

Test(loops, of_sequences)
{
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct found f = { .arena = ARENA_INIT };

		find(&f, cases[c].letters);
		cr_assert_eq(f.loops.len, cases[c].loops, "%s: %zu loops", cases[c].what,
			     f.loops.len);
		for (size_t l = 0; l < f.loops.len; l++) {
			const struct loop *loop = &f.loops.at[l];

			cr_assert_eq(loop->n, cases[c].loop[l].n, "%s: loop %zu has %zu",
				     cases[c].what, l, loop->n);
			cr_assert_eq(loop->outer, cases[c].loop[l].outer, "%s: loop %zu in %d",
				     cases[c].what, l, loop->outer);
			if (loop->position >= 0)
				cr_assert_eq(loop->position, cases[c].loop[l].head - 'A',
					     "%s: loop %zu", cases[c].what, l);
		}
		done(&f);
	}
}

/* The first epoch begins at its first step, not at the set-up before it. */
Test(loops, first_iteration_reaches_back_to_its_own_points)
{
	struct found f = { .arena = ARENA_INIT };

	find(&f, "ZYAAABAAABAAAB");
	cr_assert_eq(f.loops.at[1].head[0], 5);
	cr_assert_eq(f.loops.at[1].from, 2);
	done(&f);
}

/* Numbers in a label are not its position. */
Test(loops, labels_that_differ_in_numbers_are_one)
{
	static const char *label[] = { "Epoch 1 loss 0.71", "Epoch 2 loss 0.6",
				       "Epoch 13 loss 9e-05", "after training" };
	struct build b = { .quantum = 1 };
	struct arena arena = ARENA_INIT;
	struct positions positions;

	for (int i = 0; i < 4; i++)
		build_point(&b, build_label(&b, label[i]));
	positions_find(&positions, &arena, build_done(&b));
	cr_assert(positions.at[0] == 0 && positions.at[1] == 0 && positions.at[2] == 0);
	cr_assert_eq(positions.at[3], 3);
	cr_assert_eq(positions.repeated, 3);
	arena_release(&arena);
	build_release(&b);
}

/*
 * A growth is told for the loop that it belongs to: one tensor more an epoch of three steps, or one
 * a step, in the same sequence of positions.
 */
static void judge_nested(bool per_step, struct analysis *out, struct build *b)
{
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	int step = build_site(b, "train.py", 10), epoch = build_site(b, "train.py", 20);
	int row = build_row(b, "(64, 10)", "torch.Tensor"), count = 1;

	for (int e = 0; e < 8; e++) {
		for (int s = 0; s < 3; s++) {
			build_point(b, step);
			build_count(b, row, count);
			count += per_step;
		}
		build_point(b, epoch);
		count += !per_step;
	}
	analyse(out, build_done(b), &options);
}

Test(loops, a_leak_per_epoch_is_told_per_epoch)
{
	struct build b = { .quantum = 1 };
	struct analysis a;

	judge_nested(false, &a, &b);
	cr_assert_eq(a.verdict, VERDICT_LEAK);
	cr_assert_eq(a.iterations, 8);
	cr_assert_eq(a.site->code_line, 20);
	cr_assert_eq(a.finding[0].count_per_iteration, 1);
	cr_assert_str_eq(a.finding[0].unit, "outer iteration");
	analysis_release(&a);
	build_release(&b);
}

Test(loops, a_leak_per_step_is_told_per_step)
{
	struct build b = { .quantum = 1 };
	struct analysis a;

	judge_nested(true, &a, &b);
	cr_assert_eq(a.verdict, VERDICT_LEAK);
	cr_assert_eq(a.iterations, 24);
	cr_assert_eq(a.site->code_line, 10);
	cr_assert_eq(a.finding[0].count_per_iteration, 1);
	analysis_release(&a);
	build_release(&b);
}

/* An old report names one position for five points a fold; four tensors more each fold. */
Test(loops, the_period_of_an_old_report_is_in_the_numbers)
{
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	struct build b = { .quantum = 100000 };
	int site = build_site_of(&b, (struct site){ NULL, 337, "<module>", "__main__", NULL });
	int row = build_row(&b, "(256, 4096)", "torch.nn.parameter.Parameter");
	int batch = build_row(&b, "(64, 3, 64, 64)", "torch.Tensor");
	struct analysis a;

	for (int fold = 0; fold < 8; fold++) {
		for (int s = 0; s < 5; s++) {
			build_point(&b, site);
			build_count(&b, row, 4 * fold + 5);
			build_count(&b, batch, s == 4 ? 0 : 1);
		}
	}
	analyse(&a, build_done(&b), &options);
	cr_assert_eq(a.verdict, VERDICT_LEAK);
	cr_assert_str_eq(a.finding[0].cause, "model-copies");
	cr_assert_str_eq(a.finding[0].unit, "cycle");
	cr_assert_eq(a.finding[0].count_per_iteration, 4);
	analysis_release(&a);
	build_release(&b);
}
