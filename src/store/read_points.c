#include <stdlib.h>

#include "store/reader.h"

/*
 * Points -> series.  A run of more than FOLD_POINTS points is folded: of each site that is visited
 * often, as many visits become one point, so that about FOLD_POINTS are left and loops keep their
 * structure.  A site visited FEW_VISITS times or less keeps every visit: outer loops do.
 */
enum { FOLD_POINTS = 16 * 1024, LEVELS_STORED = LEVEL_RESERVED + 1 };

/* The visits of one site since the last point that was made of them. */
struct window {
	int64_t visits, seen, fold;
	int64_t low[LEVELS_STORED], high[LEVELS_STORED];
	int64_t *subject_low, *subject_high; /* by subject; NULL: not folded, or none yet */
};

struct folding {
	struct reader *r;
	struct window *window; /* by site + 1; [0]: points without a site */
	sqlite3_stmt *changes, *samples;
	int more_changes, more_samples; /* 1: a row is waiting, 0: none is left */
	size_t made;		       /* points */
};

static int64_t *new_series(struct reader *r)
{
	int64_t *value = arena_alloc(&r->t->arena, r->t->points * sizeof(*value));

	for (size_t i = 0; i < r->t->points; i++)
		value[i] = QUANTITY_UNKNOWN;
	return value;
}

static void window_clear(struct window *w, size_t subjects)
{
	for (int l = 0; l < LEVELS_STORED; l++)
		w->low[l] = w->high[l] = QUANTITY_UNKNOWN;
	for (size_t s = 0; w->subject_low && s < subjects; s++)
		w->subject_low[s] = w->subject_high[s] = QUANTITY_UNKNOWN;
}

static void widen(int64_t *low, int64_t *high, int64_t value)
{
	if (!quantity_known(value))
		return;
	if (!quantity_known(*low) || value < *low)
		*low = value;
	if (!quantity_known(*high) || value > *high)
		*high = value;
}

/* The site's index, or -1: none, also where a damaged database names one that is not there. */
static int32_t site_of(const struct folding *f, int64_t position)
{
	int64_t site = quantity_known(position) ? position - f->r->first_position : -1;

	return site >= 0 && site < (int64_t)f->r->t->sites ? (int32_t)site : -1;
}

static struct window *window_of(struct folding *f, int64_t position)
{
	return &f->window[site_of(f, position) + 1];
}

/* Places without a count were visited FEW_VISITS times or less. */
static int read_visits(struct folding *f)
{
	sqlite3_stmt *stmt = BIND(f->r->store, VISITS, SQL_ARG(f->r->t->run));
	int rc;

	while ((rc = statement_step(f->r->store, stmt)) > 0)
		window_of(f, column_quantity(stmt, 0))->visits = sqlite3_column_int64(stmt, 1);
	return rc;
}

static int64_t fold_of(const struct window *w, int64_t wanted)
{
	int64_t most = w->visits / (FEW_VISITS / 2);

	if (w->visits <= FEW_VISITS || wanted < 2)
		return 1;
	return wanted < most ? wanted : most;
}

/* How many visits a point stands for, a site; how many points that makes. */
static size_t plan(struct folding *f)
{
	int64_t points = f->r->t->logged_points;
	int64_t wanted = (points + FOLD_POINTS - 1) / FOLD_POINTS;

	for (size_t i = 0; i <= f->r->t->sites; i++) {
		struct window *w = &f->window[i];

		w->fold = fold_of(w, wanted);
		if (i) {
			f->r->site[i - 1].fold = w->fold;
			f->r->site[i - 1].visits = w->visits;
		} else {
			f->r->t->fold = w->fold;
		}
		points -= w->visits - (w->visits + w->fold - 1) / w->fold;
	}
	return (size_t)points;
}

/* A level that no point has is no series. */
static void set_level(struct reader *r, enum level level, size_t i, int64_t low, int64_t high)
{
	struct series *s = &r->t->level[level];

	if (!quantity_known(low))
		return;
	if (!s->value) {
		s->value = new_series(r);
		s->quantum = level == LEVEL_VISIBLE && r->exact_rows ? 1 : r->quantum;
		if (r->t->logged_points > (int64_t)r->t->points)
			s->peak = new_series(r);
	}
	s->value[i] = low;
	if (s->peak)
		s->peak[i] = high;
}

static int next_change(struct folding *f, int64_t point, int64_t line)
{
	while (f->more_changes > 0 && sqlite3_column_int64(f->changes, 0) == point) {
		rows_change(&f->r->rows, sqlite3_column_int64(f->changes, 1),
			    sqlite3_column_int64(f->changes, 2), line - sqlite3_column_int64(f->changes, 3));
		f->more_changes = statement_step(f->r->store, f->changes);
	}
	return f->more_changes < 0 ? -1 : 0;
}

