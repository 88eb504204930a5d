#include <math.h>

#include "analysis/fingerprint.h"
#include "cmd/common.h"
#include "cmd/leaks_view.h"

/* memlog.leaks/1: docs in README.md, "Machine output". */

static void set_rounded(struct doc *doc, const char *key, double value)
{
	doc_set_int(doc, key, quantity_round(value));
}

/* Growth in bytes, or where the log prints shares of a card of unknown size, in percent of it. */
static void set_rate(struct doc *doc, bool percent, double estimate, double low, double high)
{
	static const char *const keys[] = { "low", "high" };
	const double ends[] = { low, high };

	if (percent)
		doc_set_null(doc, "bytes_per_iteration");
	else
		set_rounded(doc, "bytes_per_iteration", estimate);
	for (int i = 0; i < 2; i++)
		if (percent)
			doc_set_null(doc, keys[i]);
		else
			set_rounded(doc, keys[i], ends[i]);
	if (percent)
		doc_set_real(doc, "percent_per_iteration", estimate / 100);
}

static void add_growth(struct doc *run, const struct analysis *a)
{
	struct doc *growth = doc_set(run, "growth", doc_object(run->arena));

	for (int i = 0; i < GROWTH_LEVELS; i++) {
		const struct growth *g = &a->growth[i];
		struct doc *level;

		if (!g->known) {
			doc_set_null(growth, growth_level_names[i]);
			continue;
		}
		level = doc_set(growth, growth_level_names[i], doc_object(run->arena));
		set_rate(level, g->percent, g->estimate, g->low, g->high);
	}
}

static void add_oom(struct doc *run, const struct timeline *t, const struct analysis *a)
{
	const struct forecast *f = &a->forecast;
	struct doc *oom;

	if (!quantity_known(f->capacity) || device_in_percent(t)) {
		doc_set_null(run, "oom");
		return;
	}
	oom = doc_set(run, "oom", doc_object(run->arena));
	doc_set_int(oom, "capacity", f->capacity);
	doc_set_int(oom, "iterations_left", f->in_sight ? f->left : QUANTITY_UNKNOWN);
	doc_set_int(oom, "low", f->in_sight ? f->low : QUANTITY_UNKNOWN);
	doc_set_int(oom, "high", f->in_sight && f->high != INT64_MAX ? f->high : QUANTITY_UNKNOWN);
	doc_set_int(oom, "seconds_left",
		    f->in_sight && f->seconds_left >= 0 ? f->seconds_left : QUANTITY_UNKNOWN);
}

static void add_subject(struct doc *finding, const struct finding *f)
{
	const struct tensor_row *row = f->handle ? f->handle : f->rows ? f->row[0].row : NULL;
	const struct subject *s = f->subject;
	struct doc *subject = doc_set(finding, "subject", doc_object(finding->arena));
	const char *shape = row ? row->shape : NULL;

	if (!f->handle && f->rows && f->row[0].shape)
		shape = f->row[0].shape;
	doc_set_text(subject, "shape", shape);
	doc_set_text(subject, "dtype", row ? row->dtype : NULL);
	doc_set_text(subject, "class", row ? row->class_name : NULL);
	doc_set_int(subject, "device", s && s->device >= 0 ? s->device : QUANTITY_UNKNOWN);
	doc_set_int(subject, "pid", s && s->pid >= 0 ? s->pid : QUANTITY_UNKNOWN);
	doc_set_text(subject, "process", s ? s->process : NULL);
}

static void add_tensors(struct doc *finding, const struct finding *f)
{
	struct doc *tensors = doc_set(finding, "tensors", doc_array(finding->arena));

	for (size_t i = 0; i < f->rows; i++) {
		const struct finding_row *r = &f->row[i];
		struct doc *tensor = doc_add(tensors, doc_object(finding->arena));

		doc_set_text(tensor, "shape", r->shape ? r->shape : r->row->shape);
		doc_set_text(tensor, "dtype", r->row->dtype);
		doc_set_text(tensor, "class", r->row->class_name);
		set_rounded(tensor, "bytes_per_iteration", r->bytes_per_iteration);
		doc_set_real(tensor, "count_per_iteration", r->count_per_iteration);
	}
}

