/* The judges of single moments (peak, hidden) and of findings (no-leaks, cause). */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/gate_parts.h"
#include "analysis/overhead.h"
#include "base/units.h"

void judge_peak(const struct gate_scene *scene, const struct gate_limit *limit)
{
	struct gate_rule *r = gate_rule_of(scene, limit);
	struct arena *arena = &scene->out->arena;
	const char *peak, *max;
	struct ledger ledger;
	int64_t peak_bytes;
	double half, total;

	r->limit = limit->number;
	r->measure = GATE_BYTES;
	if (!overhead_ledger(scene->timeline, &ledger)) {
		r->outcome = GATE_UNDECIDED;
		r->why = "the log has no total";
		r->advice = "use a MemTracker from 2021-04 or later, or log nvidia-smi beside it";
		return;
	}
	/* Of a folded run the ledger is of floors; no peak is lost here. */
	peak_bytes = series_peak(overhead_total(scene->timeline), ledger.point);
	total = (double)peak_bytes;
	half = (double)series_rounding(overhead_total(scene->timeline));
	r->level = ledger.total_name;
	gate_rule_at(scene, r, timeline_site(scene->timeline, ledger.point));
	gate_rule_measure(r, total, total - half, total + half);
	peak = gate_bytes(scene, total);
	max = gate_bytes(scene, (double)r->limit);
	/* "2.0 GiB, above the limit of 2.0 GiB" tells nothing. */
	if (!strcmp(peak, max) && peak_bytes != r->limit) {
		peak = arena_printf(arena, "%" PRId64 " B", peak_bytes);
		max = arena_printf(arena, "%" PRId64 " B", r->limit);
	}
	r->why = arena_printf(
		arena, "%s memory peaks at %s (point %zu), %s the limit of %s%s", r->level, peak,
		ledger.point + 1, r->outcome == GATE_PASS ? "within" : "above", max,
		r->outcome == GATE_WARN ? arena_printf(arena, " by less than the log's step of %s",
						       gate_bytes(scene, 2 * half))
					: "");
}

/* The point where `level` exceeds the visible tensors most; false: no point has both. */
static bool most_hidden(const struct timeline *t, enum level level, size_t *point, int64_t *bytes)
{
	const struct series *visible = &t->level[LEVEL_VISIBLE], *total = &t->level[level];
	bool found = false;

	if (!visible->value || !total->value)
		return false;
	for (size_t i = 0; i < t->points; i++) {
		int64_t gap = quantity_sub(total->value[i], visible->value[i]);

		if (!quantity_known(gap) || (found && gap <= *bytes))
			continue;
		found = true;
		*point = i;
		*bytes = gap;
	}
	return found;
}

void judge_hidden(const struct gate_scene *scene, const struct gate_limit *limit)
{
	struct gate_rule *r = gate_rule_of(scene, limit);
	const struct timeline *t = scene->timeline;
	struct arena *arena = &scene->out->arena;
	double max = (double)limit->number, half;
	int64_t bytes = 0;
	size_t point = 0;

	r->limit = limit->number;
	r->measure = GATE_BYTES;
	r->level = "hidden";
	if (most_hidden(t, LEVEL_ALLOCATED, &point, &bytes)) {
		half = (double)series_rounding(&t->level[LEVEL_ALLOCATED]);
		gate_rule_at(scene, r, timeline_site(t, point));
		gate_rule_measure(r, (double)bytes, (double)bytes - half, (double)bytes + half);
		r->why = arena_printf(arena,
				      "the allocator holds up to %s beyond the tensors that Python "
				      "sees (point %zu), %s the limit of %s",
				      gate_bytes(scene, (double)bytes), point + 1,
				      r->outcome == GATE_PASS ? "within" : "above",
				      gate_bytes(scene, max));
		return;
	}
	r->outcome = GATE_UNDECIDED;
	r->advice = "use a MemTracker from 2021-04 or later with detail=True: it prints the "
		    "allocator's bytes beside the tensors";
	r->why = "the log does not tell hidden memory from the rest";
	/* The device's total holds the hidden part and more: it can prove a pass, and no failure.
	 */
	if (!most_hidden(t, LEVEL_DEVICE, &point, &bytes))
		return;
	r->measured_known = true;
	r->measured = r->high = (double)bytes;
	r->low = 0;
	if (r->high <= max) {
		r->outcome = GATE_PASS;
		r->advice = NULL;
	}
	r->why = arena_printf(
		arena, "hidden memory, cache and context are %s together (point %zu); %s",
		gate_bytes(scene, (double)bytes), point + 1,
		r->outcome == GATE_PASS ? "within the limit" : "the log does not tell them apart");
}

