#include "analysis/verdict.h"

#include <math.h>

/* The level that holds all memory the run can lose, first. */
static const enum growth_level widest[] = { GROWTH_ALLOCATED, GROWTH_PROCESS, GROWTH_DEVICE,
					    GROWTH_VISIBLE };

static const struct level_growth *widest_level(const struct level_growth level[GROWTH_LEVELS])
{
	for (size_t i = 0; i < sizeof(widest) / sizeof(widest[0]); i++)
		if (level[widest[i]].known)
			return &level[widest[i]];
	return NULL;
}

/*
 * A leak shows once the floor of each block lies above the one before: by a quantum, and by more
 * than the noise.  Exact figures show the smallest tensor, which the allocator rounds to 512 bytes.
 */
static double smallest_growth(const struct level_growth *l)
{
	double step, n;

	if (!l || l->trend.shape == TREND_TOO_SHORT || l->trend.n == 0)
		return -1;
	n = (double)l->trend.n;
	step = fmax(fmax(l->quantum, 2 * l->trend.noise), l->percent ? 0 : 512);
	return step * TREND_BLOCKS / n;
}

static const char *what_grows(struct arena *arena, const struct finding *f)
{
	if (f->rows == 1)
		return arena_printf(arena, "%s %s", f->row[0].shape,
				    f->row[0].row->dtype ? f->row[0].row->dtype : "tensors");
	if (f->rows > 1)
		return arena_printf(arena, "%zu tensor rows together", f->rows);
	if (f->subject && f->subject->pid >= 0)
		return arena_printf(arena, "process %lld", (long long)f->subject->pid);
	return "memory";
}

static void say_growth(struct analysis *out)
{
	const struct finding *f = &out->finding[0];
	const char *what = what_grows(&out->arena, f);

	if (f->kind == FINDING_LEAK)
		out->why =
			arena_printf(&out->arena, "%s: growth of %s from %s %lld to %lld", f->cause,
				     what, f->unit, (long long)f->first, (long long)f->last);
	else
		out->why = arena_printf(
			&out->arena,
			"%s: growth of %s, but the log does not settle whose or whether "
			"it lasts",
			f->cause, what);
}

static const char *missing_level(const struct timeline *timeline,
				 const struct level_growth level[GROWTH_LEVELS])
{
	if (timeline->rows == 0 && level[GROWTH_ALLOCATED].known)
		return "log the tensor rows too (MemTracker with detail=True): they name the "
		       "tensors";
	if (!level[GROWTH_ALLOCATED].known && level[GROWTH_PROCESS].known)
		return "log torch.cuda.memory_allocated() or use a MemTracker from 2021-04 or "
		       "later: a process's total does not tell tensors from the rest";
	if (!level[GROWTH_ALLOCATED].known && level[GROWTH_DEVICE].known)
		return "log torch.cuda.memory_allocated() or use a MemTracker from 2021-04 or "
		       "later, and "
		       "nvidia-smi --query-compute-apps beside it: the device's total mixes all "
		       "processes";
	return NULL;
}

/* Who wrote the log decides what its reader can do about it. */
enum writer { WRITER_TRACKER, WRITER_PRINTS, WRITER_MONITOR, WRITERS };

static const struct {
	const char *more, *figures; /* to log, for want of repetitions; of any figure */
} advice[WRITERS] = {
	[WRITER_TRACKER] = {
		"call track() once at the end of each iteration, for at least ten iterations",
		"call track() once at the end of each iteration, for at least ten iterations",
	},
	[WRITER_PRINTS] = {
		"print the figures once at the end of each iteration, for at least ten iterations",
		"print torch.cuda.memory_allocated() at the end of each iteration: the driver gave this log "
		"no figures",
	},
	[WRITER_MONITOR] = {
		"record for longer, at least ten samples while the job is at work; nvidia-smi "
		"--query-compute-apps=pid,used_memory --format=csv -l 1 also tells its processes apart",
		"the driver gave this log no figures: try nvidia-smi --query-compute-apps=pid,used_memory "
		"--format=csv -l 1, or log torch.cuda.memory_allocated() inside the program",
	},
};

static enum writer writer_of(const struct timeline *t, const struct positions *positions)
{
	if (t->rows > 0 || t->level[LEVEL_VISIBLE].value || t->level[LEVEL_ALLOCATED].value)
		return WRITER_TRACKER;
	for (size_t i = 0; i < t->sites; i++)
		if (t->site[i].file || t->site[i].module)
			return WRITER_TRACKER;
	return positions->placed > 0 ? WRITER_PRINTS : WRITER_MONITOR;
}

static bool any_known(const struct series *s, size_t points)
{
	for (size_t i = 0; s->value && i < points; i++)
		if (quantity_known(s->value[i]))
			return true;
	return false;
}

