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
	step = fmax(fmax(l->quantum, 2 * l->trend.noise), 512);
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
	if (!level[GROWTH_ALLOCATED].known && level[GROWTH_DEVICE].known)
		return "log torch.cuda.memory_allocated() or use a MemTracker from 2021-04 or "
		       "later, and "
		       "nvidia-smi --query-compute-apps beside it: the device's total mixes all "
		       "processes";
	return NULL;
}

static void say_undecided(struct analysis *out, const struct positions *positions, size_t n,
			  const struct analysis_options *options)
{
	out->verdict = VERDICT_UNDECIDED;
	if (positions->points == 0)
		out->why = "the log holds no memory figures";
	else if (positions->placed > 0 && positions->repeated < 2)
		out->why = "no position repeats, so there is nothing to compare";
	else
		out->why = arena_printf(
			&out->arena,
			"only %zu iterations; it takes %lld to tell growth from a start-up", n,
			(long long)options->minimum_iterations);
	out->log_next =
		"call track() once at the end of each iteration, for at least ten iterations";
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
		say_undecided(out, positions, judged, options);
	} else {
		say_clean(out);
	}
}
