#include "analysis/families.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/series.h"
#include "base/alloc.h"
#include "base/intern.h"
#include "base/shape.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Fewer rows than this are no family. */
enum { FAMILY_MIN = 3, ALL_VARY = -1 };

struct member {
	size_t family;
	int dimension; /* that varies, or ALL_VARY */
	const struct tensor_row *row;
	size_t index; /* of the row */
};

struct event {
	uint32_t point;
	size_t member;
	int64_t count;
};

struct finder {
	struct grown_rows *out;
	const struct timeline *timeline;
	const struct loop *loop;
	size_t first;
	bool *used; /* rows that a growth already explains */
	struct intern keys;
	struct {
		struct member *at;
		size_t len, cap;
	} member;
};

static void add_pattern(struct strbuf *out, const struct shape *shape, int dimension)
{
	strbuf_addc(out, '(');
	for (int d = 0; d < shape->rank; d++) {
		strbuf_adds(out, d ? ", " : "");
		if (d == dimension || dimension == ALL_VARY)
			strbuf_addc(out, '*');
		else
			strbuf_addf(out, "%lld", (long long)shape->dim[d]);
	}
	strbuf_adds(out, shape->rank == 1 ? ",)" : ")");
}

/* Rows of one dtype that are alike but for `dimension`; the intern number is the family. */
static void add_member(struct finder *f, size_t r, const struct shape *shape, int dimension)
{
	const struct tensor_row *row = &f->timeline->row[r];
	struct strbuf key = STRBUF_INIT;
	struct member *m;

	strbuf_addf(&key, "%d %s ", dimension, row->dtype ? row->dtype : "");
	add_pattern(&key, shape, dimension);
	m = vec_push(&f->member);
	*m = (struct member){ intern(&f->keys, strbuf_span(&key), NULL), dimension, row, r };
	strbuf_release(&key);
}

static int by_family(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->family != y->family)
		return x->family < y->family ? -1 : 1;
	if (x->row->numel != y->row->numel)
		return x->row->numel < y->row->numel ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int by_point(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->point != y->point)
		return x->point < y->point ? -1 : 1;
	return x->member < y->member ? -1 : x->member > y->member;
}

/* One family swept along the iterations: members sorted by size. */
struct sweep {
	const struct member *member;
	size_t members;
	struct event *event;
	size_t events, next;
	int64_t *count; /* by member */
	int64_t total;
	size_t largest; /* member + 1, 0: none alive */
};

static void sweep_init(struct sweep *s, const struct member *member, size_t members)
{
	size_t changes = 0;

	*s = (struct sweep){ .member = member, .members = members };
	for (size_t i = 0; i < members; i++)
		changes += member[i].row->nchanges;
	s->event = xmalloc((changes + 1) * sizeof(*s->event));
	s->count = xcalloc(members, sizeof(*s->count));
	for (size_t i = 0; i < members; i++)
		for (size_t c = 0; c < member[i].row->nchanges; c++)
			s->event[s->events++] = (struct event){ member[i].row->change[c].point, i,
								member[i].row->change[c].count };
	qsort(s->event, s->events, sizeof(*s->event), by_point);
}

/* Takes all changes of the next point that has some, up to `point`; false if there is none. */
static bool sweep_step(struct sweep *s, size_t point)
{
	uint32_t here;

	if (s->next >= s->events || s->event[s->next].point > point)
		return false;
	here = s->event[s->next].point;
	for (; s->next < s->events && s->event[s->next].point == here; s->next++) {
		const struct event *e = &s->event[s->next];

		s->total += e->count - s->count[e->member];
		s->count[e->member] = e->count;
		if (e->count > 0 && e->member + 1 > s->largest)
			s->largest = e->member + 1;
	}
	while (s->largest && s->count[s->largest - 1] == 0)
		s->largest--;
	return true;
}

/* Per iteration: the floor of the number of tensors, and the largest member at its end. */
static void sweep_run(struct sweep *s, const struct loop *loop, size_t first, int64_t *count,
		      int64_t *largest)
{
	for (size_t k = first; k < loop->n; k++) {
		int64_t floor;

		while (sweep_step(s, loop_start(loop, k)))
			;
		floor = s->total;
		while (sweep_step(s, loop->head[k]))
			floor = s->total < floor ? s->total : floor;
		count[k - first] = floor;
		largest[k - first] = (int64_t)s->largest - 1;
	}
}

static const char *pattern_text(struct finder *f, const struct member *m)
{
	struct strbuf text = STRBUF_INIT;
	struct shape shape;
	const char *copy;

	shape_parse(span_of(m->row->shape), &shape);
	add_pattern(&text, &shape, m->dimension);
	copy = arena_text(f->out->arena, strbuf_span(&text));
	strbuf_release(&text);
	return copy;
}

static int64_t dimension_of(const struct member *m)
{
	struct shape shape;

	return shape_parse(span_of(m->row->shape), &shape) ? shape.dim[m->dimension] : 0;
}

