#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/detector.h"
#include "analysis/forecast.h"
#include "analysis/period.h"
#include "analysis/select.h"
#include "analysis/unfold.h"
#include "analysis/verdict.h"
#include "analysis/warmup.h"
#include "base/alloc.h"

/* One run while it is being judged. */
struct judge {
	struct analysis *out;
	const struct timeline *timeline;
	const struct analysis_options *options;
	struct positions positions;
	struct loops loops;
	struct candidates candidates;
	struct level_growth level[LOOPS_MAX + 1][GROWTH_LEVELS]; /* the last: nothing known */
	size_t warm_up[LOOPS_MAX + 1];
};

/* A log that shows labels is a monitor's: each of its samples counts, beside the labels' cycle. */
static void add_label_samples(struct judge *j)
{
	for (size_t l = 0; l < j->loops.len; l++) {
		int32_t position = j->loops.at[l].position;

		if (position >= 0 && !j->timeline->site[position].label)
			return;
	}
	if (j->loops.len > 0 && j->loops.at[0].kind == LOOP_CODE && j->timeline->subjects > 0)
		loops_add_samples(&j->loops, &j->out->arena, &j->positions, j->loops.at[0].calls);
}

static void run_detectors(struct scene *scene)
{
	for (const struct detector *d = detectors; d->name; d++)
		if (scene->loop || !d->needs_loop)
			d->run(scene);
}

static void judge_loop(struct judge *j, size_t l)
{
	const struct loop *loop = &j->loops.at[l];
	struct scene scene = { .timeline = j->timeline,
			       .options = j->options,
			       .arena = &j->out->arena,
			       .positions = &j->positions,
			       .loop = loop,
			       .loop_index = (int)l,
			       .out = &j->candidates };

	j->warm_up[l] = warmup_find(j->timeline, loop);
	scene.base = j->warm_up[l] - 1;
	scene.rows_known = j->timeline->rows > 0 && !j->timeline->damaged;
	growth_measure(scene.level, j->timeline, loop, scene.base);
	if (scene.rows_known)
		counts_find(&scene.rows, scene.arena, j->timeline, loop, scene.base);
	memcpy(j->level[l], scene.level, sizeof(scene.level));
	run_detectors(&scene);
}

static void judge_without_loop(struct judge *j)
{
	struct scene scene = { .timeline = j->timeline,
			       .options = j->options,
			       .arena = &j->out->arena,
			       .positions = &j->positions,
			       .loop_index = -1,
			       .out = &j->candidates };

	run_detectors(&scene);
}

static struct finding finish(struct judge *j, const struct candidate *c)
{
	struct finding f = c->finding;
	int32_t position = select_position(c, &j->positions, &j->loops);
	const char *place;

	if (position >= 0)
		f.site = &j->timeline->site[position];
	place = position_text(&j->out->arena, f.site);
	f.why = advice_why(&j->out->arena, c->which, place);
	f.advice = advice_text(&j->out->arena, c->which, place);
	unfold_finding(&f, &j->out->arena, j->timeline, c->loop >= 0 ? &j->loops.at[c->loop] : NULL);
	return f;
}

static void copy_findings(struct judge *j)
{
	struct finding *finding;
	size_t n = 0;

	while (n < j->candidates.len && !j->candidates.at[n].dropped)
		n++;
	finding = arena_alloc(&j->out->arena, (n + 1) * sizeof(*finding));
	for (size_t i = 0; i < n; i++)
		finding[i] = finish(j, &j->candidates.at[i]);
	j->out->finding = finding;
	j->out->findings = n;
}

/* The loop of the worst finding, or the one with most iterations that say something. */
static size_t told_loop(const struct judge *j)
{
	size_t best = LOOPS_MAX;

	if (j->out->findings && j->out->finding[0].kind != FINDING_NOTE &&
	    j->candidates.at[0].loop >= 0)
		return (size_t)j->candidates.at[0].loop;
	for (size_t l = 0; l < j->loops.len; l++)
		if (best == LOOPS_MAX || j->loops.at[l].n > j->loops.at[best].n)
			best = l;
	return best;
}

static void tell(struct judge *j)
{
	struct analysis *out = j->out;
	size_t told = told_loop(j);
	const struct loop *loop = told < LOOPS_MAX ? &j->loops.at[told] : NULL;
	const struct finding *top = out->findings ? &out->finding[0] : NULL;
	struct level_growth *level = j->level[told];
	int64_t fold = unfold_factor(j->timeline, loop);

	unfold_levels(level, fold);
	if (loop) {
		out->iterations = unfold_count(j->timeline, loop, loop_units(loop));
		out->unit = loop->unit;
		out->warm_up = (int64_t)j->warm_up[told] * fold;
		out->head = loop->head;
		out->heads = loop->n;
		out->from = loop->from;
		out->samples = loop->samples;
		if (loop->outer >= 0) {
			out->outer = j->loops.at[loop->outer].head;
			out->outers = j->loops.at[loop->outer].n;
		}
		out->fold = fold;
		if (loop->position >= 0)
			out->site = &j->timeline->site[loop->position];
	}
	for (int g = 0; g < GROWTH_LEVELS; g++)
		out->growth[g] = growth_of(&level[g]);
	forecast_make(&out->forecast, j->timeline, j->options, loop, level, top);
	verdict_give(out, j->timeline, j->options, &j->positions, loop, level);
}

int analyse(struct analysis *out, const struct timeline *timeline,
	    const struct analysis_options *options)
{
	struct judge *j = xcalloc(1, sizeof(*j));

	*out = (struct analysis){ .arena = ARENA_INIT, .smallest = -1 };
	j->out = out;
	j->timeline = timeline;
	j->options = options;
	positions_find(&j->positions, &out->arena, timeline);
	loops_find(&j->loops, &out->arena, &j->positions);
	period_find(&j->loops, &out->arena, timeline);
	add_label_samples(j);
	for (size_t l = 0; l < j->loops.len; l++)
		judge_loop(j, l);
	if (j->loops.len == 0)
		judge_without_loop(j);
	select_findings(&j->candidates, &j->positions, &j->loops);
	copy_findings(j);
	tell(j);
	free(j->candidates.at);
	free(j);
	return 0;
}
