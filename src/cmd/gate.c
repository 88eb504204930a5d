#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/whole_file.h"
#include "cmd/common.h"
#include "cmd/files.h"
#include "cmd/gate_options.h"
#include "cmd/gate_output.h"

struct gate {
	struct gate_options o;
	struct gate_result result;
	struct baseline baseline, now; /* what was accepted; what the runs do */
};

static int judge_run(void *context, const struct run_visit *visit)
{
	struct gate *g = context;
	struct analysis_options options = { QUANTITY_UNKNOWN, g->o.minimum };
	struct analysis analysis;
	struct gate_scene scene = {
		.timeline = visit->timeline,
		.analysis = &analysis,
		.policy = &g->o.policy,
		.today = g->o.today,
		.baseline = g->o.baseline ? &g->baseline : NULL,
		.tolerance = g->o.tolerance,
		.out = &g->result,
	};

	if (g->o.baseline)
		scene.baseline_option =
			arena_printf(&g->result.arena, "--baseline %s", g->o.baseline);
	analyse(&analysis, visit->timeline, &options);
	gate_judge(&scene, g->o.limit, g->o.limits);
	baseline_add(&g->now, visit->timeline, &analysis);
	analysis_release(&analysis);
	return 0;
}

static int add_to_baseline(void *context, const struct run_visit *visit)
{
	struct gate *g = context;
	struct analysis_options options = { QUANTITY_UNKNOWN, g->o.minimum };
	struct analysis analysis;

	analyse(&analysis, visit->timeline, &options);
	baseline_add(&g->baseline, visit->timeline, &analysis);
	analysis_release(&analysis);
	return 0;
}

/* A file if there is one, else a run of the database. */
static int read_baseline(struct gate *g)
{
	struct arguments run = { &g->o.baseline, 1, ARENA_INIT };
	struct strbuf text = STRBUF_INIT;
	int rc;

	if (!g->o.baseline)
		return 0;
	if (!file_exists(g->o.baseline)) {
		g->baseline.name = g->o.baseline;
		rc = common_each_run(&g->o.common, &run, add_to_baseline, g);
		if (rc < 0 && error_kind() == ERROR_USAGE)
			rc = error_usage("memlog gate: --baseline '%s' is neither a file nor a "
					 "run; --save-baseline writes one",
					 g->o.baseline);
		return rc;
	}
	rc = file_read(g->o.baseline, BASELINE_MAX_BYTES, &text);
	if (!rc)
		rc = baseline_parse(&g->baseline, g->o.baseline, strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

/* Lines of `from` that `other` lacks, as notes with a sign in front.  Returns how many. */
static size_t note_lines(struct gate *g, struct span from, struct span other, const char *sign)
{
	size_t n = 0;

	while (from.len) {
		struct span line = span_split(from, '\n', &from), rest = other;
		bool found = !line.len || line.ptr[0] == '#';

		while (rest.len && !found)
			found = span_equal(line, span_split(rest, '\n', &rest));
		if (found)
			continue;
		gate_note(&g->result, "%s %.*s", sign, SPAN_ARG(line));
		n++;
	}
	return n;
}

/* Never silently: what changes in a file that is there is told. */
static void tell_saved(struct gate *g, bool there, struct span was, struct span now)
{
	const char *path = g->o.save_baseline, *what;
	struct gate_rule *r;
	size_t n = 0;

	if (there)
		n = note_lines(g, was, now, "-") + note_lines(g, now, was, "+");
	what = !there ? "written; commit it" : n ? "rewritten; review the change" : "as it was";
	if (g->o.limits || g->o.baseline) {
		gate_note(&g->result, "%s is %s", path, what);
		return;
	}
	r = gate_add(&g->result);
	r->rule = "save-baseline";
	r->option = "--save-baseline";
	r->run = g->o.rest.len ? g->o.rest.at[0] : "latest import";
	r->why = arena_printf(&g->result.arena, "%s is %s", path, what);
}

static int save_baseline(struct gate *g)
{
	const char *path = g->o.save_baseline;
	struct strbuf now = STRBUF_INIT, was = STRBUF_INIT;
	bool there = path && file_is_regular(path);
	int rc = 0;

	if (!path)
		return 0;
	if (there)
		rc = file_read(path, BASELINE_MAX_BYTES, &was);
	baseline_write(&g->now, &now);
	if (!rc && (!there || !span_equal(strbuf_span(&was), strbuf_span(&now))))
		rc = whole_file_write(path, strbuf_span(&now));
	if (!rc)
		tell_saved(g, there, strbuf_span(&was), strbuf_span(&now));
	strbuf_release(&now);
	strbuf_release(&was);
	return rc;
}

static int judge(struct gate *g)
{
	int rc = read_baseline(g);

	g->result.undecided_means = g->o.undecided_means;
	gate_expired(&g->result, &g->o.policy, g->o.today);
	if (!rc)
		rc = common_each_run(&g->o.common, &g->o.rest, judge_run, g);
	if (rc < 0)
		return -1;
	if (g->o.baseline)
		gate_better(&g->result, &g->baseline, &g->now, g->o.tolerance);
	if (save_baseline(g) < 0)
		return -1;
	gate_output_complete(&g->result, &g->o);
	return gate_output(&g->result, &g->o);
}

int cmd_gate(const struct command *self, int argc, const char **argv)
{
	static const int exits[GATE_OUTCOMES] = {
		[GATE_PASS] = EXIT_FINE,
		[GATE_WARN] = EXIT_FINE,
		[GATE_UNDECIDED] = EXIT_UNDECIDED,
		[GATE_FAIL] = EXIT_GATE,
	};
	struct gate g = { .result = GATE_RESULT_INIT,
			  .baseline = BASELINE_INIT,
			  .now = BASELINE_INIT };
	int rc = gate_options_read(&g.o, self, argc, argv);

	if (!rc)
		rc = gate_output_check(&g.o);
	if (!rc) {
		rc = judge(&g);
		if (!rc)
			rc = exits[gate_outcome(&g.result)];
	} else if (rc > 0) {
		rc = EXIT_FINE;
	}
	gate_result_release(&g.result);
	baseline_release(&g.baseline);
	baseline_release(&g.now);
	gate_options_release(&g.o);
	return rc;
}
