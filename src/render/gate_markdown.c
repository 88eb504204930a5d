/* The gate's result as a job summary: one table of all rules, then the story of each that is not
 * passed. */
#include "render/gate_reports.h"
#include "render/markup.h"

/* One page holds so many stories; the table has all rules. */
enum { STORIES = 10 };

static void add_cell(struct strbuf *page, const char *text)
{
	strbuf_addc(page, ' ');
	markdown_escape(page, span_of(text ? text : ""));
	strbuf_adds(page, " |");
}

static void add_row(struct strbuf *page, const struct gate_result *result,
		    const struct gate_rule *r)
{
	static const char *const marks[GATE_OUTCOMES] = {
		[GATE_PASS] = "✅", [GATE_WARN] = "⚠️", [GATE_UNDECIDED] = "❓", [GATE_FAIL] = "❌"
	};
	struct strbuf number = STRBUF_INIT;

	strbuf_addf(page, "| %s %s |", marks[gate_settled(result, r->outcome)],
		    gate_outcome_names[r->outcome]);
	add_cell(page, r->run);
	add_cell(page, r->option);
	gate_measured_text(&number, r);
	add_cell(page, number.buf);
	strbuf_clear(&number);
	gate_limit_text(&number, r);
	add_cell(page, number.buf);
	add_cell(page, r->where);
	strbuf_addc(page, '\n');
	strbuf_release(&number);
}

static void add_story(struct strbuf *page, const struct gate_rule *r)
{
	struct strbuf story = STRBUF_INIT;
	struct span rest;

	strbuf_adds(page, "\n**");
	markdown_escape(page, span_of(r->run));
	strbuf_adds(page, "**");
	if (r->where) {
		strbuf_adds(page, " at ");
		markdown_escape(page, span_of(r->where));
	}
	strbuf_addc(page, '\n');
	gate_story(&story, r);
	for (rest = strbuf_span(&story); rest.len;) {
		strbuf_adds(page, "- ");
		markdown_escape(page, span_split(rest, '\n', &rest));
		strbuf_addc(page, '\n');
	}
	strbuf_release(&story);
}

int report_markdown(const struct gate_result *result, FILE *out,
		    const struct render_options *options)
{
	struct arena arena = ARENA_INIT;
	const size_t *order = gate_by_weight(&arena, result);
	struct strbuf page = STRBUF_INIT;

	(void)options;
	strbuf_addf(&page, "### memlog gate: %s\n\n", gate_outcome_names[gate_outcome(result)]);
	gate_tally(&page, result);
	strbuf_adds(&page, "\n\n| outcome | run | rule | measured | limit | at |\n"
			   "|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < result->rules; i++)
		add_row(&page, result, &result->rule[order[i]]);
	for (size_t i = 0; i < result->rules && i < STORIES; i++)
		if (result->rule[order[i]].outcome != GATE_PASS)
			add_story(&page, &result->rule[order[i]]);
	for (size_t i = 0; i < result->notes; i++) {
		strbuf_adds(&page, i ? "- " : "\n- ");
		markdown_escape(&page, span_of(result->note[i]));
		strbuf_addc(&page, '\n');
	}
	fwrite(page.buf, 1, page.len, out);
	strbuf_release(&page);
	arena_release(&arena);
	return 0;
}