static struct grown *add_grown(struct finder *f, const struct sweep *s, const struct trend *trend,
			       const int64_t *history, size_t n, size_t representative)
{
	struct grown *g = counts_add(f->out);
	int64_t *copy = arena_alloc(f->out->arena, n * sizeof(*copy));

	memcpy(copy, history, n * sizeof(*copy));
	g->row = s->member[representative].row;
	g->shape = pattern_text(f, &s->member[representative]);
	g->family = true;
	g->trend = *trend;
	g->history = copy;
	g->iterations = n;
	for (size_t i = 0; i < s->members; i++) {
		const struct tensor_row *row = s->member[i].row;

		f->used[s->member[i].index] = true;
		for (size_t c = 0; c < row->nchanges; c++) {
			int64_t line = row->change[c].line;

			if (row->change[c].point < loop_start(f->loop, f->first))
				continue;
			g->first_line =
				g->first_line && g->first_line < line ? g->first_line : line;
			g->last_line = line > g->last_line ? line : g->last_line;
		}
	}
	return g;
}

/* Mean bytes of the members alive at the end. */
static double mean_bytes(const struct sweep *s)
{
	double bytes = 0;

	for (size_t i = 0; i < s->members; i++)
		bytes += (double)s->count[i] * (double)s->member[i].row->numel *
			 s->member[i].row->itemsize;
	return s->total > 0 ? bytes / (double)s->total : 0;
}

/* The largest tensor of the family has one more dimension's worth at each iteration. */
static bool judge_size(struct finder *f, const struct sweep *s, const int64_t *largest, size_t n)
{
	int64_t *size = xmalloc(2 * (n + 1) * sizeof(*size)), *dimension = size + n + 1;
	bool grows = true;
	struct trend trend;

	for (size_t k = 0; k < n && grows; k++) {
		const struct member *m = largest[k] < 0 ? NULL : &s->member[largest[k]];

		grows = m != NULL;
		size[k] = m ? m->row->numel * m->row->itemsize : 0;
		dimension[k] = m ? dimension_of(m) : 0;
	}
	grows = grows && counts_judge(&trend, size, n, f->first, 0) &&
		trend.rises + 1 == trend.blocks && n >= FAMILY_MIN;
	if (grows) {
		struct grown *g = add_grown(f, s, &trend, dimension, n, (size_t)largest[n - 1]);

		g->kind = GROWN_SIZE;
		g->bytes_rate = trend.estimate * (double)s->count[largest[n - 1]];
	}
	free(size);
	return grows;
}

static void judge_family(struct finder *f, const struct member *member, size_t members)
{
	size_t n = f->loop->n - f->first;
	int64_t *count = xmalloc(2 * (n + 1) * sizeof(*count)), *largest = count + n + 1;
	struct trend trend;
	struct sweep sweep;

	sweep_init(&sweep, member, members);
	sweep_run(&sweep, f->loop, f->first, count, largest);
	if (counts_judge(&trend, count, n, f->first, 0)) {
		struct grown *g = add_grown(f, &sweep, &trend, count, n,
					    sweep.largest ? sweep.largest - 1 : members - 1);

		g->count_rate = trend.estimate;
		g->bytes_rate = trend.estimate * mean_bytes(&sweep);
	} else if (member->dimension != ALL_VARY) {
		judge_size(f, &sweep, largest, n);
	}
	free(sweep.event);
	free(sweep.count);
	free(count);
}

static void judge_families(struct finder *f)
{
	struct member *at = f->member.at;
	size_t end;

	if (f->member.len)
		qsort(at, f->member.len, sizeof(*at), by_family);
	for (size_t i = 0; i < f->member.len; i = end) {
		size_t members = 0;

		for (end = i; end < f->member.len && at[end].family == at[i].family; end++)
			if (!f->used[at[end].index])
				at[i + members++] = at[end];
		if (members >= FAMILY_MIN)
			judge_family(f, at + i, members);
	}
}

/* One dimension first: what it explains must not be told again with less detail. */
static void add_members(struct finder *f, bool all)
{
	vec_clear(&f->member);
	for (size_t r = 0; r < f->timeline->rows; r++) {
		struct shape shape;

		if (f->used[r] || !shape_parse(span_of(f->timeline->row[r].shape), &shape))
			continue;
		for (int d = all ? ALL_VARY : 0; all ? d == ALL_VARY : d < shape.rank; d++)
			add_member(f, r, &shape, d);
	}
}

/* Of the first `rows` growths those that hardly grow alone, and do as members of a family. */
static void drop_members(struct finder *f, size_t rows)
{
	size_t kept = 0;

	for (size_t g = 0; g < f->out->len; g++) {
		const struct grown *at = &f->out->at[g];

		if (g < rows && at->trend.shape != TREND_STEADY &&
		    f->used[at->row - f->timeline->row])
			continue;
		f->out->at[kept++] = *at;
	}
	f->out->len = kept;
}

void families_find(struct grown_rows *out, const struct timeline *timeline, const struct loop *loop,
		   size_t first)
{
	struct finder f = { out, timeline, loop, first, NULL, INTERN_INIT, VEC_INIT };
	size_t rows = out->len;

	f.used = xcalloc(timeline->rows + 1, sizeof(*f.used));
	for (size_t g = 0; g < out->len; g++)
		f.used[out->at[g].row - timeline->row] = out->at[g].trend.shape == TREND_STEADY;
	for (int all = 0; all <= 1; all++) {
		add_members(&f, all);
		judge_families(&f);
	}
	drop_members(&f, rows);
	intern_release(&f.keys);
	vec_release(&f.member);
	free(f.used);
}
