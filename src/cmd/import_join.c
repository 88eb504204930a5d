#include "cmd/import_join.h"

#include <stdlib.h>

#include "analysis/join.h"
#include "base/alloc.h"

struct member {
	struct import_result *result;
	struct run_list runs; /* one */
	struct timeline timeline;
};

struct members {
	struct member *at;
	size_t len;
};

static void members_release(struct members *m)
{
	for (size_t i = 0; i < m->len; i++) {
		run_list_release(&m->at[i].runs);
		timeline_release(&m->at[i].timeline);
	}
	free(m->at);
}

/* Logs that hold one run each; several runs of one log stay apart. */
static int read_members(struct members *m, struct store *store, struct import_result *results,
			size_t n)
{
	m->at = xcalloc(n + 1, sizeof(*m->at));
	for (size_t i = 0; i < n; i++) {
		struct member *new = &m->at[m->len];

		if (results[i].status != IMPORT_IMPORTED || results[i].runs.len != 1)
			continue;
		if (store_find_runs(store, results[i].runs.at, 1, &new->runs) < 0)
			return -1;
		if (store_read_timeline(store, new->runs.at[0].id, &new->timeline) < 0) {
			run_list_release(&new->runs);
			return -1;
		}
		new->result = &results[i];
		m->len++;
	}
	return 0;
}

static size_t find_base(const struct members *m)
{
	const struct timeline **t = xcalloc(m->len, sizeof(*t));
	size_t base;

	for (size_t i = 0; i < m->len; i++)
		t[i] = &m->at[i].timeline;
	base = join_base(t, m->len);
	free(t);
	return base;
}

/* The base gets the name that was asked for, which the first log has. */
static int swap_names(struct store *store, struct member *first, struct member *base)
{
	const char *name = first->result->runs.at[0];

	first->result->runs.at[0] = base->result->runs.at[0];
	base->result->runs.at[0] = name;
	return store_swap_names(store, &first->runs.at[0], &base->runs.at[0]);
}

int import_join(struct store *store, struct import_result *results, size_t n,
		const struct import_result **base)
{
	struct members m = { NULL, 0 };
	int rc = read_members(&m, store, results, n);
	size_t b = 0, joined = 0;

	*base = NULL;
	if (!rc && m.len > 1)
		b = find_base(&m);
	for (size_t i = 0; i < m.len && !rc; i++) {
		if (i == b || m.at[i].timeline.rows)
			continue;
		rc = store_join_run(store, m.at[b].runs.at[0].id, m.at[i].runs.at[0].id);
		joined++;
	}
	if (!rc && joined && b > 0)
		rc = swap_names(store, &m.at[0], &m.at[b]);
	if (!rc && joined)
		*base = m.at[b].result;
	members_release(&m);
	return rc;
}
