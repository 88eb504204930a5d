#include "analysis/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/site.h"

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
		return text_equal(a->label, b->label);
	return a->code_line == b->code_line && same_file(a, b) && agree(a->function, b->function);
}

/* ---- functions with equally many places in both ---- */

struct place {
	const struct site *site;
	int index;
};

static int by_function(const struct place *a, const struct place *b)
{
	const char *one = a->site->file, *other = b->site->file;
	int order = strcmp(one ? site_base_name(one) : a->site->module,
			   other ? site_base_name(other) : b->site->module);

	return order ? order : strcmp(a->site->function, b->site->function);
}

static int by_line(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = by_function(x, y);

	if (order || x->site->code_line == y->site->code_line)
		return order;
	return x->site->code_line < y->site->code_line ? -1 : 1;
}

/* The places whose function is known, function by function, from above; the caller frees them. */
static struct place *places_in_order(const struct timeline *t, size_t *n)
{
	struct place *list = xcalloc(t->sites + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < t->sites; i++) {
		const struct site *s = &t->site[i];

		if (!s->label && s->function && (s->file || s->module))
			list[(*n)++] = (struct place){ s, (int)i };
	}
	qsort(list, *n, sizeof(*list), by_line);
	return list;
}

static size_t length_of_function(const struct place *list, size_t n)
{
	size_t len = 1;

	while (len < n && !by_function(&list[0], &list[len]))
		len++;
	return len;
}

static void pair_functions(int *pair, const struct timeline *a, const struct timeline *b)
{
	size_t before, now, i = 0, k = 0;
	struct place *old = places_in_order(a, &before), *new = places_in_order(b, &now);

	while (i < before && k < now) {
		int order = by_function(&old[i], &new[k]);
		size_t went = order <= 0 ? length_of_function(&old[i], before - i) : 0;
		size_t came = order >= 0 ? length_of_function(&new[k], now - k) : 0;

		for (size_t n = 0; went == came && n < came; n++)
			pair[new[k + n].index] = old[i + n].index;
		i += went;
		k += came;
	}
	free(old);
	free(new);
}

/* ---- the rest ---- */

static int find_line(const struct timeline *a, const struct site *of, const bool *taken)
{
	for (size_t i = 0; i < a->sites; i++)
		if (!taken[i] && same_line(&a->site[i], of))
			return (int)i;
	return PLACE_NONE;
}

int *places_pair(struct arena *arena, const struct timeline *a, const struct timeline *b)
{
	int *pair = arena_alloc(arena, (b->sites + 1) * sizeof(*pair));
	bool *taken = xcalloc(a->sites + 1, sizeof(*taken));

	for (size_t k = 0; k < b->sites; k++)
		pair[k] = PLACE_NONE;
	pair_functions(pair, a, b);
	for (size_t k = 0; k < b->sites; k++)
		if (pair[k] != PLACE_NONE)
			taken[pair[k]] = true;
	for (size_t k = 0; k < b->sites; k++) {
		if (pair[k] == PLACE_NONE)
			pair[k] = find_line(a, &b->site[k], taken);
		if (pair[k] != PLACE_NONE)
			taken[pair[k]] = true;
	}
	free(taken);
	return pair;
}
