#ifndef ANALYSIS_SERIES_H
#define ANALYSIS_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/loops.h"
#include "analysis/trend.h"
#include "model/timeline.h"

/*
 * From values a point to values an iteration.
 */

/* A quantity of a point: one series, or the difference of two; unknown where either is. */
struct quantity {
	const struct series *plus, *minus; /* minus NULL: plus alone */
};

/* The step that the log can show; 0: exact. */
double quantity_quantum(struct quantity q);

int64_t quantity_at(struct quantity q, size_t point);

/*
 * Printed in steps of a percent of the card or more, or as a share of a card of unknown size: a step
 * or two of it are no evidence of growth, nor of its absence.
 */
bool quantity_coarse(const struct timeline *timeline, struct quantity q);

/*
 * The floor of each iteration from `first` (from 0) on: the smallest known value of its points.
 * t and v have room for all iterations; an iteration that says nothing is left out.  Returns how
 * many there are.
 */
size_t series_floors(const struct loop *loop, struct quantity q, size_t first, double *t,
		     double *v);

/*
 * Cuts what comes before the job's start and after its end off a monitor's series: samples at the
 * bottom of the range, at both ends, at least three at the start.  Moves what remains to the front.
 */
size_t series_trim_idle(double *t, double *v, size_t n);

/* Judges the floors of a quantity; rates are those of loop->samples of them. */
void series_judge(struct trend *out, const struct timeline *timeline, const struct loop *loop,
		  struct quantity q, size_t first);

/* A row's smallest count within each iteration from `first` on; room for loop->n - first. */
void series_counts(const struct loop *loop, const struct tensor_row *row, size_t first,
		   int64_t *out);

/* A row's count after `point`. */
int64_t series_count_at(const struct tensor_row *row, size_t point);

#endif
