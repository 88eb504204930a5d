#include "analysis/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/site.h"

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Either does not say, or both say the same. */
static bool agree(const char *a, const char *b)
{
	return !a || !b || !strcmp(a, b);
}

static bool same_file(const struct site *a, const struct site *b)
{
	return (!a->file || !b->file ||
		!strcmp(site_base_name(a->file), site_base_name(b->file))) &&
	       agree(a->module, b->module);
}

static bool same_line(const struct site *a, const struct site *b)
{
	if (a->label || b->label)
		return same_text(a->label, b->label);
	return a->code_line == b->code_line && same_file(a, b) && agree(a->function, b->function);
}

static bool same_function(const struct site *a, const struct site *b)
{
	return !a->label && !b->label && same_file(a, b) && same_text(a->function, b->function);
}

/* How many sites of `t` are in the function of `of`; how many of them stand above `line`. */
static size_t in_function(const struct timeline *t, const struct site *of, size_t *above)
{
	size_t n = 0;

	*above = 0;
	for (size_t i = 0; i < t->sites; i++) {
		if (!same_function(&t->site[i], of))
			continue;
		n++;
		*above += t->site[i].code_line < of->code_line;
	}
	return n;
}

/* The site of `t` in the function of `of` that stands below `above` others. */
static int nth_in_function(const struct timeline *t, const struct site *of, size_t above)
{
	for (size_t i = 0; i < t->sites; i++) {
		size_t n;

		if (!same_function(&t->site[i], of))
			continue;
		in_function(t, &t->site[i], &n);
		if (n == above)
			return (int)i;
	}
	return PLACE_NONE;
}

static int find_place(const struct timeline *a, const struct timeline *b, const struct site *of)
{
	size_t above, ignored, n = in_function(b, of, &above);

	if (n && in_function(a, of, &ignored) == n)
		return nth_in_function(a, of, above);
	for (size_t i = 0; i < a->sites; i++)
		if (same_line(&a->site[i], of))
			return (int)i;
	return PLACE_NONE;
}

int *places_pair(struct arena *arena, const struct timeline *a, const struct timeline *b)
{
	int *pair = arena_alloc(arena, (b->sites + 1) * sizeof(*pair));
	bool *taken = xcalloc(a->sites + 1, sizeof(*taken));

	for (size_t k = 0; k < b->sites; k++) {
		pair[k] = find_place(a, b, &b->site[k]);
		if (pair[k] == PLACE_NONE)
			continue;
		if (taken[pair[k]])
			pair[k] = PLACE_NONE;
		else
			taken[pair[k]] = true;
	}
	free(taken);
	return pair;
}
