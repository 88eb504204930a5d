#include "analysis/detector.h"

#include "base/alloc.h"
#include "base/vec.h"

const struct detector detectors[] = {
	{ "model-copies", model_copies_detect, true },
	{ "graph-retained", graph_retained_detect, true },
	{ "tensor-size", tensor_size_detect, true },
	{ "tensor-count", tensor_count_detect, true },
	{ "released", released_detect, true },
	{ "hidden", hidden_detect, true },
	{ "outside-allocator", outside_allocator_detect, true },
	{ "process-growth", process_growth_detect, true },
	{ "device-growth", device_growth_detect, true },
	{ "resting", resting_detect, true },
	{ "cache", cache_detect, false },
	{ "context", context_detect, false },
	{ "outlives-process", outlives_detect, false },
	{ "peak-counter", peak_counter_detect, true },
	{ "oom", oom_detect, false },
	{ NULL, NULL, false },
};

static const struct site *scene_site(const struct scene *scene)
{
	int32_t position = scene->loop ? scene->loop->position : -1;

	return position < 0 ? NULL : &scene->timeline->site[position];
}

static struct candidate *new_candidate(struct scene *scene, enum finding_kind kind,
				       const char *cause, enum advice_case which)
{
	struct candidate *c = vec_push(scene->out);

	*c = (struct candidate){ .which = which, .loop = scene->loop ? scene->loop_index : -1 };
	c->finding.kind = kind;
	c->finding.cause = cause;
	c->finding.site = scene_site(scene);
	c->finding.unit = scene->loop ? scene->loop->unit : NULL;
	c->finding.iterations = scene->loop ? loop_units(scene->loop) : 0;
	return c;
}

struct finding *scene_report(struct scene *scene, enum finding_kind kind, const char *cause,
			     enum advice_case which)
{
	return &new_candidate(scene, kind, cause, which)->finding;
}

static int64_t line_at(const struct scene *scene, double iteration)
{
	const struct loop *loop = scene->loop;
	size_t k = iteration < 1 ? 0 : (size_t)iteration - 1;

	if (!scene->timeline->line || !loop)
		return 0;
	return scene->timeline->line[loop->head[k < loop->n ? k : loop->n - 1]];
}

/* A cycle of labels holds several samples. */
static int64_t unit_number(const struct loop *loop, double iteration)
{
	size_t k = iteration < 1 ? 0 : (size_t)iteration - 1;

	return (int64_t)(k / loop->samples) + 1;
}

struct finding *scene_report_level(struct scene *scene, const char *cause, enum advice_case which,
				   const struct trend *trend, struct quantity q)
{
	enum finding_kind kind = trend->shape == TREND_STEADY ? FINDING_LEAK : FINDING_SUSPECT;
	struct candidate *c = new_candidate(scene, kind, cause, which);
	struct finding *f = &c->finding;

	c->quantity = q;
	f->bytes_per_iteration = trend->estimate;
	f->percent = q.plus && q.plus->percent;
	f->low = trend->low;
	f->high = trend->high;
	f->first = unit_number(scene->loop, trend->first);
	f->last = unit_number(scene->loop, trend->last);
	f->first_line = line_at(scene, trend->first);
	f->last_line = line_at(scene, trend->last);
	return f;
}

size_t scene_group(struct scene *scene, size_t leader, struct grown **group)
{
	size_t n = 0;

	group[n++] = &scene->rows.at[leader];
	for (size_t i = 0; i < scene->rows.len; i++) {
		struct grown *g = &scene->rows.at[i];

		if (i != leader && !g->claimed && counts_in_step(&scene->rows.at[leader], g))
			group[n++] = g;
	}
	return n;
}

static void fill_rows(struct scene *scene, struct finding *f, struct grown *const *grown, size_t n)
{
	struct finding_row *row = arena_alloc(scene->arena, n * sizeof(*row));

	for (size_t i = 0; i < n; i++) {
		const struct grown *g = grown[i];

		grown[i]->claimed = true;
		row[i] = (struct finding_row){ .row = g->row,
					       .shape = g->shape,
					       .count_per_iteration = g->count_rate,
					       .bytes_per_iteration = g->bytes_rate,
					       .history = g->history,
					       .iterations = g->iterations };
		f->bytes_per_iteration += g->bytes_rate;
		scene->kept += g->kind == GROWN_SIZE ? 1 : g->count_rate;
		if (f->first_line == 0 || g->first_line < f->first_line)
			f->first_line = g->first_line;
		if (g->last_line > f->last_line)
			f->last_line = g->last_line;
	}
	f->row = row;
	f->rows = n;
}

struct finding *scene_report_rows(struct scene *scene, const char *cause, enum advice_case which,
				  struct grown *const *grown, size_t n)
{
	const struct trend *trend = &grown[0]->trend;
	enum finding_kind kind = FINDING_SUSPECT;
	struct candidate *c;
	struct finding *f;

	for (size_t i = 0; i < n; i++)
		if (grown[i]->trend.shape == TREND_STEADY)
			kind = FINDING_LEAK;
	c = new_candidate(scene, kind, cause, which);
	f = &c->finding;
	c->row = grown[0];
	fill_rows(scene, f, grown, n);
	f->low = f->high = f->bytes_per_iteration;
	f->count_per_iteration = grown[0]->count_rate;
	f->first = (int64_t)trend->first;
	f->last = (int64_t)trend->last;
	f->iterations = (int64_t)grown[0]->iterations;
	scene->explained[GROWTH_VISIBLE] = scene->explained[GROWTH_ALLOCATED] = true;
	scene->explained[GROWTH_PROCESS] = scene->explained[GROWTH_DEVICE] = true;
	return f;
}