static void see_sample(struct folding *f, struct window *w, size_t subject, int64_t used)
{
	struct timeline *t = f->r->t;

	if (!w->subject_low) {
		w->subject_low = arena_alloc(&t->arena, t->subjects * sizeof(int64_t));
		w->subject_high = arena_alloc(&t->arena, t->subjects * sizeof(int64_t));
		for (size_t s = 0; s < t->subjects; s++)
			w->subject_low[s] = w->subject_high[s] = QUANTITY_UNKNOWN;
	}
	widen(&w->subject_low[subject], &w->subject_high[subject], used);
}

static int next_samples(struct folding *f, struct window *w, int64_t point)
{
	struct reader *r = f->r;

	while (f->more_samples > 0 && sqlite3_column_int64(f->samples, 0) == point) {
		size_t at = (size_t)(sqlite3_column_int64(f->samples, 1) - r->first_subject);

		if (at < r->subject_of.len && r->subject_of.at[at] != SIZE_MAX)
			see_sample(f, w, r->subject_of.at[at], column_quantity(f->samples, 2));
		f->more_samples = statement_step(r->store, f->samples);
	}
	return f->more_samples < 0 ? -1 : 0;
}

/* The window becomes a point. */
static void make_point(struct folding *f, struct window *w, sqlite3_stmt *stmt)
{
	struct timeline *t = f->r->t;
	size_t i = f->made++;

	t->line[i] = sqlite3_column_int64(stmt, 0);
	t->time[i] = from_stored_time(column_quantity(stmt, 1));
	t->position[i] = site_of(f, column_quantity(stmt, 2));
	for (int l = 0; l < LEVELS_STORED; l++)
		set_level(f->r, (enum level)l, i, w->low[l], w->high[l]);
	for (size_t s = 0; w->subject_low && s < t->subjects; s++) {
		struct series *used = &f->r->subject[s].used;

		used->value[i] = w->subject_low[s];
		if (used->peak)
			used->peak[i] = w->subject_high[s];
	}
	rows_end_point(&f->r->rows, i);
	window_clear(w, t->subjects);
}

static int read_point(struct folding *f, sqlite3_stmt *stmt, int64_t id)
{
	struct window *w = window_of(f, column_quantity(stmt, 2));

	for (int l = 0; l < LEVELS_STORED; l++)
		widen(&w->low[l], &w->high[l], column_quantity(stmt, 3 + l));
	if (next_change(f, id, sqlite3_column_int64(stmt, 0)) < 0 || next_samples(f, w, id) < 0)
		return -1;
	w->seen++;
	if (w->seen % w->fold == 0 || w->seen == w->visits)
		make_point(f, w, stmt);
	return 0;
}

static int read_all(struct folding *f)
{
	struct reader *r = f->r;
	sqlite3_stmt *stmt;
	int64_t id = r->points.first;
	int rc;

	f->changes = BIND(r->store, CHANGES, SQL_ARG(r->changes.first), SQL_ARG(r->changes.last));
	f->samples = BIND(r->store, SAMPLES, SQL_ARG(r->samples.first), SQL_ARG(r->samples.last));
	f->more_changes = statement_step(r->store, f->changes);
	f->more_samples = statement_step(r->store, f->samples);
	if (f->more_changes < 0 || f->more_samples < 0)
		return -1;
	stmt = BIND(r->store, POINTS, SQL_ARG(r->points.first), SQL_ARG(r->points.last));
	while ((rc = statement_step(r->store, stmt)) > 0 && f->made < r->t->points) {
		rc = read_point(f, stmt, id++);
		if (rc < 0)
			break;
	}
	sqlite3_reset(stmt);
	sqlite3_reset(f->changes);
	sqlite3_reset(f->samples);
	return rc < 0 ? -1 : 0;
}

static void allocate(struct folding *f)
{
	struct timeline *t = f->r->t;

	t->position = arena_alloc(&t->arena, t->points * sizeof(*t->position));
	t->line = arena_alloc(&t->arena, t->points * sizeof(*t->line));
	t->time = arena_alloc(&t->arena, t->points * sizeof(*t->time));
	for (size_t s = 0; s < t->subjects; s++) {
		f->r->subject[s].used.value = new_series(f->r);
		if (t->logged_points > (int64_t)t->points)
			f->r->subject[s].used.peak = new_series(f->r);
	}
	for (size_t i = 0; i <= t->sites; i++)
		window_clear(&f->window[i], 0);
}

static bool has_times(const struct timeline *t)
{
	for (size_t i = 0; i < t->points; i++)
		if (t->time[i] != TIME_UNKNOWN)
			return true;
	return false;
}

int points_read(struct reader *r)
{
	struct folding f = { .r = r, .window = xcalloc(r->t->sites + 1, sizeof(*f.window)) };
	int rc;

	r->t->logged_points = r->points.last >= r->points.first
				      ? r->points.last - r->points.first + 1
				      : 0;
	rc = read_visits(&f);
	if (!rc) {
		r->t->points = plan(&f);
		allocate(&f);
		rc = read_all(&f);
		if (!rc && f.made < r->t->points)
			rc = store_damaged(r->store, "points of a run are missing");
	}
	if (!rc && !has_times(r->t))
		r->t->time = NULL;
	free(f.window);
	return rc;
}
