#ifndef ANALYSIS_ADVICE_H
#define ANALYSIS_ADVICE_H

#include "base/arena.h"

/*
 * What to tell a person about a cause: why it is what it is, and one thing to change.  One table,
 * in advice.c; '@' in its sentences stands for the place in the code or log.
 */
enum advice_case {
	ADVICE_COUNT,        /* tensors of a shape are kept */
	ADVICE_SCALAR,       /* scalars are kept, likely losses */
	ADVICE_SIZE,         /* one tensor grows */
	ADVICE_GRAPH,        /* outputs keep their graph alive */
	ADVICE_GRAPH_SUM,    /* the same without a row that a program holds */
	ADVICE_GRAPH_HIDDEN, /* the same where Python sees only the output */
	ADVICE_MODEL,
	ADVICE_HIDDEN,
	ADVICE_VISIBLE_ONLY, /* the sum of all tensors grows; no rows were logged */
	ADVICE_OUTSIDE,
	ADVICE_PROCESS,
	ADVICE_DEVICE,
	ADVICE_DEVICE_MIXED, /* the device grows while the run's tensors do not */
	ADVICE_OTHER_PROCESS,
	ADVICE_WARM_UP,
	ADVICE_STEP,
	ADVICE_PLATEAU,
	ADVICE_VARIES, /* up and down between the same bounds */
	ADVICE_SAWTOOTH,
	ADVICE_RELEASED, /* grew while a loop ran, and went with it */
	ADVICE_CACHE,
	ADVICE_CACHE_FREED, /* fell back when the cache was emptied */
	ADVICE_FRAGMENTATION,
	ADVICE_CONTEXT,
	ADVICE_OUTLIVES,
	ADVICE_PEAK,
	ADVICE_OOM,
	ADVICE_CASES
};

/* Live in the arena; the advice of a note that needs none is NULL. */
const char *advice_why(struct arena *arena, enum advice_case which, const char *place);
const char *advice_text(struct arena *arena, enum advice_case which, const char *place);

#endif