static void add_since(struct doc *finding, const struct leak_since *since)
{
	struct doc *doc;

	if (!since->runs) {
		doc_set_null(finding, "since");
		return;
	}
	doc = doc_set(finding, "since", doc_object(finding->arena));
	doc_set_int(doc, "id", since->run);
	doc_set_text(doc, "run", since->run_name);
	doc_set_int(doc, "runs", (int64_t)since->runs);
}

static void add_ignored(struct doc *finding, const struct suppression *s)
{
	struct doc *doc;

	if (!s) {
		doc_set_null(finding, "ignored");
		return;
	}
	doc = doc_set(finding, "ignored", doc_object(finding->arena));
	doc_set_text(doc, "reason", s->reason);
	doc_set_text(doc, "until", s->until);
}

static void add_history(struct doc *doc, const struct finding *f, const struct leak_since *since,
			const struct leaks_style *style)
{
	struct fingerprint print;

	fingerprint_of(&print, doc->arena, f);
	doc_set_text(doc, "fingerprint", fingerprint_text(doc->arena, &print));
	add_since(doc, since);
	add_ignored(doc, leaks_ignored(style, f));
}

static void add_finding(struct doc *findings, const struct finding *f,
			const struct leak_since *since, const struct leaks_style *style)
{
	struct doc *doc = doc_add(findings, doc_object(findings->arena)), *lines;

	doc_set_text(doc, "cause", f->cause);
	doc_set_text(doc, "kind", finding_kind_names[f->kind]);
	doc_set(doc, "site", site_doc(findings->arena, f->site));
	add_subject(doc, f);
	set_rate(doc, f->percent, f->bytes_per_iteration, f->low, f->high);
	if (f->count_per_iteration == floor(f->count_per_iteration))
		doc_set_int(doc, "count_per_iteration", (int64_t)f->count_per_iteration);
	else
		doc_set_real(doc, "count_per_iteration", f->count_per_iteration);
	doc_set_text(doc, "unit", f->unit);
	doc_set_int(doc, "first", f->first);
	doc_set_int(doc, "last", f->last);
	doc_set_int(doc, "iterations", f->iterations);
	lines = doc_set(doc, "lines", doc_array(findings->arena));
	doc_add_int(lines, f->first_line);
	doc_add_int(lines, f->last_line);
	add_tensors(doc, f);
	doc_set_text(doc, "why", f->why);
	doc_set_text(doc, "advice", f->advice);
	doc_set_text(doc, "detail", f->detail);
	add_history(doc, f, since, style);
}

void leaks_doc(struct doc *runs, const struct timeline *t, const struct analysis *a,
	       const struct leaks_style *style)
{
	struct doc *run = doc_add(runs, doc_object(runs->arena)), *findings;

	doc_set_int(run, "id", t->run);
	doc_set_text(run, "name", t->name);
	doc_set_text(run, "source", t->source);
	doc_set_text(run, "dialect", t->dialect);
	doc_set_int(run, "points", t->logged_points);
	doc_set_int(run, "iterations", a->iterations);
	doc_set_int(run, "warm_up", a->warm_up);
	doc_set_text(run, "verdict", verdict_names[a->verdict]);
	doc_set_text(run, "why", a->why);
	add_growth(run, a);
	if (a->smallest >= 0 && !a->smallest_percent)
		set_rounded(run, "smallest_visible_growth", a->smallest);
	else
		doc_set_null(run, "smallest_visible_growth");
	add_oom(run, t, a);
	findings = doc_set(run, "findings", doc_array(runs->arena));
	for (size_t i = 0; i < a->findings; i++)
		add_finding(findings, &a->finding[i], &style->since[i], style);
	doc_set_text(run, "log_next", a->log_next);
}
