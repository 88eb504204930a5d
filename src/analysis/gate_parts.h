#ifndef ANALYSIS_GATE_PARTS_H
#define ANALYSIS_GATE_PARTS_H

#include "analysis/gate.h"

/*
 * What the gate's judges share.  Private to gate*.c.
 */

void judge_growth(const struct gate_scene *scene, const struct gate_limit *limit);
void judge_growth_count(const struct gate_scene *scene, const struct gate_limit *limit);
void judge_peak(const struct gate_scene *scene, const struct gate_limit *limit);
void judge_hidden(const struct gate_scene *scene, const struct gate_limit *limit);
void judge_leaks(const struct gate_scene *scene, const struct gate_limit *limit);
void judge_cause(const struct gate_scene *scene, const struct gate_limit *limit);
void judge_baseline(const struct gate_scene *scene);

/* A new rule of the limit's type, with run, source and option filled in. */
struct gate_rule *gate_rule_new(const struct gate_scene *scene, const char *rule,
				const char *option);
struct gate_rule *gate_rule_of(const struct gate_scene *scene, const struct gate_limit *limit);

void gate_rule_at(const struct gate_scene *scene, struct gate_rule *rule, const struct site *site);
/* Cause, tensors, place, reason and advice of a finding. */
void gate_rule_explain(const struct gate_scene *scene, struct gate_rule *rule,
		       const struct finding *finding);

/* The measured number with its interval; the limit must be set.  Fails, warns or passes. */
void gate_rule_measure(struct gate_rule *rule, double measured, double low, double high);

/* A leak or suspect that no valid suppression hides. */
bool gate_counts(const struct gate_scene *scene, const struct finding *finding);
/* The worst of them; NULL if there is none. */
const struct finding *gate_worst(const struct gate_scene *scene);

/* "512 B (510 B to 514 B)", or the share of the card for want of bytes; an iteration. */
const char *gate_rate(const struct gate_scene *scene, const struct finding *finding);
/* Has this level bytes to hold against a limit? */
static inline bool gate_judges(const struct gate_scene *scene, enum growth_level level)
{
	return scene->analysis->growth[level].known && !scene->analysis->growth[level].percent;
}

/* "512 B", "any amount" if it has no bound; in the result's arena. */
const char *gate_bytes(const struct gate_scene *scene, double bytes);
/* " (512 B to 3.4 KiB)"; nothing where both ends read the same. */
const char *gate_range(const struct gate_scene *scene, double low, double high);
/* "an iteration", "a sample". */
const char *gate_per(const struct gate_scene *scene, const char *unit);

/* Growth of a level without what is suppressed. */
struct growth gate_growth(const struct gate_scene *scene, enum growth_level level);
/* The run's device may hold other programs' memory: growth of it alone proves nothing. */
bool gate_proves(const struct gate_scene *scene, enum growth_level level);

#endif
