#include "analysis/gate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "analysis/gate_parts.h"
#include "model/site.h"

/* The allocator hands out multiples of 512 bytes: so much may hide behind each kept tensor. */
enum { ROUNDING = 512 };

struct gate_rule *gate_rule_new(const struct gate_scene *scene, const char *rule,
				const char *option)
{
	struct gate_rule *r = gate_add(scene->out);
	struct arena *arena = &scene->out->arena;

	r->rule = rule;
	r->option = arena_text(arena, span_of(option));
	r->run = arena_text(arena, span_of(scene->timeline->name));
	r->source = arena_text(arena, span_of(scene->timeline->source));
	return r;
}

struct gate_rule *gate_rule_of(const struct gate_scene *scene, const struct gate_limit *limit)
{
	return gate_rule_new(scene, limit->type->name,
			     arena_printf(&scene->out->arena, "--%s%s%s", limit->type->name,
					  limit->written ? " " : "",
					  limit->written ? limit->written : ""));
}

void gate_rule_at(const struct gate_scene *scene, struct gate_rule *rule, const struct site *site)
{
	if (!site)
		return;
	rule->site = site_copy(&scene->out->arena, site);
	/* site_text() may answer with a text of the site itself. */
	rule->where = site_text(&scene->out->arena, rule->site);
	rule->path = rule->site->file;
}

void gate_rule_explain(const struct gate_scene *scene, struct gate_rule *rule,
		       const struct finding *f)
{
	struct arena *arena = &scene->out->arena;
	struct gate_tensor *tensor = arena_alloc(arena, (f->rows + 1) * sizeof(*tensor));
	struct fingerprint print;

	for (size_t i = 0; i < f->rows; i++) {
		const struct finding_row *r = &f->row[i];
		const char *shape = r->shape ? r->shape : r->row->shape;

		tensor[i] = (struct gate_tensor){ arena_text(arena, span_of(shape)),
						  arena_text(arena, span_of(r->row->dtype)),
						  r->count_per_iteration, r->bytes_per_iteration };
	}
	fingerprint_of(&print, arena, f);
	rule->cause = f->cause;
	rule->fingerprint = fingerprint_text(arena, &print);
	rule->tensor = tensor;
	rule->tensors = f->rows;
	rule->because = arena_text(arena, span_of(f->why));
	rule->advice = arena_text(arena, span_of(f->advice));
	rule->unit = arena_text(arena, span_of(f->unit));
	gate_rule_at(scene, rule, f->site);
}

void gate_rule_measure(struct gate_rule *rule, double measured, double low, double high)
{
	double limit = (double)rule->limit;

	rule->measured_known = true;
	rule->measured = measured;
	rule->low = low;
	rule->high = high;
	rule->outcome = low > limit ? GATE_FAIL : measured > limit ? GATE_WARN : GATE_PASS;
}

bool gate_counts(const struct gate_scene *scene, const struct finding *finding)
{
	const struct suppression *s;

	if (finding->kind == FINDING_NOTE)
		return false;
	s = policy_match(scene->policy, finding, scene->today);
	return !s || suppression_expired(s, scene->today);
}

const struct finding *gate_worst(const struct gate_scene *scene)
{
	for (size_t i = 0; i < scene->analysis->findings; i++)
		if (gate_counts(scene, &scene->analysis->finding[i]))
			return &scene->analysis->finding[i];
	return NULL;
}

const char *gate_bytes(const struct gate_scene *scene, double bytes)
{
	char text[SIZE_TEXT];

	if (!isfinite(bytes))
		return "any amount";
	size_format(text, (int64_t)llround(bytes), SIZE_IEC);
	return arena_text(&scene->out->arena, span_of(text));
}

const char *gate_range(const struct gate_scene *scene, double low, double high)
{
	const char *from = gate_bytes(scene, low), *to = gate_bytes(scene, high);

	return strcmp(from, to) ? arena_printf(&scene->out->arena, " (%s to %s)", from, to) : "";
}

