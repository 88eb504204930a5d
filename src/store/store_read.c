#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "store/db.h"

/* ---- a run as series ---- */

struct stretch {
	int64_t first, last;
};

/* A tensor of the database, which is one class of a row here. */
struct member {
	size_t row;
	size_t next; /* of the same row + 1; 0: none */
	int64_t count;
};

struct reader {
	struct store *store;
	struct timeline *t;
	int64_t source;
	struct stretch points, changes, samples;
	bool exact_rows;
	int64_t quantum;
	int64_t first_position;                       /* id of site[0] */
	int64_t first_tensor;                         /* id of member[0] */
	VEC(struct member) member;                    /* tensors by id */
	VEC(int64_t) subject_device, subject_process; /* ids, by subject; unknown: none */
};

static char *keep(struct reader *r, sqlite3_stmt *stmt, int column)
{
	return arena_text(&r->t->arena, span_of(column_text(stmt, column)));
}

static int read_run(struct reader *r, int64_t run)
{
	sqlite3_stmt *stmt = BIND(r->store, RUN_READ, SQL_ARG(run));
	int rc = statement_step(r->store, stmt);
	int64_t started;

	if (rc <= 0)
		return rc < 0 ? -1 : error_set("run %lld is gone", (long long)run);
	r->t->run = run;
	r->t->name = keep(r, stmt, 0);
	r->t->source = keep(r, stmt, 1);
	r->t->dialect = keep(r, stmt, 2);
	r->exact_rows = sqlite3_column_int(stmt, 3);
	r->quantum = sqlite3_column_int64(stmt, 4);
	r->t->damage = keep(r, stmt, 5);
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
	r->t->points = r->points.last >= r->points.first
			       ? (size_t)(r->points.last - r->points.first + 1)
			       : 0;
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
		if (!sites.len)
			r->first_position = sqlite3_column_int64(stmt, 0);
		*vec_push(&sites) = (struct site){
			.file = keep(r, stmt, 1),
			.code_line = sqlite3_column_int64(stmt, 2),
			.function = keep(r, stmt, 3),
			.module = keep(r, stmt, 4),
			.label = keep(r, stmt, 5),
		};
	}
	copy = arena_alloc(&r->t->arena, sites.len * sizeof(*copy));
	if (sites.len)
		memcpy(copy, sites.at, sites.len * sizeof(*copy));
	r->t->site = copy;
	r->t->sites = sites.len;
	vec_release(&sites);
	return rc;
}

static int64_t *new_series(struct reader *r)
{
	int64_t *value = arena_alloc(&r->t->arena, r->t->points * sizeof(*value));

	for (size_t i = 0; i < r->t->points; i++)
		value[i] = QUANTITY_UNKNOWN;
	return value;
}

/* A level that no point has is no series. */
static void set_level(struct reader *r, enum level level, size_t i, int64_t value)
{
	struct series *s = &r->t->level[level];

	if (!quantity_known(value))
		return;
	if (!s->value) {
		s->value = new_series(r);
		s->quantum = level == LEVEL_VISIBLE && r->exact_rows ? 1 : r->quantum;
	}
	s->value[i] = value;
}

static int read_points(struct reader *r)
{
	sqlite3_stmt *stmt =
		BIND(r->store, POINTS, SQL_ARG(r->points.first), SQL_ARG(r->points.last));
	struct timeline *t = r->t;
	bool timed = false;
	int rc;

	t->position = arena_alloc(&t->arena, t->points * sizeof(*t->position));
	t->line = arena_alloc(&t->arena, t->points * sizeof(*t->line));
	t->time = arena_alloc(&t->arena, t->points * sizeof(*t->time));
	for (size_t i = 0; (rc = statement_step(r->store, stmt)) > 0 && i < t->points; i++) {
		int64_t position = column_quantity(stmt, 2);

		t->line[i] = sqlite3_column_int64(stmt, 0);
		t->time[i] = from_stored_time(column_quantity(stmt, 1));
		timed |= t->time[i] != TIME_UNKNOWN;
		t->position[i] =
			quantity_known(position) ? (int32_t)(position - r->first_position) : -1;
		set_level(r, LEVEL_VISIBLE, i, column_quantity(stmt, 3));
		set_level(r, LEVEL_ALLOCATED, i, column_quantity(stmt, 4));
		set_level(r, LEVEL_RESERVED, i, column_quantity(stmt, 5));
	}
	if (!timed)
		t->time = NULL;
	return rc;
}

/* Rows of one shape and dtype are one row here, whatever their classes: counts are joint. */
struct row_list {
	VEC(struct tensor_row) at;
	VEC(size_t) first; /* member + 1, by row */
	struct intern kinds;
};

