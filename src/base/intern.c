#include "base/intern.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

static size_t slot_of(const struct intern *t, struct span text)
{
	size_t i = hash64(text.ptr, text.len) & (t->slots - 1);

	while (t->slot[i] && !span_equal(t->text[t->slot[i] - 1], text))
		i = (i + 1) & (t->slots - 1);
	return i;
}

static void grow(struct intern *t)
{
	t->slots = t->slots ? 2 * t->slots : 64;
	free(t->slot);
	t->slot = xcalloc(t->slots, sizeof(*t->slot));
	for (size_t i = 0; i < t->len; i++)
		t->slot[slot_of(t, t->text[i])] = (uint32_t)i + 1;
}

size_t intern(struct intern *t, struct span text, bool *added)
{
	size_t at;

	if (2 * t->len >= t->slots)
		grow(t);
	at = slot_of(t, text);
	if (added)
		*added = !t->slot[at];
	if (t->slot[at])
		return t->slot[at] - 1;
	if (t->len == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 32;
		t->text = xrealloc(t->text, t->cap, sizeof(*t->text));
	}
	text.ptr = text.ptr ? arena_text(&t->arena, text) : NULL;
	t->text[t->len++] = text;
	t->slot[at] = (uint32_t)t->len;
	return t->len - 1;
}

void intern_release(struct intern *t)
{
	arena_release(&t->arena);
	free(t->text);
	free(t->slot);
	*t = (struct intern)INTERN_INIT;
}
