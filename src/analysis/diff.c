#include "analysis/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/places.h"
#include "base/alloc.h"

const char *const diff_change_names[DIFF_CHANGES] = {
	[DIFF_SAME] = "same", [DIFF_CAME] = "came",     [DIFF_WENT] = "went",
	[DIFF_GREW] = "grew", [DIFF_SHRANK] = "shrank",
};

static enum diff_change compare(int64_t a, int64_t b, int64_t tolerance)
{
	if (!quantity_known(a) || !quantity_known(b))
		return quantity_known(a) ? DIFF_WENT : quantity_known(b) ? DIFF_CAME : DIFF_SAME;
	if (b - a > tolerance)
		return DIFF_GREW;
	return a - b > tolerance ? DIFF_SHRANK : DIFF_SAME;
}

/* ---- levels ---- */

static const struct series *series_of(const struct timeline *t, enum level level)
{
	const struct series *s = &t->level[level];

	return s->value && !s->percent ? s : NULL;
}

static int64_t peak_of(const struct timeline *t, enum level level)
{
	const struct series *s = series_of(t, level);
	int64_t peak = QUANTITY_UNKNOWN;

	/* Unknown is the smallest number. */
	for (size_t i = 0; s && i < t->points; i++)
		if (quantity_known(s->value[i]) && series_peak(s, i) > peak)
			peak = series_peak(s, i);
	return peak;
}

static int64_t growth_of_level(const struct analysis *a, enum level level)
{
	static const int growth[LEVELS] = {
		[LEVEL_VISIBLE] = GROWTH_VISIBLE,
		[LEVEL_ALLOCATED] = GROWTH_ALLOCATED,
		[LEVEL_RESERVED] = -1,
		[LEVEL_PROCESS] = GROWTH_PROCESS,
		[LEVEL_DEVICE] = GROWTH_DEVICE,
	};
	const struct growth *g = growth[level] < 0 ? NULL : &a->growth[growth[level]];

	return g && g->known && !g->percent ? quantity_round(g->estimate) : QUANTITY_UNKNOWN;
}

static int64_t half_step(const struct timeline *t, enum level level)
{
	const struct series *s = series_of(t, level);

	return s ? series_rounding(s) : 0;
}

static void compare_levels(struct diff *out)
{
	out->total = LEVELS;
	for (int l = 0; l < LEVELS; l++) {
		enum level level = (enum level)l;
		struct diff_level d = { .level = level };

		for (int i = 0; i < 2; i++) {
			d.peak[i] = peak_of(out->side[i].timeline, level);
			d.growth[i] = growth_of_level(out->side[i].analysis, level);
			d.tolerance += half_step(out->side[i].timeline, level);
		}
		if (!quantity_known(d.peak[0]) && !quantity_known(d.peak[1]))
			continue;
		d.change = compare(d.peak[0], d.peak[1], d.tolerance);
		out->level[out->levels++] = d;
		if (quantity_known(d.peak[0]) && quantity_known(d.peak[1]))
			out->total = level;
	}
}

/* ---- positions ---- */

static void visit_site(struct diff_position *p, int side, const struct timeline *t, int site,
		       enum level total)
{
	const struct series *s = total < LEVELS ? series_of(t, total) : NULL;

	p->peak[side] = QUANTITY_UNKNOWN;
	for (size_t i = 0; i < t->points; i++) {
		if (t->position[i] != site)
			continue;
		p->visits[side]++;
		if (s && s->value[i] > p->peak[side])
			p->peak[side] = s->value[i];
	}
}

static int64_t level_tolerance(const struct diff *d)
{
	for (size_t i = 0; i < d->levels; i++)
		if (d->level[i].level == d->total)
			return d->level[i].tolerance;
	return 0;
}

static void judge_position(const struct diff *d, struct diff_position *p)
{
	if (!p->visits[0] || !p->visits[1])
		p->change = p->visits[0] ? DIFF_WENT : DIFF_CAME;
	else
		p->change = compare(p->peak[0], p->peak[1], level_tolerance(d));
}

static void add_position(struct diff *out, const struct site *site, int before, int now)
{
	struct diff_position p = { .site = site, .peak = { QUANTITY_UNKNOWN, QUANTITY_UNKNOWN } };

	if (before != PLACE_NONE)
		visit_site(&p, 0, out->side[0].timeline, before, out->total);
	if (now != PLACE_NONE)
		visit_site(&p, 1, out->side[1].timeline, now, out->total);
	judge_position(out, &p);
	if (p.visits[0] || p.visits[1])
		out->position[out->positions++] = p;
}

static void compare_positions(struct diff *out, struct arena *arena, const int *pair)
{
	const struct timeline *a = out->side[0].timeline, *b = out->side[1].timeline;
	bool *stayed = xcalloc(a->sites + 1, sizeof(*stayed));

	out->position = arena_alloc(arena, (a->sites + b->sites + 1) * sizeof(*out->position));
	for (size_t k = 0; k < b->sites; k++) {
		add_position(out, &b->site[k], pair[k], (int)k);
		if (pair[k] != PLACE_NONE)
			stayed[pair[k]] = true;
	}
	for (size_t i = 0; i < a->sites; i++)
		if (!stayed[i])
			add_position(out, &a->site[i], (int)i, PLACE_NONE);
	free(stayed);
}

/* ---- tensors ---- */

static int64_t most_of(const struct tensor_row *row)
{
	int64_t most = 0;

	for (size_t c = 0; c < row->nchanges; c++)
		most = row->change[c].count > most ? row->change[c].count : most;
	return most;
}

/* Rows of one kind on one side. */
struct kind {
	const char *shape, *dtype;
	int64_t count, bytes;
};

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_kind(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;
	int order = strcmp(x->shape, y->shape);

	return order ? order : compare_text(x->dtype, y->dtype);
}

