#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/common.h"
#include "cmd/grammar_folder.h"
#include "grammar/convert.h"
#include "grammar/match.h"
#include "grammar/selftest.h"
#include "ingest/lines.h"
#include "ingest/source.h"

/* What a dialect reads must be read whole: a table would cut it. */
static void tell_dialect(struct view *view, const struct dialect *d)
{
	struct block *block = view_paragraph(view, 0);

	block->hang = 4;
	block->tight = true;
	view_text(view, TONE_STRONG, "%s", d->name);
	view_text(view, TONE_PLAIN, ": %s", d->about ? d->about : "says nothing about itself");
	if (strcmp(d->origin, "built in"))
		view_text(view, TONE_DIM, " (%s)", d->origin);
}

static void list_dialects(struct view *view, const struct grammars *grammars)
{
	struct table *t = view_table(view, "formats");

	table_column(t, "name", CELL_TEXT);
	table_column(t, "about", CELL_TEXT);
	table_column(t, "from", CELL_TEXT);
	for (size_t i = 0; i < grammars->len; i++) {
		table_row(t);
		cell_text(t, grammars->dialect[i]->name);
		cell_text(t, grammars->dialect[i]->about);
		cell_text(t, grammars->dialect[i]->origin);
	}
}

static int list_action(const struct common *common, struct grammars *grammars, const char *path)
{
	struct view view = VIEW_INIT;
	int rc;

	(void)path;
	if (common_is_for_people(common))
		for (size_t i = 0; i < grammars->len; i++)
			tell_dialect(&view, grammars->dialect[i]);
	else
		list_dialects(&view, grammars);
	rc = common_print(common, &view);
	view_release(&view);
	return rc;
}

static int fields_action(const struct common *common, struct grammars *grammars, const char *path)
{
	static const char *const types[FIELD_TYPES] = {
		[FIELD_TEXT] = "text",     [FIELD_INT] = "integer",     [FIELD_TIME] = "time",
		[FIELD_QUANTITY] = "size", [FIELD_PERCENT] = "percent",
	};
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "fields");
	int rc;

	(void)grammars;
	(void)path;
	table_column(t, "field", CELL_TEXT);
	table_column(t, "type", CELL_TEXT);
	table_column(t, "meaning", CELL_TEXT);
	for (int f = 0; f < FIELD_COUNT; f++) {
		table_row(t);
		cell_text(t, field_names[f]);
		cell_text(t, types[field_types[f]]);
		cell_text(t, field_meanings[f]);
	}
	rc = common_print(common, &view);
	view_release(&view);
	return rc;
}

static void on_failure(void *context, const char *text)
{
	struct view *view = context;

	view_paragraph(view, 0)->tight = true;
	view_text(view, TONE_BAD, "%s", text);
}

/* The dialect of the file, or every one that is loaded when the path is "all". */
static int check_action(const struct common *common, struct grammars *grammars, const char *path)
{
	struct view view = VIEW_INIT;
	struct selftest test = { 0, 0, on_failure, &view };
	bool all = !strcmp(path, "all");
	int rc = all ? 0 : grammars_add_file(grammars, path);

	for (size_t i = 0; i < grammars->len && !rc; i++)
		if (all || !strcmp(grammars->dialect[i]->origin, path))
			rc = selftest_run(&test, grammars, grammars->dialect[i]);
	if (!rc) {
		view_paragraph(&view, 0)->tight = true;
		view_text(&view, test.failed ? TONE_BAD : TONE_GOOD, "%zu passed, %zu failed",
			  test.passed, test.failed);
		rc = common_print(common, &view);
	}
	view_release(&view);
	if (!rc && test.failed)
		rc = error_input("%s: %zu of %zu expectations failed", path, test.failed,
				 test.failed + test.passed);
	return rc;
}

