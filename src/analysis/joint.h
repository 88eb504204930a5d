#ifndef ANALYSIS_JOINT_H
#define ANALYSIS_JOINT_H

#include <string.h>

#include "analysis/align.h"
#include "base/vec.h"
#include "model/timeline.h"

/*
 * Logs being joined.  Private to join.c and join_times.c.
 */
typedef VEC(struct subject) subject_list;

struct joint {
	struct timeline *base;
	const struct timeline *parts;
	size_t n;
	struct alignment at;  /* of the base's points */
	const char *how;      /* they were found */
	subject_list subject; /* with values at the base's points */
};

/* What a log with time stamps says of a subject. */
struct samples {
	int64_t *time;
	double *value;
	size_t n;
};

struct samples samples_of(const struct timeline *timeline, const struct subject *subject);
void samples_release(struct samples *samples);

bool has_processes(const struct timeline *timeline);
bool same_device(const struct subject *a, const struct subject *b);

/* When the base's points were taken: joint->at and joint->how, which stays NULL if nothing tells. */
void find_times(struct joint *joint);

#endif