static bool prints_dtype(const struct timeline *t)
{
	for (size_t r = 0; r < t->rows; r++)
		if (t->row[r].dtype)
			return true;
	return false;
}

/* Sorted, and each kind once; without dtypes the counts of a shape are joint. */
static size_t find_kinds(struct kind *out, const struct timeline *t, bool dtypes)
{
	size_t n = 0;

	for (size_t r = 0; r < t->rows; r++) {
		const struct tensor_row *row = &t->row[r];
		int64_t count = most_of(row);

		out[r] = (struct kind){ row->shape, dtypes ? row->dtype : NULL, count,
					count * row->numel * row->itemsize };
	}
	qsort(out, t->rows, sizeof(*out), by_kind);
	for (size_t r = 0; r < t->rows; r++) {
		if (n && !by_kind(&out[n - 1], &out[r])) {
			out[n - 1].count += out[r].count;
			out[n - 1].bytes += out[r].bytes;
		} else {
			out[n++] = out[r];
		}
	}
	return n;
}

static void judge_tensor(struct diff_tensor *d)
{
	if (!d->count[0] || !d->count[1])
		d->change = d->count[0] ? DIFF_WENT : d->count[1] ? DIFF_CAME : DIFF_SAME;
	else
		d->change = compare(d->count[0], d->count[1], 0);
}

static int largest_first(const void *a, const void *b)
{
	const struct diff_tensor *x = a, *y = b;
	int64_t left = llabs(x->bytes[1] - x->bytes[0]), right = llabs(y->bytes[1] - y->bytes[0]);

	if (left != right)
		return left < right ? 1 : -1;
	return strcmp(x->shape, y->shape);
}

static struct diff_tensor pair(const struct kind *a, const struct kind *b)
{
	const struct kind *told = b->shape ? b : a;
	struct diff_tensor d = { .shape = told->shape,
				 .dtype = told->dtype,
				 .count = { a->count, b->count },
				 .bytes = { a->bytes, b->bytes } };

	judge_tensor(&d);
	return d;
}

static void compare_tensors(struct diff *out, struct arena *arena)
{
	static const struct kind none;
	const struct timeline *a = out->side[0].timeline, *b = out->side[1].timeline;
	bool dtypes = prints_dtype(a) == prints_dtype(b);
	struct kind *left = xcalloc(a->rows + b->rows + 1, sizeof(*left)), *right = left + a->rows;
	size_t n = find_kinds(left, a, dtypes), m = find_kinds(right, b, dtypes), i = 0, k = 0;

	out->tensor = arena_alloc(arena, (n + m + 1) * sizeof(*out->tensor));
	while (i < n || k < m) {
		int order = i == n ? 1 : k == m ? -1 : by_kind(&left[i], &right[k]);

		out->tensor[out->tensors++] =
			pair(order <= 0 ? &left[i] : &none, order >= 0 ? &right[k] : &none);
		i += order <= 0;
		k += order >= 0;
	}
	free(left);
	qsort(out->tensor, out->tensors, sizeof(*out->tensor), largest_first);
}

/* ---- findings ---- */

/* `pair` as places_pair() gives it: for each site of B the one of A. */
static bool same_finding(const struct diff *d, const int *pair, const struct finding *a,
			 const struct finding *b)
{
	const struct timeline *before = d->side[0].timeline, *now = d->side[1].timeline;

	if (strcmp(a->cause, b->cause) || !a->site != !b->site)
		return false;
	for (size_t k = 0; k < now->sites; k++)
		if (&now->site[k] == b->site)
			return pair[k] != PLACE_NONE && &before->site[pair[k]] == a->site;
	return !a->site;
}

/*
 * Rates of two logs differ by chance; beyond both intervals it is a change.  Bytes and shares of a
 * card of unknown size do not compare.
 */
static enum diff_change compare_rates(const struct finding *a, const struct finding *b)
{
	if (a->percent != b->percent)
		return DIFF_SAME;
	if (b->low > a->high && b->bytes_per_iteration > a->bytes_per_iteration)
		return DIFF_GREW;
	if (b->high < a->low && b->bytes_per_iteration < a->bytes_per_iteration)
		return DIFF_SHRANK;
	return DIFF_SAME;
}

static void compare_findings(struct diff *out, struct arena *arena, const int *pair)
{
	const struct analysis *a = out->side[0].analysis, *b = out->side[1].analysis;
	bool *taken = xcalloc(a->findings + 1, sizeof(*taken));

	out->finding = arena_alloc(arena, (a->findings + b->findings + 1) * sizeof(*out->finding));
	for (size_t k = 0; k < b->findings; k++) {
		struct diff_finding d = { { NULL, &b->finding[k] }, DIFF_CAME };

		for (size_t i = 0; i < a->findings && !d.finding[0]; i++) {
			if (taken[i] || !same_finding(out, pair, &a->finding[i], &b->finding[k]))
				continue;
			taken[i] = true;
			d.finding[0] = &a->finding[i];
			d.change = compare_rates(d.finding[0], d.finding[1]);
		}
		out->finding[out->findings++] = d;
	}
	for (size_t i = 0; i < a->findings; i++)
		if (!taken[i])
			out->finding[out->findings++] =
				(struct diff_finding){ { &a->finding[i], NULL }, DIFF_WENT };
	free(taken);
}

void diff_runs(struct diff *out, struct arena *arena, struct diff_side a, struct diff_side b)
{
	const int *pair = places_pair(arena, a.timeline, b.timeline);

	*out = (struct diff){ .side = { a, b } };
	compare_levels(out);
	compare_positions(out, arena, pair);
	compare_tensors(out, arena);
	compare_findings(out, arena, pair);
}
