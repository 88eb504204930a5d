#include "cmd/scale_view.h"

#include <string.h>

#include "cmd/common.h"
#include "cmd/leaks_view.h"

enum { CARRIERS_SHOWN = 4 };

static bool is_line(const struct scale *s)
{
	return s->follows == SCALE_SAMPLES || s->follows == SCALE_BATCH;
}

static double peak_at(const struct scale_line *line, int64_t count)
{
	return line->intercept + line->slope * (double)count;
}

static void add_tensors_doc(struct doc *root, const struct scale *s)
{
	struct doc *list = doc_set(root, "tensors", doc_array(root->arena));

	for (size_t i = 0; i < s->carriers; i++) {
		struct doc *doc = doc_add(list, doc_object(list->arena));

		doc_set_text(doc, "shape", s->carrier[i].tensor->pattern);
		doc_set_text(doc, "dtype", s->carrier[i].tensor->dtype);
		doc_set_int(doc, "count", s->carrier[i].tensor->count);
		doc_set_int(doc, "bytes_per_sample", s->carrier[i].bytes_per_count);
	}
}

static void add_predicted(struct doc *root, const struct scale *s, int64_t count)
{
	struct doc *doc = doc_set(root, "predicted", doc_object(root->arena));

	doc_set_int(doc, "samples", count);
	doc_set_int(doc, "peak", quantity_round(peak_at(&s->line, count)));
	doc_set_int(doc, "low", quantity_round(s->line.intercept_low + s->line.low * (double)count));
	doc_set_int(doc, "high", quantity_round(s->line.intercept_high + s->line.high * (double)count));
}

void scale_doc(struct doc *root, const struct scale *s, const struct scale_run *runs, size_t n,
	       const struct scale_question *q)
{
	bool known = s->line.counts > 1, fits = is_line(s) && quantity_known(q->capacity);
	struct doc *list;

	doc_set_int(root, "intercept", known ? quantity_round(s->line.intercept) : QUANTITY_UNKNOWN);
	doc_set_int(root, "per_sample", known ? quantity_round(s->line.slope) : QUANTITY_UNKNOWN);
	doc_set_int(root, "low", known ? quantity_round(s->line.low) : QUANTITY_UNKNOWN);
	doc_set_int(root, "high", known ? quantity_round(s->line.high) : QUANTITY_UNKNOWN);
	doc_set_text(root, "follows", scale_follows_names[s->follows]);
	doc_set_text(root, "why", s->why);
	doc_set_int(root, "capacity", q->capacity);
	doc_set_int(root, "largest_fit",
		    fits ? scale_largest_fit(&s->line, q->capacity) : QUANTITY_UNKNOWN);
	if (is_line(s) && q->predict)
		add_predicted(root, s, q->predict);
	else
		doc_set_null(root, "predicted");
	list = doc_set(root, "runs", doc_array(root->arena));
	for (size_t i = 0; i < n; i++) {
		struct doc *run = doc_add(list, doc_object(list->arena));

		doc_set_text(run, "name", runs[i].name);
		doc_set_int(run, "samples", runs[i].samples);
		doc_set_int(run, "batch", runs[i].batch ? runs[i].batch : QUANTITY_UNKNOWN);
		doc_set_int(run, "peak", runs[i].peak);
		doc_set_text(run, "level", level_names[runs[i].level]);
	}
	add_tensors_doc(root, s);
}

void scale_table(struct view *view, const struct scale *s, const struct scale_run *runs, size_t n)
{
	struct table *t = view_table(view, "runs");

	t->indent = 2;
	table_column(t, "run", CELL_TEXT);
	table_column(t, "samples", CELL_INT);
	table_column(t, "batch", CELL_INT);
	table_column(t, "peak", CELL_BYTES);
	table_column(t, "off the line", CELL_CHANGE);
	for (size_t i = 0; i < n; i++) {
		int64_t count = s->follows == SCALE_BATCH ? runs[i].batch : runs[i].samples;

		table_row(t);
		cell_text(t, runs[i].name);
		cell_int(t, runs[i].samples);
		cell_int(t, runs[i].batch ? runs[i].batch : QUANTITY_UNKNOWN);
		cell_int(t, runs[i].peak);
		cell_int(t, is_line(s) && quantity_known(count)
				    ? runs[i].peak - quantity_round(peak_at(&s->line, count))
				    : QUANTITY_UNKNOWN);
	}
}

static void add_headline(struct view *view, const struct scale *s)
{
	static const struct {
		const char *words, *unit;
		enum tone tone;
	} words[SCALE_FOLLOWS] = {
		[SCALE_UNDECIDED] = { "undecided", "sample", TONE_WARN },
		[SCALE_NEITHER] = { "memory does not follow the samples", "sample", TONE_GOOD },
		[SCALE_SAMPLES] = { "memory follows the samples", "sample", TONE_WARN },
		[SCALE_BATCH] = { "memory follows the batch size", "sample in a batch", TONE_GOOD },
	};
	char a[SIZE_TEXT], b[SIZE_TEXT], low[SIZE_TEXT], high[SIZE_TEXT];

	view_paragraph(view, 0)->hang = 2;
	view_text(view, words[s->follows].tone, "%s", words[s->follows].words);
	if (!is_line(s)) {
		view_text(view, TONE_PLAIN, ": %s", s->why);
		return;
	}
	view_text(view, TONE_PLAIN, ": %s + ",
		  size_format(a, quantity_round(s->line.intercept), view->units));
	view_text(view, TONE_STRONG, "%s", size_format(b, quantity_round(s->line.slope), view->units));
	view_text(view, TONE_PLAIN, " (%s to %s) a %s",
		  size_format(low, quantity_round(s->line.low), view->units),
		  size_format(high, quantity_round(s->line.high), view->units), words[s->follows].unit);
}

