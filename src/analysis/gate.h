#ifndef ANALYSIS_GATE_H
#define ANALYSIS_GATE_H

#include "model/finding.h"
#include "model/timeline.h"

/*
 * Limits on a run.  Each alone fails the gate.  A measured growth fails only when the lower end of
 * its interval passes the limit; the estimate alone above it is no proof.
 */

struct gate_limits {
	int64_t max_growth; /* bytes an iteration, of any level; unknown: no such limit */
	int64_t max_peak;   /* bytes, of the widest total; unknown: no such limit */
};

enum gate_outcome { GATE_PASS, GATE_WARN, GATE_UNDECIDED, GATE_FAIL, GATE_OUTCOMES };
extern const char
	*const gate_outcome_names[GATE_OUTCOMES]; /* "pass", "warn", "undecided", "fail" */

struct gate_rule {
	const char *rule; /* the option without dashes */
	int64_t limit;
	bool measured_known;
	double measured, low, high;
	const char *level;             /* that was measured */
	const struct site *site;       /* or NULL */
	const struct finding *finding; /* that explains it, or NULL */
	enum gate_outcome outcome;
	const char *why; /* a sentence */
};

enum { GATE_RULES = 2 };

/* Judges the limits that are set; fills rules[0 …] in the order of the limits and returns how many.
 * Sentences live in the arena. */
size_t gate_judge(struct gate_rule rules[GATE_RULES], struct arena *arena,
		  const struct gate_limits *limits, const struct timeline *timeline,
		  const struct analysis *analysis);

#endif
