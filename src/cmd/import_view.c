#include "cmd/import_view.h"

#include <inttypes.h>

#include "cmd/common.h"

static void add_doc(struct doc *files, const struct import_result *r)
{
	struct doc *file = doc_add(files, doc_object(files->arena)), *list;

	doc_set_text(file, "path", r->path);
	doc_set_text(file, "status", import_status_names[r->status]);
	if (r->error)
		doc_set_text(file, "error", r->error);
	list = doc_set(file, "dialects", doc_array(files->arena));
	for (size_t i = 0; i < r->dialects.len; i++)
		doc_add_text(list, r->dialects.at[i]);
	list = doc_set(file, "runs", doc_array(files->arena));
	for (size_t i = 0; i < r->runs.len; i++)
		doc_add_text(list, r->runs.at[i]);
	doc_set_int(file, "points", r->points);
	doc_set_int(file, "samples", r->samples);
	doc_set_int(file, "events", r->events);
	doc_set_int(file, "lines", r->lines);
	doc_set_int(file, "matched", r->matched);
	doc_set_int(file, "blank", r->blank);
	doc_set_int(file, "unmatched", r->unmatched);
	list = doc_set(file, "notes", doc_array(files->arena));
	for (size_t i = 0; i < r->notes.len; i++) {
		struct doc *note = doc_add(list, doc_object(files->arena));

		doc_set_int(note, "line", r->notes.at[i].line);
		doc_set_text(note, "code", r->notes.at[i].code);
		doc_set_text(note, "text", r->notes.at[i].text);
	}
}

/* What a count of a code means in a sentence; codes without a row are told by their own name.
 * One without words is told by its text. */
static const struct {
	const char *code, *one, *many;
} note_words[] = {
	{ "printed-size-disagrees", "printed size disagrees with its shape",
	  "printed sizes disagree with their shapes" },
	{ "lost-digits", "printed size lost digits", "printed sizes lost digits" },
	{ "total-disagrees", "total disagrees with its rows", "totals disagree with their rows" },
	{ "second-writer", "sign of a second writer", "signs of a second writer" },
	{ "truncated", "unfinished point at the end", "unfinished points" },
	{ "unit-measured", "unit measured, not as labelled", "units measured, not as labelled" },
	{ "bad-encoding", "sign of another encoding (try --encoding)", "signs of other encodings" },
	{ "no-line-end", "last line without an end", "last lines without an end" },
	{ "visible-exceeds-allocated", "point where views are counted twice",
	  "points where views are counted twice" },
	{ "empty-table", "table of GPUs without a row", "tables of GPUs without a row" },
	{ "no-value", NULL, "reasons for values that are missing" },
	{ "no-data", "", "" }, /* said at the front */
	{ "unnamed-device", NULL, NULL },
	{ "damaged-archive", NULL, NULL },
};

static const char *words_of(const struct note_count *c)
{
	for (size_t w = 0; w < sizeof(note_words) / sizeof(*note_words); w++)
		if (!strcmp(note_words[w].code, c->code))
			return c->count == 1 ? note_words[w].one : note_words[w].many;
	return c->code;
}

static const char *text_of(const struct import_result *r, const char *code)
{
	for (size_t i = 0; i < r->notes.len; i++)
		if (!strcmp(r->notes.at[i].code, code))
			return r->notes.at[i].text;
	return "";
}

static void add_note_words(struct view *view, const struct import_result *r)
{
	bool counted = false;

	for (size_t i = 0; i < r->note_counts.len; i++) {
		const struct note_count *c = &r->note_counts.at[i];
		const char *words = words_of(c);

		if (words && !*words)
			continue;
		if (!words) {
			view_text(view, TONE_PLAIN, "; %s", text_of(r, c->code));
			counted = false;
			continue;
		}
		view_text(view, TONE_PLAIN, "%s%" PRId64 " %s", counted ? ", " : "; ", c->count,
			  words);
		counted = true;
	}
	if (r->note_counts.len)
		view_text(view, TONE_DIM, " (memlog show --notes)");
}