static void add_carriers(struct view *view, const struct scale *s, bool all)
{
	size_t shown = all || s->carriers <= CARRIERS_SHOWN + 1 ? s->carriers : CARRIERS_SHOWN;
	char size[SIZE_TEXT], hidden[SIZE_TEXT];
	struct table *t;

	if (!s->carriers || !is_line(s))
		return;
	view_paragraph(view, 2)->hang = 2;
	view_text(view, TONE_PLAIN, "%s of it a sample in %s that carry the dimension (*)",
		  size_format(size, s->carried, view->units),
		  plural(&view->arena, (int64_t)s->carriers, "tensor row"));
	if (s->line.slope > (double)s->carried)
		view_text(view, TONE_PLAIN, ", %s where Python does not look",
			  size_format(hidden, quantity_round(s->line.slope) - s->carried, view->units));
	view_text(view, TONE_PLAIN, ":");
	t = view_table(view, "tensors");
	t->indent = 4;
	t->headless = true;
	t->omit_in_csv = true;
	table_column(t, "tensor", CELL_TEXT);
	table_column(t, "count", CELL_TEXT);
	table_column(t, "bytes", CELL_TEXT);
	for (size_t i = 0; i < shown; i++) {
		const struct scale_carrier *c = &s->carrier[i];

		table_row(t);
		cell_text(t, row_text(&view->arena, c->tensor->pattern, c->tensor->dtype));
		cell_text(t, arena_printf(&view->arena, "x %lld", (long long)c->tensor->count));
		cell_text(t, size_format(size, c->bytes_per_count, view->units));
	}
	if (shown == s->carriers)
		return;
	view_paragraph(view, 4)->tight = true;
	view_text(view, TONE_DIM, "%zu more (--all)", s->carriers - shown);
}

static void add_meaning(struct view *view, const struct scale *s)
{
	static const char one_batch[] =
		"the first dimension of the tensors is the number of samples in every run: all "
		"samples go through in one batch";
	bool one = s->follows == SCALE_SAMPLES && (s->batch_is_samples || !s->counts_given);
	struct block *block;

	if (!is_line(s))
		return;
	block = view_paragraph(view, 2);
	block->hang = 6;
	view_text(view, TONE_STRONG, "%-6s", "why");
	view_text(view, TONE_PLAIN, "%s", one && s->counts_given ? one_batch : s->why);
	if (s->follows != SCALE_SAMPLES)
		return;
	block = view_paragraph(view, 2);
	block->hang = 6;
	block->tight = true;
	view_text(view, TONE_STRONG, "%-6s", "fix");
	view_text(view, TONE_PLAIN, "%s",
		  one ? "split the samples into batches: is the batch size passed on to the loader "
			"or to predict()? If these are batches already, this is their price"
		      : "keep one batch on the device at a time: what is kept from one to the next "
			"grows with the samples");
}

static void add_answers(struct view *view, const struct scale *s, const struct scale_question *q)
{
	char size[SIZE_TEXT], low[SIZE_TEXT], high[SIZE_TEXT], count[SIZE_TEXT];
	const char *unit = s->follows == SCALE_BATCH ? "samples in a batch" : "samples";
	int64_t largest;

	if (!is_line(s))
		return;
	if (q->predict) {
		view_paragraph(view, 2);
		view_text(view, TONE_PLAIN, "%s %s would peak at ", count_format(count, q->predict),
			  unit);
		view_text(view, TONE_STRONG, "%s",
			  size_format(size, quantity_round(peak_at(&s->line, q->predict)), view->units));
		view_text(view, TONE_PLAIN, " (%s to %s).",
			  size_format(
				  low,
				  quantity_round(s->line.intercept_low + s->line.low * (double)q->predict),
				  view->units),
			  size_format(high,
				      quantity_round(s->line.intercept_high +
					      s->line.high * (double)q->predict),
				      view->units));
	}
	if (!quantity_known(q->capacity))
		return;
	largest = scale_largest_fit(&s->line, q->capacity);
	view_paragraph(view, 2);
	view_text(view, TONE_PLAIN, "%s hold %s %s at most.",
		  size_format(size, q->capacity, view->units), count_format(count, largest), unit);
}

static void add_doubts(struct view *view, const struct scale *s, const struct scale_run *runs,
		       size_t n)
{
	if (s->mixed_levels) {
		view_paragraph(view, 2)->hang = 2;
		view_text(view, TONE_WARN,
			  "The peaks are not the same quantity in all runs: compare runs from one "
			  "tool.");
	}
	for (size_t i = 0; i < n; i++)
		if (!quantity_known(runs[i].samples)) {
			view_paragraph(view, 2)->hang = 2;
			view_text(view, TONE_WARN, "%s", runs[i].name);
			view_text(view, TONE_PLAIN,
				  " has no count: name it with --samples %s=N, or memlog runs tag "
				  "%s samples=N",
				  runs[i].name, runs[i].name);
		}
	if (s->follows != SCALE_UNDECIDED || s->line.counts > 1)
		return;
	view_paragraph(view, 2)->hang = 2;
	view_text(view, TONE_PLAIN,
		  "to learn more: name runs with different counts, and their counts with --samples "
		  "RUN=N");
}

void scale_text(struct view *view, const struct scale *s, const struct scale_run *runs, size_t n,
		const struct scale_question *q)
{
	add_headline(view, s);
	scale_table(view, s, runs, n);
	add_carriers(view, s, q->all);
	add_meaning(view, s);
	add_answers(view, s, q);
	add_doubts(view, s, runs, n);
}
