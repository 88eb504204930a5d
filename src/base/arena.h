#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/span.h"

/*
 * Many small allocations, released at once.  Memory is zeroed and stays where it is until
 * arena_release().
 */
struct arena_chunk;
struct arena {
	struct arena_chunk *chunks;
	size_t used, size; /* of the newest chunk */
};

#define ARENA_INIT \
	{ \
		NULL, 0, 0 \
	}

void *arena_alloc(struct arena *arena, size_t size);
/* A NUL-terminated copy; a span without text gives NULL. */
char *arena_text(struct arena *arena, struct span text);
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_release(struct arena *arena);

#endif