static void add_member(struct reader *r, struct row_list *rows, sqlite3_stmt *stmt, size_t row)
{
	int64_t id = sqlite3_column_int64(stmt, 0);

	if (!r->member.len)
		r->first_tensor = id;
	/* Ids of rows that could not be counted are missing. */
	while (r->first_tensor + (int64_t)r->member.len < id)
		*vec_push(&r->member) = (struct member){ 0 };
	*vec_push(&r->member) = (struct member){ row, rows->first.at[row], 0 };
	if (column_text(stmt, 1) && strstr(column_text(stmt, 1), "Parameter"))
		rows->at.at[row].parameter = true;
	rows->first.at[row] = r->member.len;
}

static int read_tensors(struct reader *r, struct row_list *rows)
{
	sqlite3_stmt *stmt = BIND(r->store, TENSORS, SQL_ARG(r->source));
	struct strbuf key = STRBUF_INIT;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0) {
		const char *dtype = column_text(stmt, 3);
		bool added;
		size_t row;

		strbuf_clear(&key);
		strbuf_adds(&key, column_text(stmt, 2));
		strbuf_addc(&key, '\1');
		strbuf_adds(&key, dtype ? dtype : "");
		row = intern(&rows->kinds, strbuf_span(&key), &added);
		if (added) {
			*vec_push(&rows->first) = 0;
			*vec_push(&rows->at) = (struct tensor_row){
				.class_name = keep(r, stmt, 1),
				.shape = keep(r, stmt, 2),
				.dtype = keep(r, stmt, 3),
				.numel = sqlite3_column_int64(stmt, 4),
				.itemsize = sqlite3_column_int(stmt, 5),
			};
		}
		add_member(r, rows, stmt, row);
	}
	strbuf_release(&key);
	return rc;
}

/* Changes before they are sorted into their rows. */
struct loose_change {
	size_t row;
	struct tensor_change change;
};

typedef VEC(struct loose_change) change_list;

/* The largest of the classes: all that are alive print the same, and one may go while another
 * stays. */
static int64_t joint_count(const struct reader *r, size_t first)
{
	int64_t count = 0;

	for (size_t m = first; m; m = r->member.at[m - 1].next)
		if (r->member.at[m - 1].count > count)
			count = r->member.at[m - 1].count;
	return count;
}

static int collect_changes(struct reader *r, const struct row_list *rows, change_list *out)
{
	sqlite3_stmt *stmt =
		BIND(r->store, CHANGES, SQL_ARG(r->changes.first), SQL_ARG(r->changes.last));
	size_t *last = xcalloc(rows->at.len, sizeof(*last)); /* by row: index into out + 1 */
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0) {
		uint32_t point = (uint32_t)(sqlite3_column_int64(stmt, 0) - r->points.first);
		size_t at = (size_t)(sqlite3_column_int64(stmt, 1) - r->first_tensor), row;
		int64_t before, count;

		if (at >= r->member.len)
			continue;
		row = r->member.at[at].row;
		before = last[row] ? out->at[last[row] - 1].change.count : 0;
		r->member.at[at].count = sqlite3_column_int64(stmt, 2);
		count = joint_count(r, rows->first.at[row]);
		if (last[row] && out->at[last[row] - 1].change.point == point) {
			out->at[last[row] - 1].change.count = count;
		} else if (count != before) {
			*vec_push(out) = (struct loose_change){
				row, { point, count, sqlite3_column_int64(stmt, 3) }
			};
			last[row] = out->len;
			rows->at.at[row].nchanges++;
		}
	}
	free(last);
	return rc;
}

static void sort_changes(struct reader *r, struct row_list *rows, const change_list *loose)
{
	struct tensor_row *row = arena_alloc(&r->t->arena, rows->at.len * sizeof(*row));
	struct tensor_change *at = arena_alloc(&r->t->arena, loose->len * sizeof(*at));
	struct tensor_change **next = xcalloc(rows->at.len, sizeof(*next));

	for (size_t i = 0; i < rows->at.len; i++) {
		row[i] = rows->at.at[i];
		row[i].change = next[i] = at;
		at += row[i].nchanges;
	}
	for (size_t i = 0; i < loose->len; i++)
		*next[loose->at[i].row]++ = loose->at[i].change;
	r->t->row = row;
	r->t->rows = rows->at.len;
	free(next);
}

