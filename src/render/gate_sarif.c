/*
 * The gate's result as SARIF 2.1.0 (OASIS), for code scanning: one result a rule that is not
 * passed, recognised in the next run by its fingerprint.
 */
#include <ctype.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "model/view.h"
#include "render/formats.h"
#include "render/gate_reports.h"

/* How a result that settles so is told: section 3.27.9 and 3.27.10 of the standard. */
static const struct {
	const char *kind, *level;
} levels[GATE_OUTCOMES] = {
	[GATE_PASS] = { "pass", "none" },
	[GATE_WARN] = { "fail", "warning" },
	[GATE_UNDECIDED] = { "open", "none" },
	[GATE_FAIL] = { "fail", "error" },
};

/* A cause where one is known: it says more than the option that asked. */
static const char *rule_id(const struct gate_rule *r)
{
	return r->cause ? r->cause : r->rule;
}

/* RFC 3986: a path as a relative reference; what is no plain character is percent-encoded. */
static const char *uri_of(struct arena *arena, const char *path)
{
	static const char hex[] = "0123456789ABCDEF";
	struct strbuf sb = STRBUF_INIT;
	const char *uri;

	if (*path == '/')
		strbuf_adds(&sb, "file://");
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (isalnum(c) || strchr("-._~/", c)) {
			strbuf_addc(&sb, (char)c);
			continue;
		}
		strbuf_addc(&sb, '%');
		strbuf_addc(&sb, hex[c >> 4]);
		strbuf_addc(&sb, hex[c & 15]);
	}
	uri = arena_text(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return uri;
}

static struct doc *set_object(struct doc *parent, const char *key)
{
	return doc_set(parent, key, doc_object(parent->arena));
}

static struct doc *set_array(struct doc *parent, const char *key)
{
	return doc_set(parent, key, doc_array(parent->arena));
}

static void add_location(struct doc *result, const struct gate_rule *r)
{
	struct doc *location, *physical, *logical;

	if (!r->path)
		return;
	location = doc_add(set_array(result, "locations"), doc_object(result->arena));
	physical = set_object(location, "physicalLocation");
	doc_set_text(set_object(physical, "artifactLocation"), "uri",
		     uri_of(result->arena, r->path));
	if (r->site->code_line > 0)
		doc_set_int(set_object(physical, "region"), "startLine", r->site->code_line);
	if (!r->site->function)
		return;
	logical = doc_add(set_array(location, "logicalLocations"), doc_object(result->arena));
	doc_set_text(logical, "name", r->site->function);
	doc_set_text(logical, "kind", "function");
}

static void add_result(struct doc *results, const struct gate_rule *r, enum gate_outcome settled)
{
	struct doc *result = doc_add(results, doc_object(results->arena));
	struct strbuf text = STRBUF_INIT;
	const char *key;

	doc_set_text(result, "ruleId", rule_id(r));
	doc_set_text(result, "kind", levels[settled].kind);
	doc_set_text(result, "level", levels[settled].level);
	strbuf_addf(&text, "%s: ", r->run);
	gate_story(&text, r);
	doc_set_text(set_object(result, "message"), "text", text.buf);
	add_location(result, r);
	key = arena_printf(results->arena, "%s %s", r->rule,
			   r->fingerprint ? r->fingerprint : r->run);
	doc_set_text(set_object(result, "partialFingerprints"), "memlogLeak/v1",
		     arena_printf(results->arena, "%016llx",
				  (unsigned long long)hash64(key, strlen(key))));
	strbuf_release(&text);
}

static bool listed(const struct doc *rules, const char *id)
{
	for (const struct doc *rule = rules->first; rule; rule = rule->next)
		if (!strcmp(rule->first->text, id))
			return true;
	return false;
}

static void add_rule(struct doc *rules, const struct gate_rule *r)
{
	struct doc *rule;

	if (listed(rules, rule_id(r)))
		return;
	rule = doc_add(rules, doc_object(rules->arena));
	doc_set_text(rule, "id", rule_id(r));
	doc_set_text(set_object(rule, "shortDescription"), "text",
		     arena_printf(rules->arena, "GPU memory: %s", rule_id(r)));
	if (r->because)
		doc_set_text(set_object(rule, "fullDescription"), "text", r->because);
}

int report_sarif(const struct gate_result *result, FILE *out, const struct render_options *options)
{
	struct view view = VIEW_INIT;
	struct doc *run, *driver, *rules, *results;
	int rc;

	view.doc = doc_object(&view.arena);
	doc_set_text(view.doc, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	doc_set_text(view.doc, "version", "2.1.0");
	run = doc_add(set_array(view.doc, "runs"), doc_object(&view.arena));
	driver = set_object(set_object(run, "tool"), "driver");
	doc_set_text(driver, "name", "memlog");
	doc_set_text(driver, "version", VERSION);
	rules = set_array(driver, "rules");
	doc_set_text(run, "columnKind", "utf16CodeUnits");
	results = set_array(run, "results");
	for (size_t i = 0; i < result->rules; i++) {
		const struct gate_rule *r = &result->rule[i];
		enum gate_outcome settled = gate_settled(result, r->outcome);

		if (settled == GATE_PASS)
			continue;
		add_rule(rules, r);
		add_result(results, r, settled);
	}
	rc = render_json(&view, out, options);
	view_release(&view);
	return rc;
}
