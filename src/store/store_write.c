#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/vec.h"
#include "store/bulk.h"
#include "store/writer.h"

void writer_free(struct writer *w)
{
	if (!w)
		return;
	bulk_close(&w->point);
	bulk_close(&w->change);
	bulk_close(&w->sample);
	vec_release(&w->position);
	vec_release(&w->tensor);
	vec_release(&w->device);
	vec_release(&w->process);
	vec_release(&w->subject_samples);
	vec_release(&w->device_reserved);
	intern_release(&w->subjects);
	vec_release(&w->visits);
	vec_release(&w->early);
	arena_release(&w->early_text);
	free(w->run_name);
	free(w);
}

static int writer_new(struct store *store)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	/* Ids are left to SQLite, which counts on from the largest, as the writer does: appending costs
	 * less than asking for each id whether it is free. */
	store->writer = w;
	store->conveyor = conveyor_new(bulk_write);
	if (bulk_open(&w->point, store, "point",
		      "line, time, position, visit, visible, allocated, reserved") < 0 ||
	    bulk_open(&w->change, store, "change", "point, tensor, count, above") < 0 ||
	    bulk_open(&w->sample, store, "sample", "point, subject, below, after, used, free, reserved") < 0)
		return -1;
	return 0;
}

int store_begin_import(struct store *store)
{
	if (!store->writer && writer_new(store) < 0)
		return -1;
	if (RUN_PLAIN(store, BEGIN) < 0)
		return -1;
	store->in_import = true;
	if (RUN_PLAIN(store, IMPORT_ADD) < 0)
		return -1;
	store->writer->import = sqlite3_last_insert_rowid(store->db);
	return 0;
}

int store_commit(struct store *store)
{
	if (RUN_PLAIN(store, COMMIT) < 0)
		return -1;
	store->in_import = false;
	return 0;
}

void store_rollback(struct store *store)
{
	if (store->conveyor)
		conveyor_reset(store->conveyor);
	store->failure.code = 0;
	/* May fail because SQLite has rolled back by itself: then there is nothing left to do. */
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	store->in_import = false;
}

static void forget(struct writer *w)
{
	bulk_drop(&w->point);
	bulk_drop(&w->change);
	bulk_drop(&w->sample);
	vec_clear(&w->position);
	vec_clear(&w->tensor);
	vec_clear(&w->device);
	vec_clear(&w->process);
	vec_clear(&w->subject_samples);
	vec_clear(&w->device_reserved);
	vec_clear(&w->early);
	arena_release(&w->early_text);
	intern_release(&w->subjects);
	w->runs = 0;
	w->run = 0;
}

static int read_next_ids(struct store *store)
{
	struct writer *w = store->writer;
	int64_t *ids[] = { &w->first_position, &w->first_tensor, &w->first_device, &w->first_process,
			   &w->first_subject,  &w->next_point,	 &w->next_change,  &w->next_sample };
	sqlite3_stmt *stmt = store->statement[STATEMENT_NEXT_IDS];

	if (statement_step(store, stmt) <= 0)
		return -1;
	for (int i = 0; i < (int)(sizeof(ids) / sizeof(*ids)); i++)
		*ids[i] = sqlite3_column_int64(stmt, i);
	sqlite3_reset(stmt);
	w->first_sample = w->next_sample;
	return 0;
}

int store_begin_source(struct store *store, const struct source_info *info)
{
	struct writer *w = store->writer;
	char pending[40];

	forget(w);
	free(w->run_name);
	w->run_name = xstrdup(info->run_name);
	if (RUN_PLAIN(store, SAVEPOINT) < 0 || read_next_ids(store) < 0)
		return -1;
	/* The hash is known at the end. */
	snprintf(pending, sizeof(pending), "pending %" PRId64, w->next_point);
	if (RUN(store, SOURCE_ADD, SQL_ARG(w->import), SQL_ARG(info->path), SQL_ARG(pending)) < 0)
		return -1;
	w->source = sqlite3_last_insert_rowid(store->db);
	return 0;
}

static int name_taken(struct store *store, const char *name)
{
	sqlite3_stmt *stmt = BIND(store, RUN_NAME_TAKEN, SQL_ARG(name));
	int rc = statement_step(store, stmt);

	sqlite3_reset(stmt);
	return rc;
}

