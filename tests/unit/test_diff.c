/* Two runs side by side: what came, went, grew. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/diff.h"
#include "build_timeline.h"

struct sides {
	struct build build[2];
	struct analysis analysis[2];
	struct arena arena;
};

static void compare(struct sides *s, struct diff *out)
{
	for (int i = 0; i < 2; i++)
		analyse(&s->analysis[i], build_done(&s->build[i]), &ANALYSIS_OPTIONS_DEFAULT);
	diff_runs(out, &s->arena, (struct diff_side){ &s->build[0].t, &s->analysis[0] },
		  (struct diff_side){ &s->build[1].t, &s->analysis[1] });
}

static void release(struct sides *s)
{
	for (int i = 0; i < 2; i++) {
		analysis_release(&s->analysis[i]);
		build_release(&s->build[i]);
	}
	arena_release(&s->arena);
}

static const struct diff_tensor *tensor(const struct diff *d, const char *shape)
{
	for (size_t i = 0; i < d->tensors; i++)
		if (!strcmp(d->tensor[i].shape, shape))
			return &d->tensor[i];
	return NULL;
}

Test(diff, tensors_come_go_and_grow)
{
	struct sides s = { .build = { { .quantum = 1 }, { .quantum = 1 } }, .arena = ARENA_INIT };
	struct diff d;

	for (int i = 0; i < 2; i++) {
		struct build *b = &s.build[i];

		build_point(b, build_site(b, i ? "/srv/job/train.py" : "train.py", 10));
		build_count(b, build_row(b, "(64, 10)", NULL), i ? 5 : 2);
		build_count(b, build_row(b, i ? "(8,)" : "(4,)", NULL), 1);
	}
	compare(&s, &d);
	cr_assert_eq(d.tensors, 3);
	cr_assert_eq(tensor(&d, "(64, 10)")->change, DIFF_GREW);
	/* Three more of 64 x 10 x 4 bytes. */
	cr_assert_eq(tensor(&d, "(64, 10)")->bytes[1] - tensor(&d, "(64, 10)")->bytes[0], 7680);
	cr_assert_eq(tensor(&d, "(8,)")->change, DIFF_CAME);
	cr_assert_eq(tensor(&d, "(4,)")->change, DIFF_WENT);
	/* The folder does not matter. */
	cr_assert_eq(d.positions, 1);
	cr_assert_eq(d.level[0].peak[1] - d.level[0].peak[0], 7680 + 16);
	release(&s);
}

/* An old report prints module and no dtype, a new one file and dtype. */
Test(diff, dialects_are_reconciled)
{
	struct sides s = { .build = { { .quantum = 100000 }, { .quantum = 104858 } },
			   .arena = ARENA_INIT };
	struct diff d;
	int row;

	build_point(&s.build[0], build_site_of(&s.build[0], (struct site){ NULL, 40, "<module>",
									   "__main__", NULL }));
	row = build_row(&s.build[0], "(64,)", NULL);
	build_count(&s.build[0], row, 15);
	s.build[0].row.at[row].dtype = NULL;
	build_level(&s.build[0], LEVEL_DEVICE, 700000000);
	build_point(&s.build[1],
		    build_site_of(&s.build[1],
				  (struct site){ "train.py", 40, "<module>", NULL, NULL }));
	build_count(&s.build[1], build_row(&s.build[1], "(64,)", "torch.Tensor"), 14);
	build_count(&s.build[1], build_row_of(&s.build[1], "(64,)", "torch.Tensor", "torch.int64"),
		    1);
	build_level(&s.build[1], LEVEL_ALLOCATED, 90000000);
	compare(&s, &d);
	cr_assert_eq(d.tensors, 1);
	cr_assert_eq(d.tensor[0].change, DIFF_SAME);
	cr_assert_eq(d.positions, 1);
	cr_assert_eq(d.position[0].visits[0], 1);
	cr_assert_eq(d.position[0].visits[1], 1);
	/* Device and allocated are not compared: visible is what both have. */
	cr_assert_eq(d.total, LEVEL_VISIBLE);
	release(&s);
}

