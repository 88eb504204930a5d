#ifndef BASE_SHAPE_H
#define BASE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/* The text of a Python tuple of sizes, as str(tuple) prints it: "()", "(512,)", "(64, 3, 7, 7)". */
enum { SHAPE_MAX_RANK = 32 };

struct shape {
	int rank;
	int64_t dim[SHAPE_MAX_RANK];
	int64_t numel; /* product, 1 for (); QUANTITY_UNKNOWN if it passes int64 */
};

/* False unless the whole text is such a tuple of at most SHAPE_MAX_RANK sizes. */
bool shape_parse(struct span text, struct shape *shape);

/* Bytes of one element of "torch.float32", "float32", …; 0 for a dtype that is not known. */
int dtype_size(struct span dtype);

#endif
