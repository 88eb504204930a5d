#include <criterion/criterion.h>
#include <string.h>

#include "base/units.h"
#include "replay/live_set.h"

/* Tensors of the tests; (10,) float32 is 40 bytes. */
static const struct tensor tensors[] = {
	{ 0, "torch.nn.parameter.Parameter", "(10,)", "torch.float32", 10, 4 },
	{ 1, "torch.Tensor", "(10,)", "torch.float32", 10, 4 },
	{ 2, "torch.Tensor", "(3,)", "torch.int16", 3, 2 },
	{ 3, "torch.Tensor", "(10,)", NULL, 10, 4 },
	{ 4, "torch.Tensor", "(4611686018427387904,)", "torch.int8", INT64_C(4611686018427387904), 1 },
};
enum { P, T, SHORT, UNTYPED, HUGE_TENSOR };

struct step {
	int tensor;
	enum row_op op;
	int64_t count;
	enum live_problem problem;
};

/* Blocks of rows, each closed by a row of tensor -1 whose count is the visible sum. */
#define END(visible) { -1, ROW_OPS, (visible), LIVE_FINE }
#define NEXT(visible) END(visible)

static const struct {
	const char *what;
	struct step step[12];
} cases[] = {
	{ "rows come and go", { { P, ROW_PLUS, 2, LIVE_FINE }, NEXT(80), { P, ROW_MINUS, 2, LIVE_FINE },
				END(0) } },
	{ "a changed count is its old tuple gone and its new one come",
	  { { P, ROW_PLUS, 7, LIVE_FINE }, NEXT(280), { P, ROW_MINUS, 7, LIVE_FINE },
	    { P, ROW_PLUS, 8, LIVE_FINE }, END(320) } },
	{ "counts are joint over classes: summed once",
	  { { P, ROW_PLUS, 7, LIVE_FINE }, NEXT(280), { P, ROW_MINUS, 7, LIVE_FINE },
	    { P, ROW_PLUS, 8, LIVE_FINE }, { T, ROW_PLUS, 8, LIVE_FINE }, NEXT(320),
	    { P, ROW_MINUS, 8, LIVE_FINE }, { T, ROW_MINUS, 8, LIVE_FINE },
	    { T, ROW_PLUS, 1, LIVE_FINE }, END(40) } },
	{ "another dtype, or none, is another kind",
	  { { P, ROW_PLUS, 1, LIVE_FINE }, { UNTYPED, ROW_PLUS, 1, LIVE_FINE },
	    { SHORT, ROW_PLUS, 1, LIVE_FINE }, END(40 + 40 + 6) } },
	{ "what is there cannot come again",
	  { { P, ROW_PLUS, 1, LIVE_FINE }, NEXT(40), { P, ROW_PLUS, 2, LIVE_AGAIN }, END(80) } },
	{ "what was never told of may go", { { P, ROW_MINUS, 3, LIVE_UNKNOWN }, END(0) } },
	{ "what has gone cannot go again",
	  { { P, ROW_PLUS, 1, LIVE_FINE }, NEXT(40), { P, ROW_MINUS, 1, LIVE_FINE }, NEXT(0),
	    { P, ROW_MINUS, 1, LIVE_GONE }, END(0) } },
	{ "nor with another count",
	  { { P, ROW_PLUS, 1, LIVE_FINE }, NEXT(40), { P, ROW_MINUS, 2, LIVE_GONE }, END(40) } },
	{ "a state needs no minus row",
	  { { P, ROW_STATE, 3, LIVE_FINE }, NEXT(120), { P, ROW_STATE, 1, LIVE_FINE }, END(40) } },
	{ "what is printed as unchanged changes nothing",
	  { { P, ROW_PLUS, 3, LIVE_FINE }, NEXT(120), { P, ROW_THERE, 3, LIVE_FINE }, END(120) } },
	{ "2^62 bytes twice pass 63 bits: unknown, not negative",
	  { { HUGE_TENSOR, ROW_PLUS, 2, LIVE_FINE }, END(QUANTITY_UNKNOWN) } },
};

