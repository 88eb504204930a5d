#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/gate.h"
#include "base/error.h"
#include "cmd/common.h"
#include "cmd/leaks_view.h"

struct gate {
	struct gate_limits limits;
	int minimum;
	const char *on_undecided;
	enum gate_outcome worst;
	struct view view;
	struct doc *rules;
	struct table *csv;
};

static void add_doc(struct gate *o, const struct timeline *t, const struct gate_rule *r)
{
	struct doc *doc = doc_add(o->rules, doc_object(&o->view.arena));

	doc_set_text(doc, "rule", r->rule);
	doc_set_int(doc, "limit", r->limit);
	doc_set_int(doc, "measured",
		    r->measured_known ? (int64_t)llround(r->measured) : QUANTITY_UNKNOWN);
	doc_set_int(doc, "low",
		    r->measured_known && isfinite(r->low) ? (int64_t)llround(r->low)
							  : QUANTITY_UNKNOWN);
	doc_set_int(doc, "high",
		    r->measured_known && isfinite(r->high) ? (int64_t)llround(r->high)
							   : QUANTITY_UNKNOWN);
	doc_set_text(doc, "outcome", gate_outcome_names[r->outcome]);
	doc_set_text(doc, "run", t->name);
	doc_set(doc, "site", site_doc(&o->view.arena, r->site));
	doc_set_text(doc, "level", r->level);
	doc_set_text(doc, "cause", r->finding ? r->finding->cause : NULL);
	doc_set_text(doc, "why", r->why);
}

static void add_text(struct gate *o, const struct timeline *t, const struct gate_rule *r)
{
	static const struct {
		const char *word;
		enum tone tone;
	} words[GATE_OUTCOMES] = {
		[GATE_PASS] = { "pass", TONE_GOOD },
		[GATE_WARN] = { "WARN", TONE_WARN },
		[GATE_UNDECIDED] = { "UNDECIDED", TONE_WARN },
		[GATE_FAIL] = { "FAIL", TONE_BAD },
	};
	struct view *view = &o->view;
	struct block *block = view_paragraph(view, 0);

	block->hang = 4;
	block->tight = true;
	view_text(view, words[r->outcome].tone, "%s", words[r->outcome].word);
	view_text(view, TONE_STRONG, "  %s", t->name);
	view_text(view, TONE_PLAIN, "  --%s: %s", r->rule, r->why);
	if (r->site && r->outcome != GATE_PASS)
		view_text(view, TONE_PLAIN, ", at %s", site_text(&view->arena, r->site));
	if (!r->finding)
		return;
	block = view_paragraph(view, 4);
	block->tight = true;
	block->hang = 2;
	view_text(view, TONE_PLAIN, "%s", r->finding->cause);
	if (r->finding->rows)
		view_text(view, TONE_PLAIN, " of %s",
			  row_text(&view->arena,
				   r->finding->handle         ? r->finding->handle->shape
				   : r->finding->row[0].shape ? r->finding->row[0].shape
							      : r->finding->row[0].row->shape,
				   r->finding->handle ? r->finding->handle->dtype
						      : r->finding->row[0].row->dtype));
	view_text(view, TONE_PLAIN, ": %s", r->finding->why);
	if (r->finding->advice) {
		block = view_paragraph(view, 4);
		block->tight = true;
		block->hang = 2;
		view_text(view, TONE_PLAIN, "fix: %s", r->finding->advice);
	}
}

static void add_row(struct table *table, const struct timeline *t, const struct gate_rule *r)
{
	table_row(table);
	cell_text(table, t->name);
	cell_text(table, r->rule);
	cell_text(table, gate_outcome_names[r->outcome]);
	cell_int(table, r->limit);
	cell_int(table, r->measured_known ? (int64_t)llround(r->measured) : QUANTITY_UNKNOWN);
	cell_text(table, r->why);
}

