#include "analysis/roles.h"

#include <stdlib.h>

#include "analysis/counts.h"
#include "analysis/series.h"
#include "base/shape.h"

const char *const role_names[ROLES] = {
	[ROLE_PARAMETERS] = "parameters", [ROLE_GRADIENTS] = "gradients",
	[ROLE_OPTIMIZER] = "optimizer",   [ROLE_ACTIVATIONS] = "activations",
	[ROLE_SCALARS] = "scalars",       [ROLE_OTHER] = "other",
};

/* What is known of a row at the point. */
struct fact {
	const struct tensor_row *row;
	int rank;
	int64_t first; /* dimension; 0 for a scalar */
	uint32_t born; /* point */
	int64_t now, bytes;
	bool parameter;
};

struct facts {
	struct fact *at;
	size_t len;
};

/*
 * Without classes: a matrix and a bias as long as its first dimension, born in the same block, are
 * parameters both.
 */
static void find_biases(struct facts *facts)
{
	for (size_t i = 0; i < facts->len; i++) {
		struct fact *matrix = &facts->at[i];

		if (matrix->rank < 2 || matrix->first < 2)
			continue;
		for (size_t k = 0; k < facts->len; k++) {
			struct fact *bias = &facts->at[k];

			if (bias->rank == 1 && bias->first == matrix->first &&
			    bias->born == matrix->born)
				matrix->parameter = bias->parameter = true;
		}
	}
}

static struct facts find_facts(struct arena *scratch, const struct timeline *t, size_t point)
{
	struct facts facts = { arena_alloc(scratch, (t->rows + 1) * sizeof(*facts.at)), 0 };
	bool classes = false;

	for (size_t r = 0; r < t->rows; r++) {
		const struct tensor_row *row = &t->row[r];
		struct shape shape = { 0 };
		int64_t now;

		classes |= row->class_name != NULL;
		if (!row->nchanges || row->change[0].point > point)
			continue;
		shape_parse(span_of(row->shape), &shape);
		now = series_count_at(row, point);
		facts.at[facts.len++] = (struct fact){
			.row = row,
			.rank = shape.rank,
			.first = shape.rank ? shape.dim[0] : 0,
			.born = row->change[0].point,
			.now = now,
			.bytes = now * row->numel * row->itemsize,
			.parameter = counts_is_parameter(row),
		};
	}
	if (!classes)
		find_biases(&facts);
	return facts;
}

static int64_t bytes_of(const struct tensor_row *row, int64_t count)
{
	return count * row->numel * row->itemsize;
}

/* Tensors a parameter has by now, itself included: 1 to 4; told by most bytes of matrices. */
static int64_t find_multiple(const struct facts *facts)
{
	int64_t weight[5] = { 0 }, best = 1;

	for (size_t i = 0; i < facts->len; i++) {
		const struct fact *f = &facts->at[i];
		int64_t first = f->row->change[0].count;

		if (f->parameter && f->rank >= 2 && first > 0 && f->now % first == 0 &&
		    f->now / first <= 4)
			weight[f->now / first] += bytes_of(f->row, first);
	}
	for (int64_t m = 2; m <= 4; m++)
		if (weight[m] > weight[best])
			best = m;
	return best;
}

static void count_role(struct roles *out, enum role role, const struct tensor_row *row,
		       int64_t count)
{
	if (count <= 0)
		return;
	out->role[role].tensors += count;
	out->role[role].bytes += bytes_of(row, count);
}

/* Of `first` tensors at the start some are buffers: what grew tells how many are parameters. */
static void split_parameters(struct roles *out, const struct tensor_row *row, int64_t now,
			     int64_t multiple)
{
	int64_t first = row->change[0].count, parameters = first, left;

	if (multiple > 1 && now > first && (now - first) % (multiple - 1) == 0)
		parameters = (now - first) / (multiple - 1);
	if (parameters > first)
		parameters = first;
	if (parameters > now)
		parameters = now;
	left = now - parameters;
	count_role(out, ROLE_PARAMETERS, row, parameters);
	if (multiple > 1) {
		int64_t gradients = left < parameters ? left : parameters;
		int64_t state = left - gradients;
		int64_t most = (multiple - 2) * parameters;

		state = state < most ? state : most;
		count_role(out, ROLE_GRADIENTS, row, gradients);
		count_role(out, ROLE_OPTIMIZER, row, state);
		left -= gradients + state;
	}
	count_role(out, ROLE_OTHER, row, left);
}

static int by_first(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* A dimension that only one row has is no batch. */
static int64_t batch_of(struct facts *facts)
{
	int64_t best = 0, best_bytes = 0, bytes = 0;
	size_t rows = 0;

	qsort(facts->at, facts->len, sizeof(*facts->at), by_first);
	for (size_t i = 0; i < facts->len; i++) {
		const struct fact *f = &facts->at[i];

		if (i && f->first != f[-1].first)
			bytes = 0, rows = 0;
		if (f->rank < 2 || f->parameter || !f->now)
			continue;
		bytes += f->bytes;
		if (++rows >= 2 && bytes > best_bytes) {
			best = f->first;
			best_bytes = bytes;
		}
	}
	return best;
}

int64_t roles_batch(struct arena *scratch, const struct timeline *t, size_t point)
{
	struct facts facts = find_facts(scratch, t, point);

	return batch_of(&facts);
}

static enum role role_of(const struct fact *f, int64_t batch)
{
	if (f->row->numel <= 1)
		return ROLE_SCALARS;
	return batch && f->first == batch ? ROLE_ACTIVATIONS : ROLE_OTHER;
}

void roles_guess(struct roles *out, struct arena *scratch, const struct timeline *t, size_t point)
{
	struct facts facts = find_facts(scratch, t, point);
	int64_t multiple = find_multiple(&facts);

	*out = (struct roles){ .batch = batch_of(&facts) };
	for (size_t i = 0; i < facts.len; i++) {
		const struct fact *f = &facts.at[i];

		if (f->parameter)
			split_parameters(out, f->row, f->now, multiple);
		else
			count_role(out, role_of(f, out->batch), f->row, f->now);
	}
}
