#ifndef MODEL_FINDING_H
#define MODEL_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * What analysis says of a run: a verdict, growth of each level, findings.
 * Bytes are per iteration unless the name says otherwise; everything lives in the analysis's arena.
 */

enum verdict { VERDICT_LEAK, VERDICT_SUSPECT, VERDICT_CLEAN, VERDICT_UNDECIDED, VERDICTS };
extern const char *const verdict_names[VERDICTS]; /* "leak", … */

enum finding_kind { FINDING_LEAK, FINDING_SUSPECT, FINDING_NOTE, FINDING_KINDS };
extern const char *const finding_kind_names[FINDING_KINDS]; /* "leak", "suspect", "note" */

/* Every cause a finding may name; ends with a name of NULL. */
struct cause {
	const char *name;
	bool leak; /* growth that must be judged over iterations; else a note */
};
extern const struct cause causes[];
const struct cause *cause_find(const char *name);
/* "tensor-count, tensor-size, …"; in the arena. */
const char *cause_list(struct arena *arena);

/* Growth an iteration with the range that holds it; an exact count has low = high. */
struct growth {
	bool known;
	double estimate, low, high; /* bytes an iteration */
	bool percent; /* no bytes: hundredths of a percent of a card of unknown size */
};

/* The levels of design section 4, and the two totals that have no level of their own. */
enum growth_level {
	GROWTH_VISIBLE,
	GROWTH_HIDDEN, /* allocated − visible */
	GROWTH_ALLOCATED,
	GROWTH_CACHED,  /* reserved − allocated */
	GROWTH_OUTSIDE, /* process − reserved */
	GROWTH_PROCESS,
	GROWTH_DEVICE,
	GROWTH_LEVELS
};
extern const char *const growth_level_names[GROWTH_LEVELS];

/* One tensor row inside a finding. */
struct finding_row {
	const struct tensor_row *row; /* of rows that differ in size: the one alive at the end */
	const char *shape;            /* of row, or with * for a dimension that varies */
	double count_per_iteration;
	double bytes_per_iteration;
	const int64_t *history; /* the count at each iteration judged; tensor-size: the dimension */
	size_t iterations;
};

struct finding {
	enum finding_kind kind;
	const char *cause;               /* kebab-case, from the table of detectors */
	const struct site *site;         /* where growth was measured; NULL: nowhere in the code */
	const struct tensor_row *handle; /* the row that likely holds the others, or NULL */
	const struct subject *subject;   /* device or process, or NULL */
	double bytes_per_iteration, low, high;
	bool percent;                  /* the three are no bytes, as in struct growth */
	double count_per_iteration;    /* 0: not a matter of counts */
	int64_t first, last;           /* iterations, from 1, between which it grows */
	int64_t iterations;            /* judged */
	int64_t first_line, last_line; /* of the log */
	const struct finding_row *row;
	size_t rows;
	const char *
		unit; /* what one iteration is: "iteration", "outer iteration", "cycle", "sample" */
	const char *why;    /* a sentence */
	const char *advice; /* what to change; NULL for notes that need nothing */
	const char *detail; /* numbers behind it, a sentence or NULL */
};

/* Iterations until the capacity is reached. */
struct forecast {
	int64_t capacity;        /* bytes; unknown: no forecast */
	bool in_sight;           /* false: the interval of growth holds zero */
	int64_t left, low, high; /* iterations from the last point; high INT64_MAX: unbounded */
	int64_t seconds_left;    /* -1: no time stamps */
};

struct analysis {
	struct arena arena;
	enum verdict verdict;
	const char *why;
	int64_t iterations;      /* at the site that was judged; 0: no loop */
	const struct site *site; /* of the loop judged, or NULL */
	const char *unit;        /* what one iteration is; NULL: no loop */
	int64_t warm_up;         /* iterations left out at the start */
	/*
	 * The loop judged, for who wants to draw it: the point that ends each iteration, and the
	 * first point of the first.  `samples` of these are one unit; of a folded run each is
	 * `fold` iterations.  `outer` is the loop around it; NULL: none.
	 */
	const uint32_t *head, *outer;
	size_t heads, outers, from, samples;
	int64_t fold;
	struct growth growth[GROWTH_LEVELS];
	double smallest; /* growth an iteration that this log could have shown; < 0: unknown */
	bool smallest_percent; /* it is no bytes, as in struct growth */
	struct forecast forecast;
	const struct finding *finding; /* ranked: leaks first, by bytes */
	size_t findings;
	const char *log_next; /* what to log to learn more, or NULL */
};

void analysis_release(struct analysis *analysis);

#endif
