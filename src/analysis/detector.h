#ifndef ANALYSIS_DETECTOR_H
#define ANALYSIS_DETECTOR_H

#include <stddef.h>

#include "analysis/advice.h"
#include "analysis/analysis.h"
#include "analysis/counts.h"
#include "analysis/growth.h"
#include "analysis/loops.h"
#include "analysis/positions.h"

/*
 * Detectors turn the growth measured over one loop into findings, one cause each.
 *
 * Adding one: a file with a function of this form, a row in the table in detector.c, the cause's
 * sentences in advice.c, and a positive case and a near miss in tests/unit/test_detectors.c.
 *
 * The order of the table is the order of evidence: exact counts, tensor bytes, levels, notes.  A
 * detector claims what it explains (grown rows, levels), and later ones leave that alone.
 */

/* A finding before it is known which loop it belongs to. */
struct candidate {
	struct finding finding;   /* why and advice come last, with the place */
	enum advice_case which;   /* of them */
	int loop;                 /* index, or -1: the run as a whole */
	const struct grown *row;  /* a growing row behind it, or NULL */
	struct quantity quantity; /* the level behind it; plus NULL: none */
	bool dropped;
};

struct candidates {
	struct candidate *at;
	size_t len, cap;
};

/* The allocator hands out multiples of 512 bytes: so much may hide behind each kept tensor. */
#define SCENE_ROUNDING 512

/* What detectors see: one run, seen through one loop. */
struct scene {
	const struct timeline *timeline;
	const struct analysis_options *options;
	struct arena *arena; /* of the analysis: findings and their texts live there */
	const struct positions *positions;
	const struct loop *loop; /* NULL: nothing repeats; only notes can be found */
	int loop_index;
	size_t base; /* iteration (from 0) whose end is the base of growth */
	struct level_growth level[GROWTH_LEVELS];
	bool explained[GROWTH_LEVELS]; /* a finding says where this growth comes from */
	struct grown_rows rows;
	double kept;     /* tensors an iteration that findings tell */
	bool rows_known; /* the log prints tensor rows, undamaged */
	struct candidates *out;
};

struct detector {
	const char *name;
	void (*run)(struct scene *scene);
	bool needs_loop;
};

/* In order; ends with a name of NULL. */
extern const struct detector detectors[];

void tensor_count_detect(struct scene *scene);
void tensor_size_detect(struct scene *scene);
void graph_retained_detect(struct scene *scene);
void model_copies_detect(struct scene *scene);
void released_detect(struct scene *scene);
void hidden_detect(struct scene *scene);
void outside_allocator_detect(struct scene *scene);
void process_growth_detect(struct scene *scene);
void device_growth_detect(struct scene *scene);
void resting_detect(struct scene *scene);
void cache_detect(struct scene *scene);
void context_detect(struct scene *scene);
void outlives_detect(struct scene *scene);
void peak_counter_detect(struct scene *scene);
void oom_detect(struct scene *scene);

/* For detectors: a new candidate with loop, site and unit filled in. */
struct finding *scene_report(struct scene *scene, enum finding_kind kind, const char *cause,
			     enum advice_case which);

/* The same with numbers from a trend; `q` is what was measured. */
struct finding *scene_report_level(struct scene *scene, const char *cause, enum advice_case which,
				   const struct trend *trend, struct quantity q);

/* The same from rows (grown[0] first), which get claimed; kind follows their evidence. */
struct finding *scene_report_rows(struct scene *scene, const char *cause, enum advice_case which,
				  struct grown *const *grown, size_t n);

/* Unclaimed rows in step with rows.at[leader], including it; room for rows.len.  Returns how many.
 */
size_t scene_group(struct scene *scene, size_t leader, struct grown **group);

static inline bool level_grows(const struct scene *scene, enum growth_level level)
{
	return scene->level[level].known && trend_grows(&scene->level[level].trend);
}

#endif
