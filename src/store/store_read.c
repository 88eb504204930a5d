#include <stdlib.h>

#include "base/error.h"
#include "store/reader.h"

static int read_run(struct reader *r, int64_t run)
{
	sqlite3_stmt *stmt = BIND(r->store, RUN_READ, SQL_ARG(run));
	int rc = statement_step(r->store, stmt);
	int64_t started;

	if (rc <= 0)
		return rc < 0 ? -1 : error_set("run %lld is gone", (long long)run);
	r->t->run = run;
	r->t->name = reader_keep(r, stmt, 0);
	r->t->source = reader_keep(r, stmt, 1);
	r->t->dialect = reader_keep(r, stmt, 2);
	r->exact_rows = sqlite3_column_int(stmt, 3);
	r->quantum = sqlite3_column_int64(stmt, 4);
	r->t->damage = reader_keep(r, stmt, 5);
	r->t->damaged = r->t->damage;
	r->points =
		(struct stretch){ sqlite3_column_int64(stmt, 6), sqlite3_column_int64(stmt, 7) };
	r->changes =
		(struct stretch){ sqlite3_column_int64(stmt, 8), sqlite3_column_int64(stmt, 9) };
	r->samples =
		(struct stretch){ sqlite3_column_int64(stmt, 10), sqlite3_column_int64(stmt, 11) };
	r->source = sqlite3_column_int64(stmt, 12);
	started = column_quantity(stmt, 13);
	sqlite3_reset(stmt);
	r->t->capacity = r->t->driver_reserved = QUANTITY_UNKNOWN;
	r->t->own_device = -1;
	r->t->started = from_stored_time(started);
	return 0;
}

static int read_sites(struct reader *r)
{
	sqlite3_stmt *stmt = BIND(r->store, POSITIONS, SQL_ARG(r->source));
	VEC(struct site) sites = VEC_INIT;
	struct site *copy;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0) {
		int64_t id = sqlite3_column_int64(stmt, 0);

		if (!sites.len)
			r->first_position = id;
		/* Ids of places at which no point came to be are missing. */
		while (r->first_position + (int64_t)sites.len < id)
			*vec_push(&sites) = (struct site){ 0 };
		*vec_push(&sites) = (struct site){
			.file = reader_keep(r, stmt, 1),
			.code_line = sqlite3_column_int64(stmt, 2),
			.function = reader_keep(r, stmt, 3),
			.module = reader_keep(r, stmt, 4),
			.label = reader_keep(r, stmt, 5),
		};
	}
	copy = arena_alloc(&r->t->arena, sites.len * sizeof(*copy));
	if (sites.len)
		memcpy(copy, sites.at, sites.len * sizeof(*copy));
	r->t->site = r->site = copy;
	r->t->sites = sites.len;
	vec_release(&sites);
	return rc;
}

/* A kind of look at one thing: the same device and process, in one precision. */
struct look {
	int64_t device, process, share, quantum, samples;
	size_t subject;
};

typedef VEC(struct look) look_list;

/* Where a log prints one thing in several precisions, its series is of the one that most values have,
 * or finer: "3 %" between exact values would look like a change. */
static size_t best_look(const look_list *looks, const struct look *of)
{
	size_t best = looks->len;

	for (size_t i = 0; i < looks->len; i++) {
		const struct look *l = &looks->at[i], *b;

		if (l->device != of->device || l->process != of->process)
			continue;
		b = best < looks->len ? &looks->at[best] : NULL;
		if (!b || l->samples > b->samples ||
		    (l->samples == b->samples && l->share == b->share && l->quantum < b->quantum))
			best = i;
	}
	return best;
}

static struct subject read_subject(struct reader *r, sqlite3_stmt *stmt)
{
	int64_t number = column_quantity(stmt, 3), pid = column_quantity(stmt, 7);
	bool whole = sqlite3_column_type(stmt, 2) == SQLITE_NULL;

	return (struct subject){
		.device = quantity_known(number) ? number : -1,
		.uuid = reader_keep(r, stmt, 4),
		.device_name = reader_keep(r, stmt, 5),
		.bus = reader_keep(r, stmt, 13),
		.instance = reader_keep(r, stmt, 14),
		.total = column_quantity(stmt, 6),
		.reserved = whole ? column_quantity(stmt, 11) : QUANTITY_UNKNOWN,
		.start = QUANTITY_UNKNOWN,
		.is_process = !whole,
		.pid = whole || !quantity_known(pid) ? -1 : pid,
		.process = whole ? NULL : reader_keep(r, stmt, 8),
	};
}

static size_t find_look(const look_list *looks, const struct look *wanted)
{
	size_t i = 0;

	while (i < looks->len && (looks->at[i].device != wanted->device ||
				  looks->at[i].process != wanted->process))
		i++;
	return i;
}

/* Looks that are too coarse for their subject's series are left out: SIZE_MAX. */
static void choose_looks(struct reader *r, const look_list *looks)
{
	for (size_t i = 0; i < looks->len; i++) {
		const struct look *l = &looks->at[i], *best = &looks->at[best_look(looks, l)];
		struct series *used = &r->subject[l->subject].used;

		used->percent = best->share;
		used->quantum = best->quantum;
		*vec_push(&r->subject_of) = l->share == best->share && l->quantum <= best->quantum
						    ? l->subject
						    : SIZE_MAX;
	}
}