static int read_rows(struct reader *r)
{
	struct row_list rows = { VEC_INIT, VEC_INIT, INTERN_INIT };
	change_list loose = VEC_INIT;
	int rc = read_tensors(r, &rows);

	if (!rc)
		rc = collect_changes(r, &rows, &loose);
	if (!rc)
		sort_changes(r, &rows, &loose);
	vec_release(&loose);
	vec_release(&rows.at);
	vec_release(&rows.first);
	vec_release(&r->member);
	intern_release(&rows.kinds);
	return rc;
}

static int read_subjects(struct reader *r, struct subject **out)
{
	sqlite3_stmt *stmt =
		BIND(r->store, SUBJECTS, SQL_ARG(r->samples.first), SQL_ARG(r->samples.last));
	VEC(struct subject) list = VEC_INIT;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0) {
		int64_t number = column_quantity(stmt, 2), pid = column_quantity(stmt, 6);
		bool whole = sqlite3_column_type(stmt, 1) == SQLITE_NULL;

		*vec_push(&r->subject_device) = column_quantity(stmt, 0);
		*vec_push(&r->subject_process) = column_quantity(stmt, 1);
		*vec_push(&list) = (struct subject){
			.device = quantity_known(number) ? number : -1,
			.uuid = keep(r, stmt, 3),
			.device_name = keep(r, stmt, 4),
			.total = column_quantity(stmt, 5),
			.reserved = QUANTITY_UNKNOWN,
			.start = QUANTITY_UNKNOWN,
			.pid = whole || !quantity_known(pid) ? -1 : pid,
			.process = whole ? NULL : keep(r, stmt, 7),
			.is_process = !whole,
			.used = { new_series(r), sqlite3_column_int64(stmt, 8),
				  sqlite3_column_int(stmt, 9) },
		};
	}
	*out = arena_alloc(&r->t->arena, list.len * sizeof(**out));
	if (list.len)
		memcpy(*out, list.at, list.len * sizeof(**out));
	r->t->subject = *out;
	r->t->subjects = list.len;
	vec_release(&list);
	return rc;
}

static int read_samples(struct reader *r)
{
	struct subject *subject;
	sqlite3_stmt *stmt;
	int rc;

	if (read_subjects(r, &subject) < 0 || read_driver_reserved(r->store, r->t, subject) < 0)
		return -1;
	stmt = BIND(r->store, SAMPLES, SQL_ARG(r->samples.first), SQL_ARG(r->samples.last));
	while ((rc = statement_step(r->store, stmt)) > 0) {
		int64_t point = sqlite3_column_int64(stmt, 0) - r->points.first;
		int64_t device = column_quantity(stmt, 1), process = column_quantity(stmt, 2);

		for (size_t i = 0; i < r->t->subjects; i++) {
			if (r->subject_device.at[i] != device ||
			    r->subject_process.at[i] != process)
				continue;
			subject[i].used.value[point] =
				column_quantity(stmt, subject[i].used.percent ? 4 : 3);
		}
	}
	return rc;
}

/* One device, seen as a whole and without doubt, is the run's device. */
static void set_device_level(struct reader *r)
{
	const struct subject *only = NULL;

	for (size_t i = 0; i < r->t->subjects; i++) {
		const struct subject *s = &r->t->subject[i];

		if (s->is_process)
			continue;
		if (only)
			return;
		only = s;
	}
	if (!only)
		return;
	r->t->level[LEVEL_DEVICE] = only->used;
	if (quantity_known(only->total))
		r->t->capacity = only->total;
}

static int read_events(struct reader *r)
{
	sqlite3_stmt *stmt = BIND(r->store, EVENTS, SQL_ARG(r->t->run));
	VEC(struct timeline_event) list = VEC_INIT;
	struct timeline_event *copy;
	int rc;

	while ((rc = statement_step(r->store, stmt)) > 0)
		*vec_push(&list) = (struct timeline_event){
			.point = sqlite3_column_int64(stmt, 0) - r->points.first,
			.line = sqlite3_column_int64(stmt, 1),
			.code = keep(r, stmt, 2),
			.text = keep(r, stmt, 3),
			.requested = column_quantity(stmt, 4),
			.capacity = column_quantity(stmt, 5),
			.limit = column_quantity(stmt, 6),
			.allocated = column_quantity(stmt, 7),
			.reserved = column_quantity(stmt, 8),
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
	struct reader r = { .store = store, .t = out };
	int rc;

	*out = (struct timeline){ .arena = ARENA_INIT };
	rc = read_run(&r, run);
	if (!rc)
		rc = read_sites(&r);
	if (!rc)
		rc = read_points(&r);
	if (!rc)
		rc = read_rows(&r);
	if (!rc)
		rc = read_samples(&r);
	if (!rc) {
		set_device_level(&r);
		rc = read_events(&r);
	}
	vec_release(&r.subject_device);
	vec_release(&r.subject_process);
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
