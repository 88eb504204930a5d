#ifndef TESTS_DETECTOR_RUN_H
#define TESTS_DETECTOR_RUN_H

#include <criterion/criterion.h>

#include "analysis/analysis.h"
#include "build_timeline.h"

/*
 * A run made by hand and judged.  One track() call an iteration at train.py:10 and exact levels
 * unless a test says otherwise.
 *
 *	start(&r); build_point(&r.b, r.site); … judge(&r, capacity); … finish(&r, verdict, cause);
 */
static const int64_t mib = 1024 * 1024;

struct run {
	struct build b;
	struct analysis a;
	int site;
};

static inline void start(struct run *r)
{
	*r = (struct run){ .b = { .quantum = 1 } };
	r->site = build_site(&r->b, "train.py", 10);
}

static inline void judge(struct run *r, int64_t capacity)
{
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;

	options.capacity = capacity;
	analyse(&r->a, build_done(&r->b), &options);
}

static inline const struct finding *find(const struct run *r, const char *cause)
{
	for (size_t i = 0; i < r->a.findings; i++)
		if (!strcmp(r->a.finding[i].cause, cause))
			return &r->a.finding[i];
	return NULL;
}

static inline void finish(struct run *r, enum verdict verdict, const char *cause)
{
	cr_assert_eq(r->a.verdict, verdict, "verdict %s: %s", verdict_names[r->a.verdict],
		     r->a.why);
	if (cause)
		cr_assert_not_null(find(r, cause), "no %s", cause);
	analysis_release(&r->a);
	build_release(&r->b);
}

#endif