static int judge_run(void *context, const struct run_visit *visit)
{
	struct gate *o = context;
	struct analysis_options options = { QUANTITY_UNKNOWN, o->minimum };
	struct gate_rule rules[GATE_RULES];
	struct analysis analysis;
	size_t n;

	analyse(&analysis, visit->timeline, &options);
	n = gate_judge(rules, &o->view.arena, &o->limits, visit->timeline, &analysis);
	for (size_t i = 0; i < n; i++) {
		if (rules[i].outcome > o->worst)
			o->worst = rules[i].outcome;
		add_doc(o, visit->timeline, &rules[i]);
		if (o->csv)
			add_row(o->csv, visit->timeline, &rules[i]);
		else
			add_text(o, visit->timeline, &rules[i]);
	}
	analysis_release(&analysis);
	return 0;
}

static const struct {
	const char *name;
	enum gate_outcome means;
} undecided_choices[] = {
	{ "undecided", GATE_UNDECIDED },
	{ "pass", GATE_PASS },
	{ "warn", GATE_WARN },
	{ "fail", GATE_FAIL },
};

static int settle_undecided(struct gate *o)
{
	for (size_t i = 0; i < sizeof(undecided_choices) / sizeof(*undecided_choices); i++) {
		if (strcmp(undecided_choices[i].name, o->on_undecided))
			continue;
		if (o->worst == GATE_UNDECIDED)
			o->worst = undecided_choices[i].means;
		return 0;
	}
	return error_usage("memlog gate: --on-undecided is pass, warn or fail, not '%s'",
			   o->on_undecided);
}

static int run(const struct common *common, struct gate *o, const struct arguments *rest)
{
	static const int exits[GATE_OUTCOMES] = {
		[GATE_PASS] = EXIT_FINE,
		[GATE_WARN] = EXIT_FINE,
		[GATE_UNDECIDED] = EXIT_UNDECIDED,
		[GATE_FAIL] = EXIT_GATE,
	};
	int rc;

	o->view.doc = doc_object(&o->view.arena);
	doc_set_text(o->view.doc, "schema", "memlog.gate/1");
	doc_set_text(o->view.doc, "outcome", NULL);
	o->rules = doc_set(o->view.doc, "rules", doc_array(&o->view.arena));
	if (!strcmp(common->format, "csv")) {
		static const struct column columns[] = {
			{ "run", CELL_TEXT },       { "rule", CELL_TEXT },
			{ "outcome", CELL_TEXT },   { "limit", CELL_BYTES },
			{ "measured", CELL_BYTES }, { "why", CELL_TEXT },
		};

		o->csv = view_table(&o->view, "gate");
		for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
			table_column(o->csv, columns[i].name, columns[i].type);
	}
	rc = common_each_run(common, rest, judge_run, o);
	if (!rc)
		rc = settle_undecided(o);
	if (!rc) {
		/* The outcome is known last and stands first. */
		o->view.doc->first->next->kind = DOC_TEXT;
		o->view.doc->first->next->text = gate_outcome_names[o->worst];
		rc = common_print(common, &o->view);
	}
	view_release(&o->view);
	return rc < 0 ? -1 : exits[o->worst];
}

int cmd_gate(const struct command *self, int argc, const char **argv)
{
	struct gate o = {
		.limits = { QUANTITY_UNKNOWN, QUANTITY_UNKNOWN },
		.minimum = ANALYSIS_MINIMUM_ITERATIONS,
		.on_undecided = "undecided",
		.view = VIEW_INIT,
	};
	const struct option table[] = {
		{ "max-growth", 0, OPT_SIZE, &o.limits.max_growth, "SIZE",
		  "fail if any level grows more than this an iteration" },
		{ "max-peak", 0, OPT_SIZE, &o.limits.max_peak, "SIZE",
		  "fail if the total passes this at any point" },
		{ "min-iterations", 0, OPT_INT, &o.minimum, "N", "fewer are undecided; default 5" },
		{ "on-undecided", 0, OPT_TEXT, &o.on_undecided, "pass|warn|fail",
		  "what too little data means; default: exit 5" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (rc > 0)
		rc = EXIT_FINE;
	else if (!rc && !quantity_known(o.limits.max_growth) && !quantity_known(o.limits.max_peak))
		rc = error_usage(
			"memlog gate: give a limit, such as --max-growth 1MiB or --max-peak 20GiB");
	else if (!rc && o.minimum < 1)
		rc = error_usage("memlog gate: --min-iterations is 1 or more");
	else if (!rc)
		rc = run(&common, &o, &rest);
	arguments_release(&rest);
	return rc;
}