const char *gate_rate(const struct gate_scene *scene, const struct finding *f)
{
	if (f->percent)
		return arena_printf(&scene->out->arena, "%.2f %% of the card %s",
				    f->bytes_per_iteration / 100, gate_per(scene, f->unit));
	return arena_printf(&scene->out->arena, "%s %s%s", gate_bytes(scene, f->bytes_per_iteration),
			    gate_per(scene, f->unit), gate_range(scene, f->low, f->high));
}

const char *gate_per(const struct gate_scene *scene, const char *unit)
{
	unit = unit ? unit : "iteration";
	return arena_printf(&scene->out->arena, "%s %s", strchr("aeiou", unit[0]) ? "an" : "a",
			    unit);
}

/* What a suppressed finding adds to a level; visible counts views twice, allocated does not. */
static struct growth share_of(const struct finding *f, enum growth_level level, double *tensors)
{
	struct growth g = {
		.known = true, .estimate = f->bytes_per_iteration, .low = f->low, .high = f->high
	};
	double rows = 0;

	*tensors = 0;
	for (size_t k = 0; k < f->rows; k++) {
		*tensors += f->row[k].count_per_iteration;
		rows += f->row[k].bytes_per_iteration;
	}
	if (level == GROWTH_VISIBLE && f->rows)
		return (struct growth){
			.known = true, .estimate = rows, .low = rows, .high = rows
		};
	if (level == GROWTH_HIDDEN) {
		g.estimate -= rows;
		g.low -= rows;
		g.high -= rows;
	}
	return g;
}

struct growth gate_growth(const struct gate_scene *scene, enum growth_level level)
{
	struct growth g = scene->analysis->growth[level];

	for (size_t i = 0; g.known && i < scene->analysis->findings; i++) {
		const struct finding *f = &scene->analysis->finding[i];
		struct growth share;
		double tensors;

		if (f->kind == FINDING_NOTE || f->percent != g.percent || gate_counts(scene, f))
			continue;
		share = share_of(f, level, &tensors);
		g.estimate -= share.estimate;
		g.high -= share.low;
		g.low -= share.high;
		if (level != GROWTH_VISIBLE)
			g.low -= tensors * ROUNDING;
	}
	return g;
}

bool gate_proves(const struct gate_scene *scene, enum growth_level level)
{
	return level != GROWTH_DEVICE || scene->analysis->verdict == VERDICT_LEAK;
}

static void note_suppressed(const struct gate_scene *scene)
{
	for (size_t i = 0; i < scene->analysis->findings; i++) {
		const struct finding *f = &scene->analysis->finding[i];
		struct arena *arena = &scene->out->arena;
		const struct suppression *s;

		if (f->kind == FINDING_NOTE || gate_counts(scene, f))
			continue;
		s = policy_match(scene->policy, f, scene->today);
		gate_note(scene->out, "%s: %s at %s is ignored until %s: %s (%s:%" PRId64 ")",
			  scene->timeline->name, f->cause, site_text(arena, f->site), s->until,
			  s->reason, scene->policy->file, s->line);
	}
}

void gate_judge(const struct gate_scene *scene, const struct gate_limit *limits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		limits[i].type->judge(scene, &limits[i]);
	if (scene->baseline)
		judge_baseline(scene);
	note_suppressed(scene);
}

void gate_expired(struct gate_result *out, const struct policy *policy, int64_t today)
{
	for (size_t i = 0; i < policy->ignores; i++) {
		const struct suppression *s = &policy->ignore[i];
		struct site *site;
		struct gate_rule *r;

		if (!suppression_expired(s, today))
			continue;
		site = arena_alloc(&out->arena, sizeof(*site));
		site->file = arena_text(&out->arena, span_of(policy->file));
		site->code_line = s->line;
		r = gate_add(out);
		r->rule = "ignore";
		r->option = "an expired 'ignore'";
		r->run = "policy";
		r->outcome = GATE_FAIL;
		r->site = site;
		r->where = site_text(&out->arena, site);
		r->path = site->file;
		r->why = arena_printf(&out->arena, "%s was to be ignored until %s: %s",
				      suppression_text(&out->arena, s), s->until, s->reason);
		r->advice = arena_printf(&out->arena,
					 "fix the leak and take the 'ignore' out of %s, or give it "
					 "another day and say why",
					 policy->file);
	}
}
