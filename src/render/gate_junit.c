/*
 * The gate's result as JUnit XML: a suite a run, a case a rule.  What is undecided is an error, and
 * skipped where --on-undecided lets it pass.
 */
#include <string.h>

#include "render/gate_reports.h"
#include "render/markup.h"
#include "render/text.h"

/* The children of a case, by how its rule settles. */
static const struct {
	const char *element;
	bool plain; /* the schema allows no attributes */
} children[GATE_OUTCOMES] = {
	[GATE_PASS] = { NULL, false },
	[GATE_WARN] = { "system-out", true },
	[GATE_UNDECIDED] = { "error", false },
	[GATE_FAIL] = { "failure", false },
};

static void add_attribute(struct strbuf *xml, const char *name, const char *value)
{
	strbuf_addf(xml, " %s=\"", name);
	xml_escape(xml, span_of(value));
	strbuf_addc(xml, '"');
}

static void add_text(struct strbuf *xml, const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	struct span rest = span_of(text);

	while (rest.len) {
		xml_escape(&sb, span_split(rest, '\n', &rest));
		if (rest.ptr)
			strbuf_addc(&sb, '\n');
	}
	strbuf_addspan(xml, strbuf_span(&sb));
	strbuf_release(&sb);
}

static void add_child(struct strbuf *xml, const struct gate_result *result,
		      const struct gate_rule *r, const char *story)
{
	enum gate_outcome settled = gate_settled(result, r->outcome);
	bool skipped = r->outcome == GATE_UNDECIDED && settled < GATE_UNDECIDED;
	const char *element = skipped ? "skipped" : children[settled].element;

	if (!element)
		return;
	strbuf_addf(xml, "   <%s", element);
	if (!skipped && !children[settled].plain) {
		add_attribute(xml, "type", r->cause ? r->cause : r->rule);
		add_attribute(xml, "message", r->why);
	}
	strbuf_addc(xml, '>');
	add_text(xml, story);
	strbuf_addf(xml, "</%s>\n", element);
}

static void add_case(struct strbuf *xml, const struct gate_result *result,
		     const struct gate_rule *r)
{
	struct strbuf text = STRBUF_INIT;

	/* Cases of a suite need names of their own: a baseline option makes several rules. */
	if (strncmp(r->option, "--", 2) || !span_starts(span_of(r->option + 2), r->rule))
		strbuf_addf(&text, "%s ", r->rule);
	strbuf_addf(&text, "%s%s%s%s%s", r->option, r->cause ? ": " : "", r->cause ? r->cause : "",
		    r->cause && r->where ? " at " : "", r->cause && r->where ? r->where : "");
	strbuf_adds(xml, "  <testcase");
	add_attribute(xml, "classname", "memlog.gate");
	add_attribute(xml, "name", text.buf);
	strbuf_adds(xml, ">\n");
	strbuf_clear(&text);
	if (r->where) {
		strbuf_adds(&text, "at: ");
		text_for_terminal(&text, span_of(r->where));
		strbuf_addc(&text, '\n');
	}
	gate_story(&text, r);
	add_child(xml, result, r, text.buf);
	strbuf_adds(xml, "  </testcase>\n");
	strbuf_release(&text);
}

struct counts {
	size_t tests, failures, errors, skipped;
};

static void count(struct counts *c, const struct gate_result *result, const struct gate_rule *r)
{
	enum gate_outcome settled = gate_settled(result, r->outcome);

	c->tests++;
	c->failures += settled == GATE_FAIL;
	c->errors += settled == GATE_UNDECIDED;
	c->skipped += r->outcome == GATE_UNDECIDED && settled < GATE_UNDECIDED;
}

/* Rules of one run follow one another; returns the index after them. */
static size_t add_suite(struct strbuf *xml, const struct gate_result *result, size_t from)
{
	struct counts c = { 0 };
	size_t end = from;

	for (; end < result->rules && !strcmp(result->rule[end].run, result->rule[from].run); end++)
		count(&c, result, &result->rule[end]);
	strbuf_adds(xml, " <testsuite");
	add_attribute(xml, "name", result->rule[from].run);
	strbuf_addf(xml, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
		    c.tests, c.failures, c.errors, c.skipped);
	for (size_t i = from; i < end; i++)
		add_case(xml, result, &result->rule[i]);
	strbuf_adds(xml, " </testsuite>\n");
	return end;
}

int report_junit(const struct gate_result *result, FILE *out, const struct render_options *options)
{
	struct strbuf xml = STRBUF_INIT;
	struct counts all = { 0 };

	(void)options;
	for (size_t i = 0; i < result->rules; i++)
		count(&all, result, &result->rule[i]);
	strbuf_adds(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	strbuf_addf(&xml,
		    "<testsuites name=\"memlog gate\" tests=\"%zu\" failures=\"%zu\" "
		    "errors=\"%zu\">\n",
		    all.tests, all.failures, all.errors);
	for (size_t i = 0; i < result->rules;)
		i = add_suite(&xml, result, i);
	strbuf_adds(&xml, "</testsuites>\n");
	fwrite(xml.buf, 1, xml.len, out);
	strbuf_release(&xml);
	return 0;
}
