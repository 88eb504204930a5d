#include "analysis/gate.h"

#include <math.h>
#include <string.h>

#include "analysis/overhead.h"

const char *const gate_outcome_names[GATE_OUTCOMES] = {
	[GATE_PASS] = "pass",
	[GATE_WARN] = "warn",
	[GATE_UNDECIDED] = "undecided",
	[GATE_FAIL] = "fail",
};

static const struct finding *explaining(const struct analysis *a)
{
	return a->findings && a->finding[0].kind != FINDING_NOTE ? &a->finding[0] : NULL;
}

static bool proven(const struct growth *g, double limit)
{
	return g->low > limit;
}

/* The level that speaks most against the run: a proven one first, then the largest. */
static int worst_level(const struct analysis *a, double limit)
{
	int worst = -1;

	for (int i = 0; i < GROWTH_LEVELS; i++) {
		const struct growth *g = &a->growth[i], *w = worst >= 0 ? &a->growth[worst] : NULL;

		/* Memory that is only kept for reuse is no growth of the program. */
		if (!g->known || i == GROWTH_CACHED)
			continue;
		if (!w || (proven(g, limit) && !proven(w, limit)) ||
		    (proven(g, limit) == proven(w, limit) && g->estimate > w->estimate))
			worst = i;
	}
	return worst;
}

/* "101.1 MiB an iteration", with its range unless the figure is exact. */
static const char *growth_text(struct arena *arena, const struct growth *g, const char *unit)
{
	char measured[SIZE_TEXT], low[SIZE_TEXT], high[SIZE_TEXT];

	size_format(measured, (int64_t)llround(g->estimate), SIZE_IEC);
	size_format(low, (int64_t)llround(g->low), SIZE_IEC);
	size_format(high, (int64_t)llround(g->high), SIZE_IEC);
	if (!strcmp(low, high))
		return arena_printf(arena, "%s an %s", measured, unit);
	return arena_printf(arena, "%s an %s (%s to %s)", measured, unit, low, high);
}

static void judge_growth(struct gate_rule *r, struct arena *arena, const struct gate_limits *limits,
			 const struct timeline *t, const struct analysis *a)
{
	double limit = (double)limits->max_growth;
	int level = worst_level(a, limit);
	const struct growth *g = level >= 0 ? &a->growth[level] : NULL;
	char measured[SIZE_TEXT], low[SIZE_TEXT], high[SIZE_TEXT], max[SIZE_TEXT];
	const char *unit = a->unit ? a->unit : "iteration";

	(void)t;
	size_format(max, limits->max_growth, SIZE_IEC);
	*r = (struct gate_rule){ .rule = "max-growth",
				 .limit = limits->max_growth,
				 .site = a->site };
	if (a->verdict == VERDICT_UNDECIDED || !g) {
		r->outcome = GATE_UNDECIDED;
		r->why = arena_printf(arena, "growth cannot be judged: %s", a->why);
		return;
	}
	r->measured_known = true;
	r->measured = g->estimate;
	r->low = g->low;
	r->high = g->high;
	r->level = growth_level_names[level];
	size_format(measured, (int64_t)llround(g->estimate), SIZE_IEC);
	size_format(low, (int64_t)llround(g->low), SIZE_IEC);
	size_format(high, (int64_t)llround(g->high), SIZE_IEC);
	if (proven(g, limit)) {
		r->outcome = GATE_FAIL;
		r->finding = explaining(a);
		if (r->finding && r->finding->site)
			r->site = r->finding->site;
		r->why = arena_printf(
			arena, "%s memory grows %s, above the limit of %s", r->level,
			growth_text(arena, g, unit), max);
	} else if (g->estimate > limit) {
		r->outcome = GATE_WARN;
		r->why = arena_printf(
			arena,
			"%s memory seems to grow %s an %s, above the limit of %s, but the "
			"log only shows %s to %s",
			r->level, measured, unit, max, low, high);
	} else if (g->high > limit) {
		r->outcome = GATE_PASS;
		r->why = arena_printf(
			arena,
			"%s memory grows %s an %s; up to %s cannot be excluded at this "
			"log's resolution",
			r->level, measured, unit, high);
	} else {
		r->outcome = GATE_PASS;
		r->why = arena_printf(arena, "%s memory grows %s an %s, within the limit of %s",
				      r->level, measured, unit, max);
	}
}

static void judge_peak(struct gate_rule *r, struct arena *arena, const struct gate_limits *limits,
		       const struct timeline *t, const struct analysis *a)
{
	char peak[SIZE_TEXT], max[SIZE_TEXT];
	struct ledger ledger;
	int64_t half;

	(void)a;
	*r = (struct gate_rule){ .rule = "max-peak", .limit = limits->max_peak };
	if (!overhead_ledger(t, &ledger)) {
		r->outcome = GATE_UNDECIDED;
		r->why = "the log has no total";
		return;
	}
	half = (overhead_total(t)->quantum + 1) / 2;
	r->measured_known = true;
	r->measured = (double)ledger.total;
	r->low = (double)(ledger.total - half);
	r->high = (double)(ledger.total + half);
	r->level = ledger.total_name;
	if (t->position[ledger.point] >= 0)
		r->site = &t->site[t->position[ledger.point]];
	size_format(peak, ledger.total, SIZE_IEC);
	size_format(max, limits->max_peak, SIZE_IEC);
	/* "2.0 GiB, above the limit of 2.0 GiB" tells nothing. */
	if (!strcmp(peak, max) && ledger.total != limits->max_peak) {
		size_format(peak, ledger.total, SIZE_BYTES);
		size_format(max, limits->max_peak, SIZE_BYTES);
	}
	r->outcome = r->low > (double)limits->max_peak ? GATE_FAIL : GATE_PASS;
	r->why = arena_printf(arena, "%s memory peaks at %s (point %zu), %s the limit of %s",
			      r->level, peak, ledger.point + 1,
			      r->outcome == GATE_FAIL ? "above" : "within", max);
}

size_t gate_judge(struct gate_rule rules[GATE_RULES], struct arena *arena,
		  const struct gate_limits *limits, const struct timeline *t,
		  const struct analysis *a)
{
	size_t n = 0;

	if (quantity_known(limits->max_growth))
		judge_growth(&rules[n++], arena, limits, t, a);
	if (quantity_known(limits->max_peak))
		judge_peak(&rules[n++], arena, limits, t, a);
	return n;
}