/* NAME, NAME#2 for the second run of a log; ~2, ~3 … where another log has the name already. */
static int free_name(struct store *store, char **out)
{
	struct writer *w = store->writer;

	for (int copy = 1;; copy++) {
		char suffix[64] = "", number[32] = "";
		int rc;

		if (copy > 1)
			snprintf(suffix, sizeof(suffix), "~%d", copy);
		if (w->runs > 0)
			snprintf(number, sizeof(number), "#%d", w->runs + 1);
		*out = xasprintf("%s%s%s", w->run_name, suffix, number);
		rc = name_taken(store, *out);
		if (rc <= 0)
			return rc;
		free(*out);
	}
}

static int add_note(struct store *store, int64_t run, const struct note *note)
{
	return RUN(store, NOTE_ADD, SQL_ARG(run ? run : QUANTITY_UNKNOWN), SQL_ARG(note->line),
		   SQL_ARG(note->code), SQL_ARG(note->text));
}

static int on_run_begin(void *context, int64_t line)
{
	struct store *store = context;
	struct writer *w = store->writer;
	char *name;
	int rc;

	if (free_name(store, &name) < 0)
		return -1;
	rc = RUN(store, RUN_ADD, SQL_ARG(w->source), SQL_ARG(name), SQL_ARG(line),
		 SQL_ARG(w->next_point), SQL_ARG(w->next_change), SQL_ARG(w->next_sample));
	free(name);
	w->run = sqlite3_last_insert_rowid(store->db);
	w->runs++;
	w->quantum = 1;
	vec_clear(&w->visits);
	w->unplaced = 0;
	for (size_t i = 0; i < w->early.len && !rc; i++)
		rc = add_note(store, w->run, &w->early.at[i]);
	vec_clear(&w->early);
	return rc;
}

/* Keeps the thing for store_end_source(), and gives its id. */
static int64_t id_of(struct things *list, int64_t first, size_t index, const void *thing)
{
	while (list->len <= index)
		*vec_push(list) = NULL;
	list->at[index] = thing;
	return first + (int64_t)index;
}

static int64_t count_visit(struct writer *w, size_t index)
{
	while (w->visits.len <= index)
		*vec_push(&w->visits) = 0;
	return ++w->visits.at[index];
}

/* nvidia-smi prints what the driver keeps, or leaves it out of both used and free. */
static int64_t driver_reserved(const struct sample *s)
{
	return quantity_known(s->reserved)
		       ? s->reserved
		       : quantity_sub(quantity_sub(s->total, s->used), s->free);
}

static int64_t device_id(struct writer *w, const struct sample *s)
{
	if (!s->device)
		return QUANTITY_UNKNOWN;
	writer_see_reserved(w, s->device->index,
		     s->process || s->percent_only ? QUANTITY_UNKNOWN : driver_reserved(s));
	return id_of(&w->device, w->first_device, s->device->index, s->device);
}

static int64_t subject_id(struct writer *w, const struct sample *s)
{
	struct subject_key key = {
		.device = device_id(w, s),
		.process = s->process ? id_of(&w->process, w->first_process, s->process->index,
					      s->process)
				      : QUANTITY_UNKNOWN,
		.quantum = s->quantum,
		.share = s->percent_only,
	};
	size_t index =
		intern(&w->subjects, (struct span){ (const char *)&key, sizeof(key) }, NULL);

	if (index == w->subject_samples.len)
		*vec_push(&w->subject_samples) = 0;
	w->subject_samples.at[index] += quantity_known(s->used);
	return w->first_subject + (int64_t)index;
}

static int add_samples(struct writer *w, const struct point *p)
{
	for (size_t i = 0; i < p->nsamples; i++) {
		const struct sample *s = &p->samples[i];
		int64_t after = s->time == TIME_UNKNOWN || p->time == TIME_UNKNOWN
					? QUANTITY_UNKNOWN
					: (s->time - p->time) / 1000;
		int64_t values[] = {
			w->next_point, subject_id(w, s), s->line - p->line, after,
			s->used,       s->free,		 s->reserved,
		};

		if (bulk_add(&w->sample, values) < 0)
			return -1;
		w->next_sample++;
	}
	return 0;
}

static int on_point(void *context, const struct point *p)
{
	struct store *store = context;
	struct writer *w = store->writer;
	int64_t values[] = {
		p->line,
		to_stored_time(p->time),
		p->position
			? id_of(&w->position, w->first_position, p->position->index, p->position)
			: QUANTITY_UNKNOWN,
		p->position ? count_visit(w, p->position->index) : QUANTITY_UNKNOWN,
		p->visible,
		p->allocated,
		p->reserved,
	};

	if (p->quantum > w->quantum)
		w->quantum = p->quantum;
	w->unplaced += !p->position;
	if (bulk_add(&w->point, values) < 0)
		return -1;
	for (size_t i = 0; i < p->nchanges; i++) {
		const struct change *c = &p->changes[i];
		int64_t change[] = { w->next_point,
				     id_of(&w->tensor, w->first_tensor, c->tensor->index,
					   c->tensor),
				     c->count, p->line - c->line };

		if (bulk_add(&w->change, change) < 0)
			return -1;
		w->next_change++;
	}
	if (add_samples(w, p) < 0)
		return -1;
	w->next_point++;
	return 0;
}