static void add_finding(const struct gate_scene *scene, const struct gate_limit *limit,
			const struct finding *f, enum gate_outcome outcome)
{
	struct gate_rule *r = gate_rule_of(scene, limit);
	struct arena *arena = &scene->out->arena;

	r->outcome = outcome;
	gate_rule_explain(scene, r, f);
	if (f->kind == FINDING_NOTE) {
		r->why = arena_printf(arena, "%s: %s", f->cause, f->why ? f->why : "found");
		return;
	}
	r->measure = GATE_BYTES_RATE;
	r->measured_known = !f->percent;
	r->measured = f->bytes_per_iteration;
	r->low = f->low;
	r->high = f->high;
	r->why = arena_printf(arena, "%s%s, %s", f->kind == FINDING_LEAK ? "" : "perhaps ", f->cause,
			      gate_rate(scene, f));
}

static void add_none(const struct gate_scene *scene, const struct gate_limit *limit, bool decided)
{
	struct gate_rule *r = gate_rule_of(scene, limit);
	const struct analysis *a = scene->analysis;
	struct arena *arena = &scene->out->arena;

	r->outcome = decided ? GATE_PASS : GATE_UNDECIDED;
	gate_rule_at(scene, r, a->site);
	if (!decided) {
		r->why = arena_printf(arena, "leaks cannot be judged: %s", a->why);
		r->advice = arena_text(arena, span_of(a->log_next));
	} else if (a->smallest >= 0 && !a->smallest_percent && a->verdict == VERDICT_CLEAN) {
		r->why = arena_printf(arena, "%s; growth of %s %s would have shown", a->why,
				      gate_bytes(scene, a->smallest), gate_per(scene, a->unit));
	} else {
		r->why = limit->cause ? arena_printf(arena, "no %s", limit->cause)
				      : "no leak that is not ignored";
	}
}

/* A damaged report proves nothing. */
static bool proven(const struct analysis *a, const struct finding *f)
{
	return f->kind == FINDING_LEAK && a->verdict == VERDICT_LEAK;
}

void judge_leaks(const struct gate_scene *scene, const struct gate_limit *limit)
{
	const struct analysis *a = scene->analysis;
	size_t n = 0;

	for (size_t i = 0; i < a->findings; i++) {
		const struct finding *f = &a->finding[i];

		if (!gate_counts(scene, f))
			continue;
		add_finding(scene, limit, f, proven(a, f) ? GATE_FAIL : GATE_WARN);
		n++;
	}
	if (!n)
		add_none(scene, limit, a->verdict != VERDICT_UNDECIDED);
}

void judge_cause(const struct gate_scene *scene, const struct gate_limit *limit)
{
	const struct analysis *a = scene->analysis;
	bool leak = cause_find(limit->cause)->leak;
	size_t n = 0;

	for (size_t i = 0; i < a->findings; i++) {
		const struct finding *f = &a->finding[i];

		if (strcmp(f->cause, limit->cause) ||
		    (f->kind != FINDING_NOTE && !gate_counts(scene, f)))
			continue;
		add_finding(scene, limit, f,
			    f->kind == FINDING_NOTE || proven(a, f) ? GATE_FAIL : GATE_WARN);
		n++;
	}
	if (!n)
		add_none(scene, limit, !leak || a->verdict != VERDICT_UNDECIDED);
}