static void end_block(struct live_set *set, bool listing, const char *what, int64_t visible)
{
	live_set_end_block(set, listing);
	cr_expect_eq(set->visible, visible, "%s: %lld", what, (long long)set->visible);
	live_set_begin_block(set);
}

Test(live_set, follows_the_rows)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct live_set set;

		live_set_init(&set);
		live_set_begin_block(&set);
		for (const struct step *s = cases[i].step; s->op || s->count || s->tensor; s++) {
			struct row row = { s->tensor < 0 ? NULL : &tensors[s->tensor], s->op,
					   s->count, 1 };

			if (s->tensor < 0) {
				end_block(&set, false, cases[i].what, s->count);
				continue;
			}
			cr_expect_eq(live_set_apply(&set, &row), s->problem, "%s", cases[i].what);
		}
		live_set_release(&set);
	}
}

static void apply(struct live_set *set, int tensor, enum row_op op, int64_t count, int64_t line)
{
	struct row row = { &tensors[tensor], op, count, line };

	cr_expect_eq(live_set_apply(set, &row), LIVE_FINE);
}

Test(live_set, a_listing_drops_what_it_leaves_out)
{
	struct live_set set;

	live_set_init(&set);
	live_set_begin_block(&set);
	apply(&set, P, ROW_LISTED, 2, 1);
	apply(&set, SHORT, ROW_LISTED, 1, 2);
	end_block(&set, true, "both", 80 + 6);
	apply(&set, SHORT, ROW_LISTED, 1, 4);
	live_set_end_block(&set, true);
	cr_expect_eq(set.visible, 6);
	cr_assert_eq(set.changes.len, 1, "only what went");
	cr_expect_eq(set.changes.at[0].tensor, &tensors[P]);
	cr_expect_eq(set.changes.at[0].count, 0);
	live_set_begin_block(&set);
	end_block(&set, true, "an empty listing", 0);
	live_set_release(&set);
}

Test(live_set, changes_are_one_a_row_with_its_last_state)
{
	struct live_set set;

	live_set_init(&set);
	live_set_begin_block(&set);
	apply(&set, P, ROW_PLUS, 7, 1);
	end_block(&set, false, "seven", 280);
	apply(&set, P, ROW_MINUS, 7, 4);
	apply(&set, P, ROW_PLUS, 8, 3);
	live_set_end_block(&set, false);
	cr_assert_eq(set.changes.len, 1);
	cr_expect_eq(set.changes.at[0].count, 8);
	cr_expect_eq(set.changes.at[0].line, 3);
	live_set_release(&set);
}

Test(live_set, the_tool_counts_int16_as_eight_thirds)
{
	struct live_set set;

	live_set_init(&set);
	live_set_begin_block(&set);
	apply(&set, SHORT, ROW_PLUS, 2, 1);
	apply(&set, P, ROW_PLUS, 1, 2);
	live_set_end_block(&set, false);
	cr_expect_eq(set.visible, 2 * 3 * 2 + 40);
	/* In thirds of a byte: 6 elements of 8, 40 bytes of 3. */
	cr_expect_eq(set.tool_visible3, 6 * 8 + 120);
	live_set_release(&set);
}

Test(live_set, a_new_run_begins_with_nothing)
{
	struct live_set set;
	struct row gone = { &tensors[P], ROW_MINUS, 1, 9 };

	live_set_init(&set);
	live_set_begin_block(&set);
	apply(&set, P, ROW_PLUS, 1, 1);
	live_set_end_block(&set, false);
	live_set_clear(&set);
	cr_expect_eq(set.visible, 0);
	live_set_begin_block(&set);
	cr_expect_eq(live_set_apply(&set, &gone), LIVE_UNKNOWN);
	apply(&set, P, ROW_PLUS, 1, 10);
	end_block(&set, false, "again", 40);
	live_set_release(&set);
}
