/* The judges of growth: of levels, and of tensors. */
#include <inttypes.h>
#include <math.h>

#include "analysis/gate_parts.h"
#include "analysis/growth.h"
#include "analysis/series.h"
#include "base/units.h"

/* The level that speaks most against the run: a proven one first, then the largest. */
static int worst_level(const struct gate_scene *scene, double limit)
{
	struct growth worst = { .known = false };
	int which = -1;

	for (int i = 0; i < GROWTH_LEVELS; i++) {
		struct growth g = gate_growth(scene, (enum growth_level)i);
		bool proven = g.low > limit && gate_proves(scene, (enum growth_level)i);
		bool worst_proven = which >= 0 && worst.low > limit &&
				    gate_proves(scene, (enum growth_level)which);

		/* Memory that is only kept for reuse is no growth of the program. */
		if (!gate_judges(scene, (enum growth_level)i) || i == GROWTH_CACHED)
			continue;
		if (which < 0 || proven > worst_proven ||
		    (proven == worst_proven && g.estimate > worst.estimate)) {
			which = i;
			worst = g;
		}
	}
	return which;
}

/* Of the levels that pass, the one whose interval reaches highest: what could not be excluded. */
static int widest_level(const struct gate_scene *scene)
{
	int which = -1;
	double high = -INFINITY;

	for (int i = 0; i < GROWTH_LEVELS; i++) {
		struct growth g = gate_growth(scene, (enum growth_level)i);

		if (!gate_judges(scene, (enum growth_level)i) || i == GROWTH_CACHED ||
		    g.high <= high)
			continue;
		which = i;
		high = g.high;
	}
	return which;
}

/* The step that the log prints, as it prints it. */
static const char *resolution(const struct gate_scene *scene, int level)
{
	static const struct {
		int64_t bytes;
		const char *text;
	} tenths[] = { { (MIB + 5) / 10, "0.1 MiB" }, { 100000, "0.1 MB" } };
	struct quantity q = growth_quantity(scene->timeline, (enum growth_level)level);
	double quantum = q.plus ? quantity_quantum(q) : 0;

	if (quantum <= 1)
		return " in so few iterations";
	for (size_t i = 0; i < sizeof(tenths) / sizeof(*tenths); i++)
		if (fabs(quantum - (double)tenths[i].bytes) <= 1)
			return arena_printf(&scene->out->arena, " at this log's resolution of %s",
					    tenths[i].text);
	return arena_printf(&scene->out->arena, " at this log's resolution of %s",
			    gate_bytes(scene, quantum));
}

/* What the tensors that stay take of the allocator, which hands out multiples of 512 bytes. */
static double blocks_kept(const struct gate_scene *scene)
{
	double bytes = 0;

	for (size_t i = 0; i < scene->analysis->findings; i++) {
		const struct finding *f = &scene->analysis->finding[i];

		for (size_t k = 0; gate_counts(scene, f) && k < f->rows; k++) {
			double count = f->row[k].count_per_iteration;

			if (count > 0)
				bytes += count * 512 *
					 ceil(f->row[k].bytes_per_iteration / count / 512);
		}
	}
	return bytes;
}

static void say_pass(const struct gate_scene *scene, struct gate_rule *r, int any)
{
	struct arena *arena = &scene->out->arena;
	const char *per = gate_per(scene, r->unit);
	int wide = any == GROWTH_LEVELS ? widest_level(scene) : any;
	struct growth g = gate_growth(scene, (enum growth_level)wide);
	double blocks = blocks_kept(scene);

	r->why = arena_printf(arena, "%s memory grows %s %s, within the limit of %s", r->level,
			      gate_bytes(scene, r->measured), per,
			      gate_bytes(scene, (double)r->limit));
	if (g.high <= (double)r->limit)
		return;
	r->why = arena_printf(arena,
			      "%s; of %s memory, growth up to %s %s can be neither shown nor "
			      "excluded%s",
			      r->why, growth_level_names[wide], gate_bytes(scene, g.high), per,
			      resolution(scene, wide));
	if (blocks > 0)
		r->why = arena_printf(arena,
				      "%s; the tensors that stay take about %s of it: "
				      "--max-growth-count counts them",
				      r->why, gate_bytes(scene, blocks));
}

static void say_growth(const struct gate_scene *scene, struct gate_rule *r, int any)
{
	struct arena *arena = &scene->out->arena;
	const char *range = gate_range(scene, r->low, r->high);
	const char *said = arena_printf(arena, "%s %s", gate_bytes(scene, r->measured),
					gate_per(scene, r->unit));
	const char *max = gate_bytes(scene, (double)r->limit);

	if (r->outcome == GATE_FAIL)
		r->why = arena_printf(arena, "%s memory grows %s%s, above the limit of %s",
				      r->level, said, range, max);
	else if (r->outcome == GATE_PASS)
		say_pass(scene, r, any);
	else if (r->low > (double)r->limit)
		r->why = arena_printf(arena,
				      "%s memory grows %s%s, above the limit of %s, but other "
				      "programs' memory is in it",
				      r->level, said, range, max);
	else
		r->why = arena_printf(arena,
				      "%s memory seems to grow %s%s, above the limit of %s, but "
				      "the lower end of that is not",
				      r->level, said, range, max);
}

