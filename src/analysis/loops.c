#include "analysis/loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Markers looked at, most frequent first: what lies beyond cannot be a loop of note. */
enum { MARKERS = 64 };

/* The shares that make "nearly always", so that one odd iteration does not hide a loop. */
static const double mostly = 0.8, same_loop = 0.9;

struct marker {
	int32_t before, position; /* before -1: the position alone */
	const uint32_t *point;
	size_t n;
};

struct finder {
	const struct positions *positions;
	struct arena *arena;
	struct loops *loops;
	uint32_t *by_site, *by_step; /* points, sorted by marker */
	struct marker marker[MARKERS];
	size_t markers;
};

static void add_marker(struct finder *f, struct marker m)
{
	size_t i;

	if (m.n < 2)
		return;
	/* a position before a step of equal count, earlier before later: the order is total */
	for (i = f->markers; i > 0 && f->marker[i - 1].n < m.n; i--)
		if (i < MARKERS)
			f->marker[i] = f->marker[i - 1];
	if (i < MARKERS) {
		f->marker[i] = m;
		f->markers += f->markers < MARKERS;
	}
}

/* Sorts the points by key (counting sort); bucket k is out[start[k]] … out[start[k + 1] - 1]. */
static void bucket_points(uint32_t *out, size_t *start, const size_t *key, size_t points,
			  size_t keys)
{
	for (size_t i = 0; i < points; i++)
		if (key[i] < keys)
			start[key[i] + 1]++;
	for (size_t k = 0; k < keys; k++)
		start[k + 1] += start[k];
	for (size_t i = 0; i < points; i++)
		if (key[i] < keys)
			out[start[key[i]]++] = (uint32_t)i;
	memmove(start + 1, start, keys * sizeof(*start));
	start[0] = 0;
}

static void site_markers(struct finder *f)
{
	const struct positions *p = f->positions;
	size_t *key = xmalloc((p->points + 1) * sizeof(*key));
	size_t *start = xcalloc(p->sites + 2, sizeof(*start));

	f->by_site = arena_alloc(f->arena, (p->points + 1) * sizeof(*f->by_site));
	for (size_t i = 0; i < p->points; i++)
		key[i] = p->at[i] < 0 ? SIZE_MAX : (size_t)p->at[i];
	bucket_points(f->by_site, start, key, p->points, p->sites);
	for (size_t s = 0; s < p->sites; s++)
		add_marker(f, (struct marker){ -1, (int32_t)s, f->by_site + start[s],
					       start[s + 1] - start[s] });
	free(start);
	free(key);
}

/* Steps between different positions; skipped where the table of pairs would outgrow the log. */
static void step_markers(struct finder *f)
{
	const struct positions *p = f->positions;
	size_t pairs = p->sites * p->sites, *key, *start;

	if (p->sites > 2048 || pairs > 4 * p->points + 4096)
		return;
	key = xmalloc((p->points + 1) * sizeof(*key));
	start = xcalloc(pairs + 2, sizeof(*start));
	f->by_step = arena_alloc(f->arena, (p->points + 1) * sizeof(*f->by_step));
	for (size_t i = 0; i < p->points; i++) {
		bool step = i > 0 && p->at[i] >= 0 && p->at[i - 1] >= 0 && p->at[i] != p->at[i - 1];

		key[i] = step ? (size_t)p->at[i - 1] * p->sites + (size_t)p->at[i] : SIZE_MAX;
	}
	bucket_points(f->by_step, start, key, p->points, pairs);
	for (size_t k = 0; k < pairs; k++)
		add_marker(f, (struct marker){ (int32_t)(k / p->sites), (int32_t)(k % p->sites),
					       f->by_step + start[k], start[k + 1] - start[k] });
	free(start);
	free(key);
}

/* How many of a's gaps hold exactly one of b (least = 1, most = 1), or two or more, … */
static size_t gaps_holding(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, size_t least,
			   size_t most)
{
	size_t held = 0, j = 0;

	for (size_t i = 0; i + 1 < na; i++) {
		size_t inside = 0;

		while (j < nb && b[j] <= a[i])
			j++;
		while (j < nb && b[j] <= a[i + 1]) {
			inside++;
			j++;
		}
		held += inside >= least && inside <= most;
	}
	return held;
}

static bool takes_turns(const struct loop *loop, const struct marker *m)
{
	double gaps = (double)loop->n - 1;

	if ((double)m->n < same_loop * (double)loop->n && m->n + 1 < loop->n)
		return false;
	return (double)gaps_holding(loop->head, loop->n, m->point, m->n, 1, 1) >= same_loop * gaps;
}

