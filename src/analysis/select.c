#include "analysis/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps told apart while growth is attributed; an outer loop judged by fewer is not trusted. */
enum { STEPS = 32, TRUSTED = 5 };

struct arrivals {
	struct {
		int32_t before, at;
		double sum;
	} step[STEPS];
	size_t len, best; /* best: of the largest sum */
	size_t rises;
};

static void add_arrival(struct arrivals *a, const struct positions *p, size_t point, double change)
{
	int32_t before = point ? p->at[point - 1] : -1, at = p->at[point];
	size_t i;

	for (i = 0; i < a->len; i++)
		if (a->step[i].before == before && a->step[i].at == at)
			break;
	if (i == STEPS)
		return;
	if (i == a->len) {
		a->step[i].before = before;
		a->step[i].at = at;
		a->step[i].sum = 0;
		a->len++;
	}
	a->step[i].sum += change;
	a->rises += change > 0;
}

static void row_arrivals(struct arrivals *a, const struct positions *p,
			 const struct tensor_row *row)
{
	for (size_t c = 1; c < row->nchanges; c++)
		add_arrival(a, p, row->change[c].point,
			    (double)(row->change[c].count - row->change[c - 1].count));
}

static void level_arrivals(struct arrivals *a, const struct positions *p, struct quantity q,
			   const struct loop *loop)
{
	int64_t last = QUANTITY_UNKNOWN;

	for (size_t i = loop->from; i <= loop->head[loop->n - 1]; i++) {
		int64_t value = quantity_at(q, i);

		if (!quantity_known(value))
			continue;
		if (quantity_known(last))
			add_arrival(a, p, i, (double)(value - last));
		last = value;
	}
}

static void find_arrivals(struct arrivals *a, const struct candidate *c, const struct positions *p,
			  const struct loops *loops)
{
	size_t best = 0;

	a->len = a->rises = 0;
	if (c->row && !c->row->family)
		row_arrivals(a, p, c->row->row);
	else if (c->quantity.plus && c->loop >= 0)
		level_arrivals(a, p, c->quantity, &loops->at[c->loop]);
	for (size_t i = 1; i < a->len; i++)
		if (a->step[i].sum > a->step[best].sum)
			best = i;
	a->best = best;
}

/* How often the growth arrives over the run; 0: not to be told. */
static double arrival_count(const struct candidate *c, const struct positions *p,
			    const struct loops *loops)
{
	const struct loop *loop = &loops->at[c->loop];
	struct arrivals a;
	bool period = loop->kind == LOOP_PERIOD ||
		      (loop->outer >= 0 && loops->at[loop->outer].kind == LOOP_PERIOD);

	find_arrivals(&a, c, p, loops);
	if (a.len == 0)
		return 0;
	/* one position for everything: only the numbers tell the loops apart */
	if (period)
		return c->row ? (double)a.rises : 0;
	return (double)loops_count_step(p, a.step[a.best].before, a.step[a.best].at);
}

int32_t select_position(const struct candidate *c, const struct positions *positions,
			const struct loops *loops)
{
	const struct loop *loop = c->loop < 0 ? NULL : &loops->at[c->loop];
	size_t visits = 0;
	struct arrivals a;
	int32_t at;

	if (!loop)
		return -1;
	if (loop->kind != LOOP_CODE || loop->calls < 2 || c->finding.kind == FINDING_NOTE)
		return loop->position;
	find_arrivals(&a, c, positions, loops);
	at = a.len ? a.step[a.best].at : -1;
	for (size_t i = 0; at >= 0 && i < positions->points; i++)
		visits += positions->at[i] == at;
	return visits + 1 >= loop->n && visits <= loop->n + 1 ? at : loop->position;
}

static bool share_rows(const struct finding *a, const struct finding *b)
{
	for (size_t i = 0; i < a->rows; i++)
		for (size_t k = 0; k < b->rows; k++)
			if (a->row[i].row == b->row[k].row)
				return true;
	return false;
}

static bool same_growth(const struct candidate *a, const struct candidate *b)
{
	if (share_rows(&a->finding, &b->finding))
		return true;
	if (strcmp(a->finding.cause, b->finding.cause))
		return false;
	if (a->finding.rows && b->finding.rows)
		return (a->row && a->row->family) || (b->row && b->row->family);
	return a->finding.subject == b->finding.subject;
}

/* Without arrivals the outermost loop that shows it is right: its floors are the surest. */
static double misfit(const struct candidate *c, double arrivals, const struct loops *loops)
{
	double n = (double)loops->at[c->loop].n;

	return arrivals > 0 ? fabs(log(n / arrivals)) : n;
}

static void keep_best(struct candidates *all, const struct positions *positions,
		      const struct loops *loops)
{
	for (size_t i = 0; i < all->len; i++) {
		struct candidate *a = &all->at[i];

		for (size_t k = i + 1; k < all->len && !a->dropped; k++) {
			struct candidate *b = &all->at[k];
			double arrivals;

			if (b->dropped || a->loop == b->loop || a->loop < 0 || b->loop < 0 ||
			    !same_growth(a, b))
				continue;
			if (a->finding.kind == FINDING_NOTE || b->finding.kind == FINDING_NOTE) {
				/* the same note twice: the loop with more iterations tells it */
				b->dropped = a->finding.kind == b->finding.kind;
				continue;
			}
			arrivals = arrival_count(a, positions, loops);
			if (misfit(a, arrivals, loops) <= misfit(b, arrivals, loops))
				b->dropped = true;
			else
				a->dropped = true;
		}
	}
}

/* A growth that the next outer loop does not show is released there. */
static void drop_released(struct candidates *all, const struct loops *loops)
{
	for (size_t i = 0; i < all->len; i++) {
		struct candidate *a = &all->at[i];
		int outer = a->loop < 0 ? -1 : loops->at[a->loop].outer;
		bool seen = false;

		if (outer < 0 || loops->at[outer].n < TRUSTED || a->finding.kind == FINDING_NOTE)
			continue;
		for (size_t k = 0; k < all->len; k++)
			seen = seen || (all->at[k].loop == outer && same_growth(a, &all->at[k]) &&
					all->at[k].finding.kind != FINDING_NOTE);
		a->dropped = !seen;
	}
}

static int by_report(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->dropped != y->dropped)
		return x->dropped ? 1 : -1;
	if (x->finding.kind != y->finding.kind)
		return x->finding.kind < y->finding.kind ? -1 : 1;
	if (x->finding.bytes_per_iteration != y->finding.bytes_per_iteration)
		return x->finding.bytes_per_iteration > y->finding.bytes_per_iteration ? -1 : 1;
	if (strcmp(x->finding.cause, y->finding.cause))
		return strcmp(x->finding.cause, y->finding.cause);
	return x->finding.first_line < y->finding.first_line ? -1 : 1;
}

void select_findings(struct candidates *candidates, const struct positions *positions,
		     const struct loops *loops)
{
	drop_released(candidates, loops);
	keep_best(candidates, positions, loops);
	if (candidates->len)
		qsort(candidates->at, candidates->len, sizeof(*candidates->at), by_report);
}
