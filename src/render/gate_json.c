/* The gate's result as memlog.gate/1. */
#include <math.h>

#include "model/site.h"
#include "model/view.h"
#include "render/formats.h"
#include "render/gate_reports.h"

static void set_number(struct doc *doc, const char *key, const struct gate_rule *r, double number)
{
	if (!r->measured_known || !isfinite(number))
		doc_set_null(doc, key);
	else if (r->measure == GATE_COUNT_RATE && number != floor(number))
		doc_set_real(doc, key, number);
	else
		doc_set_int(doc, key, (int64_t)llround(number));
}

static void add_tensors(struct doc *doc, const struct gate_rule *r)
{
	struct doc *tensors = doc_set(doc, "tensors", doc_array(doc->arena));

	for (size_t i = 0; i < r->tensors; i++) {
		struct doc *tensor = doc_add(tensors, doc_object(doc->arena));

		doc_set_text(tensor, "shape", r->tensor[i].shape);
		doc_set_text(tensor, "dtype", r->tensor[i].dtype);
		doc_set_int(tensor, "bytes_per_iteration", (int64_t)llround(r->tensor[i].bytes));
		doc_set_real(tensor, "count_per_iteration", r->tensor[i].count);
	}
}

static void add_rule(struct doc *rules, const struct gate_rule *r)
{
	struct doc *doc = doc_add(rules, doc_object(rules->arena));

	doc_set_text(doc, "rule", r->rule);
	doc_set_int(doc, "limit", r->limit);
	set_number(doc, "measured", r, r->measured);
	set_number(doc, "low", r, r->low);
	set_number(doc, "high", r, r->high);
	doc_set_text(doc, "outcome", gate_outcome_names[r->outcome]);
	doc_set_text(doc, "run", r->run);
	doc_set(doc, "site", site_doc(rules->arena, r->site));
	doc_set_text(doc, "level", r->level);
	doc_set_text(doc, "cause", r->cause);
	doc_set_text(doc, "why", r->why);
	doc_set_text(doc, "option", r->option);
	doc_set_text(doc, "unit", r->unit);
	doc_set_text(doc, "path", r->path);
	doc_set_text(doc, "fingerprint", r->fingerprint);
	add_tensors(doc, r);
	doc_set_text(doc, "because", r->because);
	doc_set_text(doc, "advice", r->advice);
	doc_set_text(doc, "reproduce", r->again);
}

int report_json(const struct gate_result *result, FILE *out, const struct render_options *options)
{
	struct view view = VIEW_INIT;
	struct doc *list;
	int rc;

	view.doc = doc_object(&view.arena);
	doc_set_text(view.doc, "schema", "memlog.gate/1");
	doc_set_text(view.doc, "outcome", gate_outcome_names[gate_outcome(result)]);
	list = doc_set(view.doc, "rules", doc_array(&view.arena));
	for (size_t i = 0; i < result->rules; i++)
		add_rule(list, &result->rule[i]);
	list = doc_set(view.doc, "notes", doc_array(&view.arena));
	for (size_t i = 0; i < result->notes; i++)
		doc_add_text(list, result->note[i]);
	rc = render_json(&view, out, options);
	view_release(&view);
	return rc;
}

int report_csv(const struct gate_result *result, FILE *out, const struct render_options *options)
{
	static const struct column columns[] = {
		{ "run", CELL_TEXT },   { "rule", CELL_TEXT },    { "outcome", CELL_TEXT },
		{ "limit", CELL_INT },  { "measured", CELL_INT }, { "why", CELL_TEXT },
		{ "cause", CELL_TEXT }, { "path", CELL_TEXT },    { "line", CELL_INT },
	};
	struct view view = VIEW_INIT;
	struct table *table = view_table(&view, "gate");
	int rc;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(table, columns[i].name, columns[i].type);
	for (size_t i = 0; i < result->rules; i++) {
		const struct gate_rule *r = &result->rule[i];

		table_row(table);
		cell_text(table, r->run);
		cell_text(table, r->rule);
		cell_text(table, gate_outcome_names[r->outcome]);
		cell_int(table, r->limit);
		cell_int(table,
			 r->measured_known ? (int64_t)llround(r->measured) : QUANTITY_UNKNOWN);
		cell_text(table, r->why);
		cell_text(table, r->cause);
		cell_text(table, r->path);
		cell_int(table,
			 r->site && r->site->code_line ? r->site->code_line : QUANTITY_UNKNOWN);
	}
	rc = render_csv(&view, out, options);
	view_release(&view);
	return rc;
}
