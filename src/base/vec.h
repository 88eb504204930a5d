#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdlib.h>

#include "base/alloc.h"

/*
 * A typed, growing array.
 *
 *	VEC(int) numbers = VEC_INIT;
 *	*vec_push(&numbers) = 5;
 *	for (size_t i = 0; i < numbers.len; i++)
 *		use(numbers.at[i]);
 *	vec_release(&numbers);
 *
 * vec_push() makes room for one item and yields its address; the item is not initialised, and
 * addresses change when the vector grows.
 */
#define VEC(type) \
	struct { \
		type *at; \
		size_t len, cap; \
	}
#define VEC_INIT \
	{ \
		NULL, 0, 0 \
	}

#define vec_reserve(v, n) \
	((n) <= (v)->cap \
		 ? (void)0 \
		 : (void)((v)->at = xrealloc((v)->at, (n), sizeof(*(v)->at)), (v)->cap = (n)))

#define vec_push(v) \
	((v)->len == (v)->cap ? (void)((v)->cap = (v)->cap ? 2 * (v)->cap : 8, \
				       (v)->at = xrealloc((v)->at, (v)->cap, sizeof(*(v)->at))) \
			      : (void)0, \
	 &(v)->at[(v)->len++])

#define vec_clear(v)   ((void)((v)->len = 0))
#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)

#endif