/* What a rule read in a line: "allocated=53687091 line=…". */
static char *fields_text(const struct record *record)
{
	struct strbuf out = STRBUF_INIT;

	for (int f = 0; f < FIELD_COUNT; f++) {
		if (record->value[f].state == VALUE_ABSENT || record->value[f].carried)
			continue;
		strbuf_addf(&out, "%s%s=", out.len ? " " : "", field_names[f]);
		convert_back(&record->value[f], (enum field)f, &out);
	}
	return strbuf_detach(&out);
}

/* How a line was taken, or how far the nearest rule came. */
struct explanation {
	int64_t line;
	const char *dialect, *rule, *how, *fields;
};

static void explain_taken(struct explanation *e, struct arena *arena, const struct record *record,
			  const struct match_result *result)
{
	char *fields = fields_text(record);

	e->dialect = result->dialect->name;
	e->rule = result->rule->name;
	e->how = result->repaired ? "after repair" : NULL;
	e->fields = arena_text(arena, span_of(fields));
	free(fields);
}

/* As much of it as a message has room for, whole characters. */
static struct span beginning(struct span text, size_t most)
{
	if (text.len <= most)
		return text;
	while (most && (text.ptr[most] & 0xc0) == 0x80)
		most--;
	return (struct span){ text.ptr, most };
}

static void find_nearest(struct explanation *e, struct arena *arena, const struct matcher *matcher,
			 struct span text)
{
	enum { REST = 60, WANTED = 40 };
	const struct dialect *dialect = NULL;
	const struct rule *rule;
	struct regex_stop stop;
	struct span rest;

	rule = matcher_nearest(matcher, text, &dialect, &stop);
	e->how = "not taken";
	if (!rule)
		return;
	e->dialect = dialect->name;
	e->rule = rule->name;
	rest = beginning(span_skip(text, stop.most), REST);
	e->fields = arena_printf(arena, "nearest: %zu bytes fit, then %s%.*s%s, where the rule wants %.*s",
				 stop.most, rest.len ? "\"" : "the line ends", SPAN_ARG(rest),
				 rest.len ? "\"" : "", SPAN_ARG(beginning(stop.wanted, WANTED)));
}

/* A table for machines; for people a paragraph, since a table would cut the fields. */
static void add_explanation(struct view *view, struct table *t, const struct explanation *e)
{
	struct block *block;

	if (t) {
		table_row(t);
		cell_int(t, e->line);
		cell_text(t, e->dialect);
		cell_text(t, e->rule);
		cell_text(t, e->how);
		cell_text(t, e->fields);
		return;
	}
	block = view_paragraph(view, 0);
	block->hang = 6;
	block->tight = true;
	view_text(view, TONE_DIM, "%4lld  ", (long long)e->line);
	if (e->how)
		view_text(view, TONE_WARN, "%s%s", e->how, e->dialect ? ", " : "");
	if (e->dialect)
		view_text(view, TONE_STRONG, "%s, %s", e->dialect, e->rule);
	if (e->fields && *e->fields)
		view_text(view, TONE_PLAIN, ": %s", e->fields);
}

enum { DETECT_LINES = 400 };

/* The dialects are asked in the order in which an import asks them. */
static int detect(struct matcher *matcher, const struct line *lines, size_t n)
{
	struct span first[DETECT_LINES];

	n = n < DETECT_LINES ? n : DETECT_LINES;
	for (size_t i = 0; i < n; i++)
		first[i] = lines[i].text;
	return matcher_detect(matcher, first, n);
}

/* What stands open while a log is explained. */
struct explainer {
	struct view *view;
	struct table *table; /* NULL: for people */
	struct matcher *matcher;
	struct record record;
};

/* A line that nobody takes; it may have been held for the lines below it. */
static void explain_untaken(void *context, const struct line *line)
{
	struct explainer *x = context;
	struct explanation e = { .line = line->number };

	find_nearest(&e, &x->view->arena, x->matcher, line->text);
	add_explanation(x->view, x->table, &e);
}

