/*
 * What must not change a verdict: the order of rows, the names of files, functions and shapes, and
 * the unit of all sizes.  A few runs of each kind, made by a seeded generator (xorshift64*).
 */
#include <criterion/criterion.h>

#include "analysis/analysis.h"
#include "build_timeline.h"

enum { RUNS = 60, ROWS = 9, ITERATIONS = 42 };

struct change {
	bool reverse;  /* order of rows */
	bool rename;   /* files, functions and dimensions */
	int64_t scale; /* of all sizes */
};

static uint64_t next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * UINT64_C(2685821657736338717)) >> 33;
}

/* How many tensors of row r are alive at iteration i; kind of run k. */
static int64_t count_of(unsigned kind, int r, int i, uint64_t *random)
{
	switch (kind % 6) {
	case 0: /* healthy, with one row that comes and goes */
		return r == 3 ? (int64_t)(next(random) % 3) : 2;
	case 1: /* one row grows */
		return r == 5 ? i + 1 : 2;
	case 2: /* four grow in step */
		return r >= 4 && r < 8 ? (r % 2 + 1) * (i + 1) : 1;
	case 3: /* a bounded buffer */
		return r == 6 ? (i < 10 ? i : 10) : 1;
	case 4: /* now and then */
		return r == 8 ? 1 + i / 4 : (int64_t)(1 + next(random) % 2);
	default: /* parameters, kept each time */
		return r < 3 ? 4 * (i + 1) : 1;
	}
}

static void name_row(char out[64], int r, bool rename)
{
	static const int rank[ROWS] = { 2, 1, 2, 4, 4, 4, 2, 2, 1 };
	static const int dim[ROWS] = { 256, 256, 10, 64, 32, 16, 128, 12, 1 };
	int d = rename ? 3 * dim[r] + 1 : dim[r], batch = rename ? 7 : 64;

	if (rank[r] == 1)
		snprintf(out, 64, "(%d,)", d);
	else if (rank[r] == 2)
		snprintf(out, 64, "(%d, %d)", batch, d);
	else
		snprintf(out, 64, "(%d, %d, 8, 8)", batch, d);
}

static void judge(unsigned kind, struct change change, enum verdict *verdict, const char **cause)
{
	static char shape[ROWS][64];
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	struct build b = { .quantum = change.scale * 104858 };
	uint64_t random = 77 + kind;
	int row[ROWS], site;
	struct analysis a;

	site = build_site_of(&b, change.rename
					 ? (struct site){ "/x/y.py", 977, "zzz", NULL, NULL }
					 : (struct site){ "train.py", 10, "train", NULL, NULL });
	for (int k = 0; k < ROWS; k++) {
		int r = change.reverse ? ROWS - 1 - k : k;

		name_row(shape[r], r, change.rename);
		row[r] = build_row(&b, shape[r],
				   r < 3 ? "torch.nn.parameter.Parameter" : "torch.Tensor");
		b.row.at[row[r]].itemsize *= (int)change.scale;
	}
	for (int i = 0; i < ITERATIONS; i++) {
		int64_t bytes = 0;

		build_point(&b, site);
		for (int r = 0; r < ROWS; r++) {
			int64_t count = count_of(kind, r, i, &random);

			build_count(&b, row[r], count);
			bytes += count * b.row.at[row[r]].numel * b.row.at[row[r]].itemsize;
		}
		bytes += change.scale * (int64_t)(next(&random) % 3) * 1048576;
		build_level(&b, LEVEL_ALLOCATED, bytes / b.quantum * b.quantum);
	}
	analyse(&a, build_done(&b), &options);
	*verdict = a.verdict;
	*cause = a.findings && a.finding[0].kind == FINDING_LEAK ? a.finding[0].cause : NULL;
	analysis_release(&a);
	build_release(&b);
}

static void check(struct change change)
{
	for (unsigned kind = 0; kind < RUNS; kind++) {
		const char *cause, *cause_changed;
		enum verdict plain, changed;

		judge(kind, (struct change){ .scale = 1 }, &plain, &cause);
		judge(kind, change, &changed, &cause_changed);
		cr_assert_eq(plain, changed, "run %u: %s became %s", kind, verdict_names[plain],
			     verdict_names[changed]);
		cr_assert_eq(cause == NULL, cause_changed == NULL, "run %u", kind);
		if (cause)
			cr_assert_str_eq(cause, cause_changed);
	}
}

Test(analysis_properties, order_of_rows)
{
	check((struct change){ .reverse = true, .scale = 1 });
}

Test(analysis_properties, names)
{
	check((struct change){ .rename = true, .scale = 1 });
}

Test(analysis_properties, sizes_times_eight)
{
	check((struct change){ .scale = 8 });
}

/* Each kind is what it was made to be: the properties are not about a constant answer. */
Test(analysis_properties, the_runs_differ)
{
	static const enum verdict expected[6] = { VERDICT_CLEAN, VERDICT_LEAK, VERDICT_LEAK,
						  VERDICT_CLEAN, VERDICT_LEAK, VERDICT_LEAK };

	for (unsigned kind = 0; kind < RUNS; kind++) {
		enum verdict verdict;
		const char *cause;

		judge(kind, (struct change){ .scale = 1 }, &verdict, &cause);
		cr_assert_eq(verdict, expected[kind % 6], "run %u: %s", kind,
			     verdict_names[verdict]);
	}
}