static void add_times(struct view *view, const struct import_result *r)
{
	char from[TIME_TEXT], span[TIME_TEXT];

	if (r->first_time == TIME_UNKNOWN || r->last_time <= r->first_time)
		return;
	view_text(view, TONE_PLAIN, ", %s from %s",
		  duration_format(span, r->last_time - r->first_time),
		  time_format(from, r->first_time, SECOND));
}

static void add_dialects(struct view *view, const struct import_result *r)
{
	for (size_t i = 0; i < r->dialects.len; i++)
		view_text(view, TONE_STRONG, "%s%s", i ? " + " : "", r->dialects.at[i]);
}

static void add_imported(struct view *view, const struct import_result *r)
{
	struct arena *a = &view->arena;

	if (!r->samples && !r->values)
		view_text(view, TONE_WARN, "no data: ");
	add_dialects(view, r);
	if (r->runs.len > 1)
		view_text(view, TONE_PLAIN, ", %s", plural(a, (int64_t)r->runs.len, "run"));
	view_text(view, TONE_PLAIN, ", %s", plural(a, r->points, "point"));
	if (r->devices)
		view_text(view, TONE_PLAIN, ", %s", plural(a, r->devices, "device"));
	if (r->processes)
		view_text(view, TONE_PLAIN, ", %" PRId64 " process%s", r->processes,
			  r->processes == 1 ? "" : "es");
	if (r->loop && r->iterations > 1) {
		struct site site = { .file = r->loop->file,
				     .code_line = r->loop->code_line,
				     .module = r->loop->module,
				     .label = r->loop->label };

		view_text(view, TONE_PLAIN, ", %s at %s", plural(a, r->iterations, "iteration"),
			  site_text(a, &site));
	}
	add_times(view, r);
	if (r->events)
		view_text(view, TONE_PLAIN, ", %s", plural(a, r->events, "event"));
	if (r->unmatched)
		view_text(view, TONE_PLAIN, ", %s of other text", plural(a, r->unmatched, "line"));
	add_note_words(view, r);
}

static void add_sentence(struct view *view, const struct import_result *r, bool tight)
{
	struct block *block = view_paragraph(view, 0);

	block->hang = 4;
	block->tight = tight;
	view_text(view, TONE_STRONG, "%s", strcmp(r->path, "-") ? r->path : "stdin");
	view_text(view, TONE_PLAIN, ": ");
	switch (r->status) {
	case IMPORT_IMPORTED:
		add_imported(view, r);
		break;
	case IMPORT_KNOWN:
		view_text(view, TONE_PLAIN, "already imported as ");
		for (size_t i = 0; i < r->runs.len; i++)
			view_text(view, TONE_STRONG, "%s%s", i ? ", " : "", r->runs.at[i]);
		view_text(view, TONE_PLAIN, "; nothing changed");
		break;
	case IMPORT_SKIPPED:
	case IMPORT_FAILED:
	case IMPORT_STATUSES:
		view_text(view, TONE_BAD, "not imported");
	}
}

void import_view(struct view *view, const struct import_result *results, size_t n)
{
	struct doc *files;
	size_t skipped = 0;
	bool tight = false;

	view->doc = doc_object(&view->arena);
	doc_set_text(view->doc, "schema", "memlog.import/1");
	files = doc_set(view->doc, "files", doc_array(&view->arena));
	for (size_t i = 0; i < n; i++) {
		add_doc(files, &results[i]);
		if (results[i].status == IMPORT_SKIPPED) {
			skipped++;
			continue;
		}
		/* A single failure is told by the error alone. */
		if (results[i].status == IMPORT_FAILED && n == 1)
			continue;
		add_sentence(view, &results[i], tight);
		tight = true;
	}
	if (!skipped)
		return;
	view_paragraph(view, 0)->tight = true;
	view_text(view, TONE_DIM, "%s skipped: no logs that memlog knows",
		  plural(&view->arena, (int64_t)skipped, "file"));
}