static int by_length(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The length of the iteration in the middle. */
static size_t typical_length(const struct marker *m)
{
	uint32_t *length = xmalloc(m->n * sizeof(*length));
	size_t typical;

	for (size_t i = 0; i + 1 < m->n; i++)
		length[i] = m->point[i + 1] - m->point[i];
	qsort(length, m->n - 1, sizeof(*length), by_length);
	typical = length[(m->n - 1) / 2];
	free(length);
	return typical;
}

static bool mostly_about(const struct marker *m, size_t typical)
{
	size_t alike = 0;

	for (size_t i = 0; i + 1 < m->n; i++) {
		size_t gap = m->point[i + 1] - m->point[i];

		alike += 2 * gap >= typical && gap <= 2 * typical;
	}
	return (double)alike >= mostly * (double)(m->n - 1);
}

/* Most iterations are about as long as the mean one, or as the one in the middle: long bursts. */
static bool is_regular(const struct marker *m)
{
	return mostly_about(m, (m->point[m->n - 1] - m->point[0]) / (m->n - 1)) ||
	       mostly_about(m, typical_length(m));
}

/* The marker lies among the iterations of a loop that has more of them. */
static bool inside_other(const struct loops *loops, const struct marker *m)
{
	for (size_t i = 0; i < loops->len; i++) {
		const struct loop *l = &loops->at[i];

		if (m->point[m->n - 1] >= l->from && m->point[0] <= l->head[l->n - 1])
			return true;
	}
	return false;
}

static size_t common_calls(const struct loop *loop)
{
	size_t seen[65] = { 0 }, best = 1;

	for (size_t k = 1; k < loop->n; k++) {
		size_t gap = loop->head[k] - loop->head[k - 1];

		seen[gap < 64 ? gap : 64]++;
	}
	for (size_t g = 1; g < 64; g++)
		if (seen[g] > seen[best])
			best = g;
	return best;
}

/* The first iteration reaches back over points at positions that the later ones pass. */
static size_t first_point(const struct positions *p, const uint32_t *head, size_t n, size_t calls)
{
	bool *member = xcalloc(p->sites + 1, sizeof(*member));
	size_t from = head[0];

	for (size_t i = head[0]; i <= head[n - 1]; i++)
		if (p->at[i] >= 0)
			member[p->at[i]] = true;
	while (from > 0 && head[0] - from + 1 < calls && p->at[from - 1] >= 0 &&
	       member[p->at[from - 1]])
		from--;
	free(member);
	return from;
}

static void add_loop(struct finder *f, const struct marker *m)
{
	struct loop *loop = &f->loops->at[f->loops->len++];

	*loop = (struct loop){ .kind = LOOP_CODE, .position = m->position, .n = m->n };
	loop->samples = 1;
	loop->outer = loop->inner = -1;
	loop->unit = "iteration";
	loop->head = arena_alloc(f->arena, m->n * sizeof(*loop->head));
	memcpy(loop->head, m->point, m->n * sizeof(*loop->head));
	loop->calls = common_calls(loop);
	loop->from = first_point(f->positions, loop->head, loop->n, loop->calls);
}

static void choose_loops(struct finder *f)
{
	for (size_t i = 0; i < f->markers && f->loops->len < LOOPS_MAX; i++) {
		const struct marker *m = &f->marker[i];
		bool known = false;

		for (size_t l = 0; l < f->loops->len && !known; l++)
			known = takes_turns(&f->loops->at[l], m);
		if (known || (m->before >= 0 && !inside_other(f->loops, m)))
			continue;
		if (inside_other(f->loops, m) && !is_regular(m))
			continue;
		add_loop(f, m);
	}
}

/* The closest loop whose iterations nearly all hold two or more of this one's. */
static void nest(struct loops *loops)
{
	for (size_t i = 0; i < loops->len; i++) {
		struct loop *in = &loops->at[i];

		for (size_t o = i + 1; o < loops->len && in->outer < 0; o++) {
			struct loop *out = &loops->at[o];
			size_t held = gaps_holding(out->head, out->n, in->head, in->n, 2, SIZE_MAX);

			if ((double)held < mostly * (double)(out->n - 1))
				continue;
			in->outer = (int)o;
			out->inner = (int)i;
			out->unit = "outer iteration";
		}
	}
}

void loops_add_samples(struct loops *loops, struct arena *arena, const struct positions *positions,
		       size_t cycle)
{
	struct loop *loop = &loops->at[loops->len];

	if (loops->len == LOOPS_MAX || positions->points < 2)
		return;
	loops->len++;
	*loop = (struct loop){ .kind = LOOP_SAMPLES, .position = -1, .n = positions->points };
	loop->head = arena_alloc(arena, (loop->n + 1) * sizeof(*loop->head));
	for (size_t i = 0; i < loop->n; i++)
		loop->head[i] = (uint32_t)i;
	loop->calls = 1;
	loop->samples = cycle;
	loop->outer = loop->inner = -1;
	loop->unit = cycle > 1 ? "cycle" : "sample";
}

void loops_find(struct loops *out, struct arena *arena, const struct positions *positions)
{
	struct finder f = { .positions = positions, .arena = arena, .loops = out };

	out->len = 0;
	if (positions->placed == 0) {
		loops_add_samples(out, arena, positions, 1);
		return;
	}
	site_markers(&f);
	step_markers(&f);
	choose_loops(&f);
	nest(out);
}

size_t loops_count_step(const struct positions *positions, int32_t p, int32_t s)
{
	size_t count = 0;

	for (size_t i = 1; i < positions->points; i++)
		count += positions->at[i - 1] == p && positions->at[i] == s;
	return count;
}