static bool has_figures(const struct timeline *t)
{
	bool any = t->rows > 0 || any_known(&t->peak, t->points);

	for (int l = 0; l < LEVELS && !any; l++)
		any = any_known(&t->level[l], t->points);
	for (size_t i = 0; i < t->subjects && !any; i++)
		any = any_known(&t->subject[i].used, t->points);
	return any;
}

static void say_undecided(struct analysis *out, const struct timeline *timeline,
			  const struct positions *positions, size_t n,
			  const struct analysis_options *options)
{
	enum writer writer = writer_of(timeline, positions);
	const char *unit = out->unit ? out->unit : "iteration";

	out->verdict = VERDICT_UNDECIDED;
	out->log_next = advice[writer].more;
	if (!has_figures(timeline)) {
		out->why = "the log holds no memory figures";
		out->log_next = advice[writer].figures;
	} else if (positions->points < 2) {
		out->why = "the log shows a single moment, so there is nothing to compare";
	} else if (positions->placed > 0 && positions->repeated < 2) {
		out->why = "no position repeats, so there is nothing to compare";
	} else {
		out->why = arena_printf(
			&out->arena, "only %zu %s%s; it takes %lld to tell growth from a start-up", n,
			unit, n == 1 ? "" : "s", (long long)options->minimum_iterations);
	}
}

/* Shares of the values: a rise by then belongs to the start; one later than that may go on. */
static const double at_the_start = 0.1, until_late = 2.0 / 3;

/*
 * A rise that whole percents cannot tell from rounding, or one that goes on to the end in steps too
 * few to see how.
 */
static bool too_coarse(const struct level_growth *l)
{
	const struct trend *t = &l->trend;
	double rise = fmax(t->total, t->rise);
	double when = (t->last - t->begin) / (t->end - t->begin);

	/* halves, because bytes made of percents are rounded */
	if (!l->coarse || rise < l->quantum / 2 || when <= at_the_start)
		return false;
	return rise <= 2.5 * l->quantum || (t->shape == TREND_PLATEAU && when > until_late);
}

static void say_too_coarse(struct analysis *out, const struct timeline *timeline,
			   const struct level_growth *l)
{
	double rise = fmax(l->trend.total, l->trend.rise), total = (double)timeline->capacity;
	double card = l->percent ? 10000 : total, step = 100 * l->quantum / card;
	const char *steps = step > 0.95 ? "whole percents"
					: arena_printf(&out->arena, "steps of %.2g %%", step);

	out->verdict = VERDICT_UNDECIDED;
	out->why = arena_printf(&out->arena,
				"memory rose by %.3g %% of the card, and the log shows %s only: too "
				"coarse to tell growth from rounding",
				100 * rise / card, steps);
	out->log_next = "log bytes: nvidia-smi --query-compute-apps=pid,used_memory --format=csv -l 1 "
			"beside the job, or torch.cuda.memory_allocated() inside it";
}

static void say_clean(struct analysis *out)
{
	out->verdict = VERDICT_CLEAN;
	if (out->findings && out->finding[0].kind == FINDING_NOTE && out->finding[0].why)
		out->why = arena_printf(&out->arena, "no lasting growth: %s", out->finding[0].why);
	else
		out->why = "no growth";
}

void verdict_give(struct analysis *out, const struct timeline *timeline,
		  const struct analysis_options *options, const struct positions *positions,
		  const struct loop *loop, const struct level_growth level[GROWTH_LEVELS])
{
	const struct level_growth *widest_known = widest_level(level);
	size_t judged = widest_known ? widest_known->trend.n : loop && timeline->rows ? loop->n : 0;
	enum finding_kind kind = out->findings ? out->finding[0].kind : FINDING_NOTE;

	out->smallest = smallest_growth(widest_known);
	out->smallest_percent = widest_known && widest_known->percent;
	out->log_next = missing_level(timeline, level);
	if (timeline->damaged) {
		out->verdict = kind == FINDING_NOTE ? VERDICT_UNDECIDED : VERDICT_SUSPECT;
		out->why = arena_printf(&out->arena, "the report is damaged: %s",
					timeline->damage ? timeline->damage : "rows were lost");
		out->log_next = "run it again with one tracker writing to its own file";
		return;
	}
	if (kind != FINDING_NOTE) {
		out->verdict = kind == FINDING_LEAK ? VERDICT_LEAK : VERDICT_SUSPECT;
		say_growth(out);
	} else if ((int64_t)judged < options->minimum_iterations) {
		say_undecided(out, timeline, positions, judged, options);
	} else if (widest_known && too_coarse(widest_known)) {
		say_too_coarse(out, timeline, widest_known);
	} else {
		say_clean(out);
	}
}