static int read_subjects(struct reader *r)
{
	sqlite3_stmt *stmt = BIND(r->store, SUBJECTS, SQL_ARG(r->source));
	VEC(struct subject) list = VEC_INIT;
	look_list looks = VEC_INIT;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0) {
		struct look look = { column_quantity(stmt, 1),	     column_quantity(stmt, 2),
				     sqlite3_column_int64(stmt, 10), sqlite3_column_int64(stmt, 9),
				     sqlite3_column_int64(stmt, 12), list.len };
		size_t at = find_look(&looks, &look);

		if (!looks.len)
			r->first_subject = sqlite3_column_int64(stmt, 0);
		if (at < looks.len)
			look.subject = looks.at[at].subject;
		else
			*vec_push(&list) = read_subject(r, stmt);
		*vec_push(&looks) = look;
	}
	r->subject = arena_alloc(&r->t->arena, list.len * sizeof(*r->subject));
	if (list.len)
		memcpy(r->subject, list.at, list.len * sizeof(*r->subject));
	r->t->subject = r->subject;
	r->t->subjects = list.len;
	choose_looks(r, &looks);
	vec_release(&list);
	vec_release(&looks);
	return rc;
}

static bool is_unnamed(const struct subject *s)
{
	return s->device < 0 && !s->uuid && !s->bus;
}

static bool speaks(const struct timeline *t, const struct subject *s)
{
	for (size_t i = 0; i < t->points; i++)
		if (quantity_known(s->used.value[i]))
			return true;
	return false;
}

/* Subjects belong to the source; those of its other runs have no value here.  Values that do not say
 * which device they are of, in a log that names devices elsewhere, are of any of them: no series. */
static void drop_silent_subjects(struct timeline *t, struct subject *subject)
{
	size_t kept = 0;
	bool named = false;

	for (size_t s = 0; s < t->subjects; s++) {
		if (!speaks(t, &subject[s]))
			continue;
		named |= !subject[s].is_process && !is_unnamed(&subject[s]);
		subject[kept++] = subject[s];
	}
	t->subjects = 0;
	for (size_t s = 0; s < kept; s++)
		if (subject[s].is_process || !named || !is_unnamed(&subject[s]))
			subject[t->subjects++] = subject[s];
}

/* One device, seen as a whole and without doubt, is the run's device. */
static void set_device_level(struct reader *r)
{
	const struct subject *only = NULL;

	for (size_t i = 0; i < r->t->subjects; i++) {
		const struct subject *s = &r->t->subject[i];

		/* A share says less than bytes of the same device. */
		if (s->is_process || (only && s->used.percent))
			continue;
		if (only && !only->used.percent)
			return;
		only = s;
	}
	if (!only)
		return;
	r->t->level[LEVEL_DEVICE] = only->used;
	if (quantity_known(only->total))
		r->t->capacity = only->total;
}

/* The last point above a line of the log; -1: none. */
static int64_t point_above(const struct timeline *t, int64_t line)
{
	int64_t low = 0, high = (int64_t)t->points;

	while (low < high) {
		int64_t mid = low + (high - low) / 2;

		if (t->line[mid] <= line)
			low = mid + 1;
		else
			high = mid;
	}
	return low - 1;
}

static int read_events(struct reader *r)
{
	sqlite3_stmt *stmt = BIND(r->store, EVENTS, SQL_ARG(r->t->run));
	VEC(struct timeline_event) list = VEC_INIT;
	struct timeline_event *copy;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0)
		*vec_push(&list) = (struct timeline_event){
			.point = point_above(r->t, sqlite3_column_int64(stmt, 0)),
			.line = sqlite3_column_int64(stmt, 0),
			.code = reader_keep(r, stmt, 1),
			.text = sqlite3_column_bytes(stmt, 2) ? reader_keep(r, stmt, 2) : NULL,
			.requested = column_quantity(stmt, 3),
			.capacity = column_quantity(stmt, 4),
			.limit = column_quantity(stmt, 5),
			.allocated = column_quantity(stmt, 6),
			.reserved = column_quantity(stmt, 7),
		};
	for (size_t i = 0; i < list.len; i++) {
		int64_t size =
			quantity_known(list.at[i].limit) ? list.at[i].limit : list.at[i].capacity;

		if (quantity_known(size))
			r->t->capacity = size;
	}
	copy = arena_alloc(&r->t->arena, list.len * sizeof(*copy));
	if (list.len)
		memcpy(copy, list.at, list.len * sizeof(*copy));
	r->t->event = copy;
	r->t->events = list.len;
	vec_release(&list);
	return rc;
}

int store_read_timeline(struct store *store, int64_t run, struct timeline *out)
{
	struct reader r = { .store = store, .t = out, .rows = { .kinds = INTERN_INIT } };
	int rc;

	*out = (struct timeline){ .arena = ARENA_INIT };
	rc = read_run(&r, run);
	if (!rc)
		rc = read_sites(&r);
	if (!rc)
		rc = read_subjects(&r);
	if (!rc)
		rc = rows_read(&r);
	if (!rc)
		rc = points_read(&r);
	if (!rc) {
		rows_finish(&r);
		drop_silent_subjects(out, r.subject);
		set_device_level(&r);
		rc = read_events(&r);
	}
	rows_release(&r.rows);
	vec_release(&r.subject_of);
	if (rc)
		timeline_release(out);
	return rc;
}

int store_read_notes(struct store *store, int64_t run, int (*fn)(void *, const struct note *),
		     void *context)
{
	sqlite3_stmt *stmt = BIND(store, NOTES, SQL_ARG(run));
	int rc;

	while ((rc = statement_step(store, stmt)) > 0) {
		struct note note = { sqlite3_column_int64(stmt, 0), column_text(stmt, 1),
				     column_text(stmt, 2) };

		if (fn(context, &note) < 0) {
			sqlite3_reset(stmt);
			return -1;
		}
	}
	return rc;
}