/* The same script on another machine; labels stand for themselves. */
Test(diff, places_are_the_same_whatever_the_folder)
{
	static const struct {
		struct site a, b;
		size_t positions; /* 1: one and the same */
	} rows[] = {
		{ { "/srv/job/train.py", 10 }, { "train.py", 10 }, 1 },
		{ { "C:\\job\\train.py", 10 }, { "train.py", 10 }, 1 },
		{ { "train.py", 10 }, { "eval.py", 10 }, 2 },
		{ { "train.py", 10 }, { "train.py", 11 }, 2 },
		{ { .label = "epoch" }, { .label = "epoch" }, 1 },
		{ { .label = "epoch" }, { .label = "batch" }, 2 },
		{ { .label = "epoch" }, { "train.py", 10 }, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sides s = { .build = { { .quantum = 1 }, { .quantum = 1 } },
				   .arena = ARENA_INIT };
		struct diff d;

		build_point(&s.build[0], build_site_of(&s.build[0], rows[i].a));
		build_point(&s.build[1], build_site_of(&s.build[1], rows[i].b));
		compare(&s, &d);
		cr_assert_eq(d.positions, rows[i].positions, "row %zu: %zu positions", i,
			     d.positions);
		release(&s);
	}
}

/* A script whose lines moved: "f10 f14 g30" are sites, in the order of the run. */
static const struct {
	const char *before, *now;
	size_t came, went;
} edits[] = {
	{ "f10", "f12", 0, 0 },         /* two lines more above it */
	{ "f10 f14", "f14 f18", 0, 0 }, /* f14 is not the f14 of before */
	{ "f10 g10", "f12 g12", 0, 0 },
	{ "f10", "g10", 1, 1 },
	{ "f10 f14", "f10 f12 f14", 1, 0 }, /* a place more: the lines decide */
	{ "f10 f14", "f11 f13 f15", 3, 2 },
};

static void build_places(struct build *b, const char *places)
{
	for (const char *p = places; *p; p += 3 + (p[3] == ' ')) {
		struct site site = { "train.py", strtol(p + 1, NULL, 10), *p == 'f' ? "f" : "g" };

		build_point(b, build_site_of(b, site));
	}
}

Test(diff, places_are_the_same_after_an_edit)
{
	for (size_t i = 0; i < sizeof(edits) / sizeof(*edits); i++) {
		struct sides s = { .build = { { .quantum = 1 }, { .quantum = 1 } },
				   .arena = ARENA_INIT };
		size_t count[DIFF_CHANGES] = { 0 };
		struct diff d;

		build_places(&s.build[0], edits[i].before);
		build_places(&s.build[1], edits[i].now);
		compare(&s, &d);
		for (size_t k = 0; k < d.positions; k++)
			count[d.position[k].change]++;
		cr_expect_eq(count[DIFF_CAME], edits[i].came, "%s, then %s", edits[i].before,
			     edits[i].now);
		cr_expect_eq(count[DIFF_WENT], edits[i].went, "%s, then %s", edits[i].before,
			     edits[i].now);
		release(&s);
	}
}

/* The allocator's bytes grow by `step` an iteration, which no tensor explains. */
static void build_growth(struct build *b, int64_t step)
{
	int site = build_site(b, "train.py", 10);

	for (int i = 1; i <= 20; i++) {
		build_point(b, site);
		build_level(b, LEVEL_VISIBLE, 1 << 30);
		build_level(b, LEVEL_ALLOCATED, (1 << 30) + i * step);
	}
}

Test(diff, findings_grow_shrink_and_stay)
{
	static const struct {
		int64_t step[2];
		enum diff_change change;
	} rows[] = {
		{ { 1 << 20, 3 << 20 }, DIFF_GREW }, { { 3 << 20, 1 << 20 }, DIFF_SHRANK },
		{ { 1 << 20, 1 << 20 }, DIFF_SAME }, { { 0, 1 << 20 }, DIFF_CAME },
		{ { 1 << 20, 0 }, DIFF_WENT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sides s = { .build = { { .quantum = 1 }, { .quantum = 1 } },
				   .arena = ARENA_INIT };
		struct diff d;

		for (int k = 0; k < 2; k++)
			build_growth(&s.build[k], rows[i].step[k]);
		compare(&s, &d);
		cr_assert_eq(d.findings, 1, "row %zu: %zu findings", i, d.findings);
		cr_assert_eq(d.finding[0].change, rows[i].change, "row %zu: %s", i,
			     diff_change_names[d.finding[0].change]);
		release(&s);
	}
}

/* A card in whole percents against itself in bytes: no level and no rate is compared. */
Test(diff, shares_and_bytes_do_not_compare)
{
	struct sides s = { .build = { { .quantum = 1 }, { .quantum = 1 } }, .arena = ARENA_INIT };
	struct diff d;

	for (int i = 0; i < 2; i++) {
		struct build *b = &s.build[i];

		build_subject(b, 0, 0, -1);
		b->subject[0].used.quantum = i ? 1 : 100;
		b->subject[0].used.percent = !i;
		for (int k = 0; k < 28; k++) {
			build_point(b, -1);
			build_used(b, 0, i ? (int64_t)(k + 1) << 20 : (k + 1) * 100);
		}
	}
	compare(&s, &d);
	cr_assert_eq(d.levels, 0);
	cr_assert_eq(d.findings, 1);
	cr_assert_eq(d.finding[0].change, DIFF_SAME);
	release(&s);
}
