/* Does memory follow the samples?  The line and the judgement. */
#include <criterion/criterion.h>

#include "analysis/scale.h"
#include "build_timeline.h"

/* A run with `batch` samples on the device at once; peak = 500 MB + batch x 4 MB + extra. */
static void read(struct scale_run *run, struct arena *arena, int64_t batch, int64_t samples,
		 int64_t extra)
{
	struct build b = { .quantum = 100000 };
	int site = build_site(&b, "predict.py", 9);
	char image[40], out[40];

	snprintf(image, sizeof(image), "(%lld, 250000)", (long long)batch);
	snprintf(out, sizeof(out), "(%lld, 10)", (long long)batch);
	b.t.name = "run";
	build_point(&b, site);
	build_count(&b, build_row(&b, image, "torch.Tensor"), 2);
	build_count(&b, build_row(&b, out, "torch.Tensor"), 1);
	build_count(&b, build_row(&b, "(100, 100)", "torch.nn.parameter.Parameter"), 1);
	build_level(&b, LEVEL_ALLOCATED, 500000000 + batch * 4000000 + extra);
	cr_assert(scale_read(run, arena, build_done(&b)));
	run->samples = samples;
	build_release(&b);
}

static void judge(struct scale *out, struct arena *arena, const int64_t (*counts)[2], size_t n)
{
	struct scale_run runs[8];

	for (size_t i = 0; i < n; i++)
		read(&runs[i], arena, counts[i][0], counts[i][1], 0);
	scale_judge(out, arena, runs, n);
}

Test(scale, all_samples_in_one_batch)
{
	static const int64_t counts[][2] = { { 1, 1 }, { 3, 3 }, { 10, 10 }, { 20, 20 } };
	struct arena arena = ARENA_INIT;
	struct scale s;

	judge(&s, &arena, counts, 4);
	cr_assert_eq(s.follows, SCALE_SAMPLES);
	cr_assert(s.batch_is_samples);
	cr_assert_float_eq(s.line.slope, 4000000, 1);
	cr_assert_float_eq(s.line.intercept, 500000000, 1);
	cr_assert(s.line.low < 4000000 && s.line.high > 4000000);
	/* (*, 250000) twice and (*, 10): 2 x 1,000,000 + 40 bytes a sample. */
	cr_assert_eq(s.carriers, 2);
	cr_assert_eq(s.carried, 2000040);
	cr_assert_str_eq(s.carrier[0].tensor->pattern, "(*, 250000)");
	/* (900 - 500) / 4 = 100. */
	cr_assert_eq(scale_largest_fit(&s.line, 900000000), 100);
	cr_assert_eq(scale_largest_fit(&s.line, 903999999), 100);
	arena_release(&arena);
}

Test(scale, counts_come_from_the_first_dimension)
{
	static const int64_t counts[][2] = { { 2, QUANTITY_UNKNOWN }, { 8, QUANTITY_UNKNOWN } };
	struct arena arena = ARENA_INIT;
	struct scale s;

	judge(&s, &arena, counts, 2);
	cr_assert_eq(s.follows, SCALE_SAMPLES);
	cr_assert(!s.counts_given);
	cr_assert_float_eq(s.line.slope, 4000000, 1);
	arena_release(&arena);
}

Test(scale, batches_of_three_do_not_follow_the_samples)
{
	static const int64_t counts[][2] = { { 3, 10 }, { 3, 20 } };
	struct arena arena = ARENA_INIT;
	struct scale s;

	judge(&s, &arena, counts, 2);
	cr_assert_eq(s.follows, SCALE_NEITHER);
	arena_release(&arena);
}

Test(scale, the_batch_size_it_is)
{
	static const int64_t counts[][2] = { { 3, 30 }, { 12, 30 }, { 24, 60 }, { 3, 60 } };
	struct arena arena = ARENA_INIT;
	struct scale s;

	judge(&s, &arena, counts, 4);
	cr_assert_eq(s.follows, SCALE_BATCH);
	cr_assert_float_eq(s.line.slope, 4000000, 1);
	arena_release(&arena);
}

Test(scale, one_count_decides_nothing)
{
	static const int64_t counts[][2] = { { 3, QUANTITY_UNKNOWN }, { 3, QUANTITY_UNKNOWN } };
	struct arena arena = ARENA_INIT;
	struct scale s;

	judge(&s, &arena, counts, 2);
	cr_assert_eq(s.follows, SCALE_UNDECIDED);
	judge(&s, &arena, counts, 1);
	cr_assert_eq(s.follows, SCALE_UNDECIDED);
	judge(&s, &arena, counts, 0);
	cr_assert_eq(s.follows, SCALE_UNDECIDED);
	arena_release(&arena);
}