/* Why the growth of a level, GROWTH_LEVELS: of any, is not held against the limit. */
static void say_unjudged(const struct gate_scene *scene, struct gate_rule *r, int level)
{
	const struct analysis *a = scene->analysis;
	struct arena *arena = &scene->out->arena;
	bool percent = false;

	for (int i = 0; i < GROWTH_LEVELS; i++)
		percent |= (level == GROWTH_LEVELS || level == i) && a->growth[i].known &&
			   a->growth[i].percent;
	r->outcome = GATE_UNDECIDED;
	r->advice = arena_text(arena, span_of(a->log_next));
	if (percent && a->verdict != VERDICT_UNDECIDED) {
		r->why = "this log prints shares of a card whose size it does not tell: there are "
			 "no bytes to hold against the limit";
		r->advice = "log bytes: nvidia-smi --query-gpu=memory.used,memory.total --format=csv, or "
			    "torch.cuda.memory_allocated()";
	} else if (a->verdict == VERDICT_UNDECIDED || level == GROWTH_LEVELS) {
		r->why = arena_printf(arena, "growth cannot be judged: %s", a->why);
	} else {
		r->why = arena_printf(arena, "this log does not tell %s memory",
				      growth_level_names[level]);
	}
}

void judge_growth(const struct gate_scene *scene, const struct gate_limit *limit)
{
	struct gate_rule *r = gate_rule_of(scene, limit);
	const struct analysis *a = scene->analysis;
	struct arena *arena = &scene->out->arena;
	const struct finding *worst = gate_worst(scene);
	int level = limit->level;
	struct growth g;

	r->limit = limit->number;
	r->measure = GATE_BYTES_RATE;
	r->unit = arena_text(arena, span_of(a->unit));
	gate_rule_at(scene, r, a->site);
	if (level == GROWTH_LEVELS)
		level = worst_level(scene, (double)limit->number);
	if (a->verdict == VERDICT_UNDECIDED || level < 0 ||
	    !gate_judges(scene, (enum growth_level)level)) {
		say_unjudged(scene, r, limit->level);
		return;
	}
	g = gate_growth(scene, (enum growth_level)level);
	r->level = growth_level_names[level];
	gate_rule_measure(r, g.estimate, g.low, g.high);
	/* Asked for the device by name, its growth counts, whoever it is. */
	if (r->outcome == GATE_FAIL && limit->level == GROWTH_LEVELS &&
	    !gate_proves(scene, (enum growth_level)level))
		r->outcome = GATE_WARN;
	if (r->outcome != GATE_PASS && worst)
		gate_rule_explain(scene, r, worst);
	r->unit = arena_text(arena, span_of(a->unit));
	say_growth(scene, r, limit->level);
}

/* Tensors that findings of a kind keep an iteration of the unit that `worst` has. */
static double kept(const struct gate_scene *scene, bool proven)
{
	double tensors = 0;

	for (size_t i = 0; i < scene->analysis->findings; i++) {
		const struct finding *f = &scene->analysis->finding[i];

		if (!gate_counts(scene, f) || (proven && f->kind != FINDING_LEAK))
			continue;
		for (size_t k = 0; k < f->rows; k++)
			tensors += f->row[k].count_per_iteration;
	}
	return tensors;
}

void judge_growth_count(const struct gate_scene *scene, const struct gate_limit *limit)
{
	struct gate_rule *r = gate_rule_of(scene, limit);
	const struct analysis *a = scene->analysis;
	const struct finding *worst = gate_worst(scene);
	struct arena *arena = &scene->out->arena;
	const char *per;
	double proven = kept(scene, true), all = kept(scene, false);

	r->limit = limit->number;
	r->measure = GATE_COUNT_RATE;
	r->unit = arena_text(arena, span_of(a->unit));
	gate_rule_at(scene, r, a->site);
	if (a->verdict == VERDICT_UNDECIDED || !scene->timeline->rows) {
		r->outcome = GATE_UNDECIDED;
		r->why = arena_printf(arena, "tensors cannot be counted: %s",
				      scene->timeline->rows ? a->why
							    : "the log prints no tensor rows");
		r->advice = arena_text(arena, span_of(a->log_next));
		return;
	}
	gate_rule_measure(r, all, proven, all);
	if (r->outcome != GATE_PASS && worst)
		gate_rule_explain(scene, r, worst);
	per = gate_per(scene, r->unit);
	if (r->outcome == GATE_WARN)
		r->why = arena_printf(arena,
				      "%.3g tensors seem to stay %s, above the limit of %" PRId64
				      ", but only %.3g surely do",
				      all, per, limit->number, proven);
	else
		r->why = arena_printf(arena,
				      "%.3g tensor%s stay%s alive from each %s, %s the limit "
				      "of %" PRId64,
				      all, all == 1 ? "" : "s", all == 1 ? "s" : "",
				      r->unit ? r->unit : "iteration",
				      r->outcome == GATE_FAIL ? "above" : "within", limit->number);
}
