#ifndef ANALYSIS_ROLES_H
#define ANALYSIS_ROLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * What the visible tensors of one point are for: a guess from shape, class and count, and to be
 * told as one.
 *
 * A training keeps, for each parameter, a gradient of its shape and what the optimizer remembers of
 * it: nothing, one tensor (momentum) or a pair (Adam).  So a row whose count has become 2, 3 or 4
 * times that of its first block holds parameters, gradients and state.  Reports without classes do
 * not say what a parameter is: there, matrices that came in one block with a bias as long as their
 * first dimension.  Activations share the batch in their first dimension.
 */
enum role {
	ROLE_PARAMETERS,
	ROLE_GRADIENTS,
	ROLE_OPTIMIZER,
	ROLE_ACTIVATIONS,
	ROLE_SCALARS,
	ROLE_OTHER,
	ROLES
};

extern const char *const role_names[ROLES];

struct roles {
	struct role_sum {
		int64_t bytes, tensors;
	} role[ROLES];
	int64_t batch; /* first dimension that activations share; 0: none */
};

/* The bytes sum to those of all rows at the point.  `scratch` holds what is needed meanwhile. */
void roles_guess(struct roles *out, struct arena *scratch, const struct timeline *timeline,
		 size_t point);

/*
 * The first dimension that most bytes of the rows that hold no parameters share at the point: of
 * two rows or more, rank 2 and more; 0: there is none.
 */
int64_t roles_batch(struct arena *scratch, const struct timeline *timeline, size_t point);

#endif
