#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"

/*
 * Distinct byte strings, numbered 0, 1, 2, … in the order they first came.
 * The texts live in the table until intern_release(); numbers never change.
 */
struct intern {
	struct arena arena;
	struct span *text; /* by number */
	uint32_t *slot;    /* hash table of number + 1 */
	size_t len, cap, slots;
};

#define INTERN_INIT \
	{ \
		ARENA_INIT, NULL, NULL, 0, 0, 0 \
	}

/* The number of `text`; *added (may be NULL) tells whether it is new. */
size_t intern(struct intern *table, struct span text, bool *added);
void intern_release(struct intern *table);

#endif