static int on_note(void *context, const struct note *note)
{
	struct store *store = context;
	struct writer *w = store->writer;

	if (w->run)
		return add_note(store, w->run, note);
	*vec_push(&w->early) =
		(struct note){ note->line, arena_text(&w->early_text, span_of(note->code)),
			       arena_text(&w->early_text, span_of(note->text)) };
	return 0;
}

static int on_event(void *context, const struct event *e)
{
	struct store *store = context;
	struct writer *w = store->writer;

	return RUN(store, EVENT_ADD, SQL_ARG(w->run), SQL_ARG(w->next_point - 1), SQL_ARG(e->line),
		   SQL_ARG(to_stored_time(e->time)), SQL_ARG(e->code), SQL_ARG(e->text),
		   SQL_ARG(e->device < 0 ? QUANTITY_UNKNOWN : e->device),
		   SQL_ARG(e->pid < 0 ? QUANTITY_UNKNOWN : e->pid), SQL_ARG(e->requested),
		   SQL_ARG(e->capacity), SQL_ARG(e->limit), SQL_ARG(e->free), SQL_ARG(e->allocated),
		   SQL_ARG(e->reserved), SQL_ARG(e->process_used));
}

static int add_visits(struct store *store, int64_t position, int64_t visits)
{
	return visits <= FEW_VISITS ? 0
				    : RUN(store, VISITS_ADD, SQL_ARG(store->writer->run), SQL_ARG(position),
					  SQL_ARG(visits));
}

static int on_run_end(void *context, const struct run_end *end)
{
	struct store *store = context;
	struct writer *w = store->writer;

	if (add_visits(store, QUANTITY_UNKNOWN, w->unplaced) < 0)
		return -1;
	for (size_t i = 0; i < w->visits.len; i++)
		if (add_visits(store, w->first_position + (int64_t)i, w->visits.at[i]) < 0)
			return -1;
	return RUN(store, RUN_END, SQL_ARG(end->dialect), SQL_ARG(to_stored_time(end->started)),
		   SQL_ARG((int64_t)end->rows),
		   SQL_ARG(end->printed_unit ? end->printed_unit : QUANTITY_UNKNOWN),
		   SQL_ARG(w->quantum), SQL_ARG(end->damage), SQL_ARG(end->truncated),
		   SQL_ARG(w->next_point - 1), SQL_ARG(w->next_change - 1),
		   SQL_ARG(w->next_sample - 1), SQL_ARG(w->run));
}

struct point_sink store_sink(struct store *store)
{
	return (struct point_sink){ store, on_run_begin, on_point, on_note, on_event, on_run_end };
}

int store_drop_source(struct store *store)
{
	forget(store->writer);
	if (RUN_PLAIN(store, ROLLBACK_TO) < 0)
		return -1;
	return RUN_PLAIN(store, RELEASE);
}

int store_end_source(struct store *store, const struct source_info *info, int64_t *known_source)
{
	struct writer *w = store->writer;
	sqlite3_stmt *stmt = BIND(store, SOURCE_BY_HASH, SQL_ARG(info->hash));
	int known = statement_step(store, stmt);

	if (known > 0) {
		*known_source = sqlite3_column_int64(stmt, 0);
		sqlite3_reset(stmt);
		return store_drop_source(store) < 0 ? -1 : 1;
	}
	if (known < 0 || bulk_flush(&w->point) < 0 || bulk_flush(&w->change) < 0 ||
	    bulk_flush(&w->sample) < 0 || writer_write_names(store) < 0)
		return -1;
	for (size_t i = 0; i < w->early.len; i++)
		if (add_note(store, 0, &w->early.at[i]) < 0)
			return -1;
	if (RUN(store, SOURCE_END, SQL_ARG(info->hash), SQL_ARG(info->bytes), SQL_ARG(info->lines),
		SQL_ARG(info->matched), SQL_ARG(info->blank), SQL_ARG(info->unmatched),
		SQL_ARG(w->source)) < 0)
		return -1;
	if (RUN_PLAIN(store, RELEASE) < 0)
		return -1;
	*known_source = w->source;
	forget(w);
	return 0;
}
