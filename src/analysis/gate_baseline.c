/* The judge of what is new or worse than a baseline. */
#include <math.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "analysis/gate_parts.h"
#include "analysis/overhead.h"
#include "model/site.h"

/* The limit that an entry gives: its upper end, and what is tolerated above it. */
static int64_t limit_of(const struct gate_scene *scene, const struct baseline_entry *e)
{
	double limit = tolerance_above(scene->tolerance, e->high);

	return limit < 9e18 ? (int64_t)floor(limit) : QUANTITY_UNKNOWN;
}

static struct gate_rule *new_rule(const struct gate_scene *scene, const char *name)
{
	return gate_rule_new(scene, name, scene->baseline_option);
}

static void judge_finding(const struct gate_scene *scene, const struct finding *f)
{
	struct arena *arena = &scene->out->arena;
	const struct baseline_entry *e;
	struct gate_rule *r;
	struct fingerprint print;
	int64_t limit;

	fingerprint_of(&print, arena, f);
	e = baseline_find(scene->baseline, BASELINE_LEAK, fingerprint_text(arena, &print));
	limit = e ? limit_of(scene, e) : 0;
	if (e && (f->percent || !quantity_known(limit) ||
		  f->bytes_per_iteration <= (double)limit))
		return;
	r = new_rule(scene, "baseline-leak");
	r->measure = GATE_BYTES_RATE;
	r->limit = limit;
	if (!f->percent)
		gate_rule_measure(r, f->bytes_per_iteration, f->low, f->high);
	if (!e || f->kind == FINDING_SUSPECT)
		r->outcome = f->kind == FINDING_LEAK ? GATE_FAIL : GATE_WARN;
	gate_rule_explain(scene, r, f);
	r->why = e ? arena_printf(arena, "%s is known, and worse: %s %s, above %s in %s", f->cause,
				  gate_bytes(scene, f->bytes_per_iteration),
				  gate_per(scene, f->unit), gate_bytes(scene, (double)limit),
				  scene->baseline->name)
		   : arena_printf(arena, "%s%s is new: %s; %s does not have it",
				  f->kind == FINDING_LEAK ? "" : "perhaps ", f->cause,
				  gate_rate(scene, f), scene->baseline->name);
}

/* Of the levels that grow more than they did, the one that grows most above. */
static void judge_levels(const struct gate_scene *scene)
{
	struct arena *arena = &scene->out->arena;
	const struct finding *worst = gate_worst(scene);
	enum growth_level which = GROWTH_LEVELS;
	struct growth found = { .known = false };
	int64_t limit = 0;
	struct gate_rule *r;

	for (int i = 0; i < GROWTH_LEVELS; i++) {
		const struct baseline_entry *e =
			baseline_find(scene->baseline, BASELINE_GROWTH, growth_level_names[i]);
		struct growth g = gate_growth(scene, (enum growth_level)i);
		int64_t max = e ? limit_of(scene, e) : QUANTITY_UNKNOWN;

		if (!gate_judges(scene, (enum growth_level)i) || !quantity_known(max) || g.low <= (double)max ||
		    (found.known && g.low - (double)max <= found.low - (double)limit))
			continue;
		which = (enum growth_level)i;
		found = g;
		limit = max;
	}
	if (!found.known)
		return;
	r = new_rule(scene, "baseline-growth");
	r->measure = GATE_BYTES_RATE;
	r->limit = limit;
	r->level = growth_level_names[which];
	gate_rule_measure(r, found.estimate, found.low, found.high);
	if (!gate_proves(scene, which))
		r->outcome = GATE_WARN;
	gate_rule_at(scene, r, scene->analysis->site);
	if (worst)
		gate_rule_explain(scene, r, worst);
	r->unit = arena_text(arena, span_of(scene->analysis->unit));
	r->why = arena_printf(arena, "%s memory grows %s %s%s, above %s in %s", r->level,
			      gate_bytes(scene, found.estimate), gate_per(scene, r->unit),
			      gate_range(scene, found.low, found.high),
			      gate_bytes(scene, (double)limit), scene->baseline->name);
}

static void judge_peaks(const struct gate_scene *scene)
{
	const struct timeline *t = scene->timeline;
	const struct baseline_entry *e;
	struct ledger ledger;
	struct gate_rule *r;
	double half, total;
	int64_t limit;

	if (!overhead_ledger(t, &ledger))
		return;
	e = baseline_find(scene->baseline, BASELINE_PEAK, ledger.total_name);
	limit = e ? limit_of(scene, e) : QUANTITY_UNKNOWN;
	half = (double)series_rounding(overhead_total(t));
	total = (double)ledger.total;
	if (!quantity_known(limit) || total <= (double)limit)
		return;
	r = new_rule(scene, "baseline-peak");
	r->measure = GATE_BYTES;
	r->limit = limit;
	r->level = ledger.total_name;
	gate_rule_measure(r, total, total - half, total + half);
	if (timeline_site(t, ledger.point))
		gate_rule_at(scene, r, timeline_site(t, ledger.point));
	r->why = arena_printf(&scene->out->arena, "%s memory peaks at %s, above %s in %s", r->level,
			      gate_bytes(scene, total), gate_bytes(scene, (double)limit),
			      scene->baseline->name);
}

void judge_baseline(const struct gate_scene *scene)
{
	size_t before = scene->out->rules;
	struct gate_rule *r;

	for (size_t i = 0; i < scene->analysis->findings; i++)
		if (gate_counts(scene, &scene->analysis->finding[i]))
			judge_finding(scene, &scene->analysis->finding[i]);
	if (scene->analysis->verdict != VERDICT_UNDECIDED)
		judge_levels(scene);
	judge_peaks(scene);
	if (scene->out->rules > before && scene->analysis->verdict != VERDICT_UNDECIDED)
		return;
	r = new_rule(scene, "baseline");
	gate_rule_at(scene, r, scene->analysis->site);
	if (scene->analysis->verdict == VERDICT_UNDECIDED) {
		r->outcome = GATE_UNDECIDED;
		r->why = arena_printf(&scene->out->arena, "growth cannot be compared: %s",
				      scene->analysis->why);
		r->advice = arena_text(&scene->out->arena, span_of(scene->analysis->log_next));
		return;
	}
	r->why = arena_printf(&scene->out->arena, "nothing is new or worse than %s",
			      scene->baseline->name);
}

static const char *entry_text(struct gate_result *out, const struct baseline_entry *e)
{
	char text[SIZE_TEXT];

	size_format(text, (int64_t)e->value, SIZE_IEC);
	return arena_text(&out->arena, span_of(text));
}

void gate_better(struct gate_result *out, const struct baseline *baseline,
		 const struct baseline *now, struct tolerance tolerance)
{
	static const char *const things[BASELINE_KINDS] = {
		[BASELINE_GROWTH] = "growth", [BASELINE_LEAK] = "leak", [BASELINE_PEAK] = "peak"
	};
	static const char advice[] = "lower the baseline with --save-baseline";

	for (size_t i = 0; i < baseline->entries; i++) {
		const struct baseline_entry *was = &baseline->entry[i];
		const struct baseline_entry *is = baseline_find(now, was->kind, was->key);

		if (!is && was->kind == BASELINE_LEAK)
			gate_note(out, "the leak %s of %s is gone; %s", was->key, baseline->name,
				  advice);
		else if (is && tolerance_above(tolerance, is->high) < was->value)
			gate_note(out, "better than %s: %s %s is %s, was %s; %s", baseline->name,
				  things[was->kind], was->key, entry_text(out, is),
				  entry_text(out, was), advice);
	}
}
