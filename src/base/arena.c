#include "base/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { CHUNK = 16 * 1024 };

struct arena_chunk {
	struct arena_chunk *next;
	max_align_t data[];
};

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t align = sizeof(max_align_t);
	struct arena_chunk *chunk = arena->chunks;
	void *ptr;

	size = (size + align - 1) / align * align;
	if (!chunk || arena->used + size > arena->size) {
		arena->size = size > CHUNK ? size : CHUNK;
		arena->used = 0;
		chunk = xcalloc(1, sizeof(*chunk) + arena->size);
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	ptr = (char *)chunk->data + arena->used;
	arena->used += size;
	return ptr;
}

char *arena_text(struct arena *arena, struct span text)
{
	char *copy;

	if (!text.ptr)
		return NULL;
	copy = arena_alloc(arena, text.len + 1);
	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return copy;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	char *copy;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	copy = arena_alloc(arena, (size_t)(n > 0 ? n : 0) + 1);
	va_start(ap, fmt);
	vsnprintf(copy, (size_t)(n > 0 ? n : 0) + 1, fmt, ap);
	va_end(ap);
	return copy;
}

void arena_release(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	*arena = (struct arena)ARENA_INIT;
}
