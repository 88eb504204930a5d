#ifndef ANALYSIS_GATE_H
#define ANALYSIS_GATE_H

#include "analysis/baseline.h"
#include "analysis/policy.h"
#include "model/finding.h"
#include "model/gate.h"
#include "model/timeline.h"

/*
 * Limits on a run.  Each alone fails the gate.  A measured value fails only when the lower end of
 * its interval passes the limit; the estimate alone above it is no proof, and warns.  What the run
 * cannot tell is undecided, never a pass.
 *
 * Adding a limit: a row in gate_limit_types (gate_limits.c) and its judge.  Options, the policy
 * file, help and reports follow from the row.
 */
struct gate_limit {
	const struct gate_limit_type *type;
	const char *written; /* as the option was given: "hidden:1KiB"; NULL: no argument */
	int level;           /* enum growth_level, or GROWTH_LEVELS for any of them */
	int64_t number;      /* bytes or tensors */
	const char *cause;
};

/* What a judge sees. */
struct gate_scene {
	const struct timeline *timeline;
	const struct analysis *analysis;
	const struct policy *policy;     /* what is suppressed; never NULL */
	int64_t today;                   /* nanoseconds since 1970 UTC */
	const struct baseline *baseline; /* or NULL */
	const char *baseline_option;     /* "--baseline FILE" */
	struct tolerance tolerance;
	struct gate_result *out;
};

struct gate_limit_type {
	const char *name;     /* of the option, without dashes */
	const char *argument; /* for help; NULL: takes none */
	const char *help;
	/* 0, or -1 with a usage error. */
	int (*parse)(struct gate_limit *limit, struct arena *arena, const char *text);
	void (*judge)(const struct gate_scene *scene, const struct gate_limit *limit);
};

/* Ends with a name of NULL. */
extern const struct gate_limit_type gate_limit_types[];
enum { GATE_LIMIT_TYPES = 6 };

/* text NULL for a type without argument; the limit's texts live in the arena. */
int gate_limit_parse(struct gate_limit *out, struct arena *arena,
		     const struct gate_limit_type *type, const char *text);

/* Adds a rule for each limit, what the baseline says, and notes of what was suppressed. */
void gate_judge(const struct gate_scene *scene, const struct gate_limit *limits, size_t n);

/* Adds a failing rule for each suppression whose last day is over; once, not per run. */
void gate_expired(struct gate_result *out, const struct policy *policy, int64_t today);

/*
 * Adds notes where the runs together are better than the baseline: `now` is the baseline that they
 * would make.
 */
void gate_better(struct gate_result *out, const struct baseline *baseline,
		 const struct baseline *now, struct tolerance tolerance);

#endif