static int explain_records(struct explainer *x, const struct line *line)
{
	struct match_result result;
	int rc = line ? matcher_line(x->matcher, line, &x->record, &result)
		      : matcher_more(x->matcher, &x->record, &result);

	for (; rc > 0; rc = matcher_more(x->matcher, &x->record, &result)) {
		struct explanation e = { .line = x->record.line };

		explain_taken(&e, &x->view->arena, &x->record, &result);
		add_explanation(x->view, x->table, &e);
	}
	return rc;
}

static int explain_end(struct explainer *x)
{
	matcher_end(x->matcher);
	return explain_records(x, NULL);
}

static int explain_lines(struct explainer *x, struct lines *lines)
{
	VEC(struct line) all = VEC_INIT;
	struct line line;
	int rc;

	while ((rc = lines_next(lines, &line)) > 0) {
		line.text.ptr = arena_text(&x->view->arena, line.text);
		*vec_push(&all) = line;
	}
	if (!rc)
		rc = detect(x->matcher, all.at, all.len);
	for (size_t i = 0; i < all.len && rc >= 0; i++)
		rc = span_trim(all.at[i].text).len ? explain_records(x, &all.at[i])
						   : explain_end(x);
	if (rc >= 0)
		rc = explain_end(x);
	vec_release(&all);
	return rc < 0 ? -1 : 0;
}

static struct table *lines_table(struct view *view)
{
	struct table *t = view_table(view, "lines");

	table_column(t, "line", CELL_INT);
	table_column(t, "dialect", CELL_TEXT);
	table_column(t, "rule", CELL_TEXT);
	table_column(t, "how", CELL_TEXT);
	table_column(t, "fields", CELL_TEXT);
	return t;
}

static int explain_action(const struct common *common, struct grammars *grammars, const char *path)
{
	struct view view = VIEW_INIT;
	struct explainer *x = xcalloc(1, sizeof(*x));
	struct match_options options = { .zone = ZONE_UTC,
					 .unknown = explain_untaken,
					 .context = x };
	struct source *source = NULL;
	struct lines *lines = NULL;
	int rc;

	x->view = &view;
	x->table = common_is_for_people(common) ? NULL : lines_table(&view);
	rc = source_open(&source, path, NULL);
	if (!rc)
		rc = lines_open(&lines, source, NULL);
	if (!rc)
		rc = matcher_open(&x->matcher, grammars, &options);
	if (!rc)
		rc = explain_lines(x, lines);
	if (!rc)
		rc = common_print(common, &view);
	matcher_close(x->matcher);
	free(x);
	lines_close(lines);
	source_close(source);
	view_release(&view);
	return rc;
}

static const struct action {
	const char *name;
	int (*run)(const struct common *common, struct grammars *grammars, const char *path);
	size_t arguments;
} actions[] = {
	{ "list", list_action, 0 },
	{ "check", check_action, 1 },
	{ "explain", explain_action, 1 },
	{ "fields", fields_action, 0 },
};

static int run(const struct common *common, const struct arguments *rest)
{
	const char *name = rest->len ? rest->at[0] : "list";
	const struct action *action = NULL;
	struct grammars *grammars;
	char *folder;
	int rc;

	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(actions[i].name, name))
			action = &actions[i];
	if (!action)
		return error_usage(
			"memlog formats: '%s' is no action; use list, check FILE, explain LOG or "
			"fields",
			name);
	if (rest->len > 1 + action->arguments || (action->arguments && rest->len < 2))
		return error_usage("memlog formats %s: %s", name,
				   action->arguments ? "name one file" : "takes no argument");
	folder = grammar_folder();
	rc = grammars_load(&grammars, folder);
	free(folder);
	if (rc < 0)
		return -1;
	rc = action->run(common, grammars, rest->len > 1 ? rest->at[1] : NULL);
	grammars_free(grammars);
	return rc;
}

int cmd_formats(const struct command *self, int argc, const char **argv)
{
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, NULL, argc, argv, &rest);

	if (!rc)
		rc = run(&common, &rest);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
