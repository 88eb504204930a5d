#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "cmd/common.h"
#include "cmd/grammar_folder.h"
#include "grammar/convert.h"
#include "grammar/match.h"
#include "grammar/selftest.h"
#include "ingest/lines.h"
#include "ingest/source.h"

static int list(const struct common *common, const struct grammars *grammars)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "formats");
	int rc;

	table_column(t, "name", CELL_TEXT);
	table_column(t, "about", CELL_TEXT);
	table_column(t, "from", CELL_TEXT);
	for (size_t i = 0; i < grammars->len; i++) {
		table_row(t);
		cell_text(t, grammars->dialect[i]->name);
		cell_text(t, grammars->dialect[i]->about);
		cell_text(t, grammars->dialect[i]->origin);
	}
	rc = common_print(common, &view);
	view_release(&view);
	return rc;
}

static int list_action(const struct common *common, struct grammars *grammars, const char *path)
{
	(void)path;
	return list(common, grammars);
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
		rc = error_input("%s: %zu expectations failed", path, test.failed);
	return rc;
}

/* What stands open while a log is explained. */
struct explanation {
	struct matcher *matcher;
	struct table *table;
	struct record record;
	struct match_result result;
};

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

static void explain_taken(struct explanation *e)
{
	char *fields = fields_text(&e->record);

	table_row(e->table);
	cell_int(e->table, e->record.line);
	cell_text(e->table, e->result.dialect->name);
	cell_text(e->table, e->result.rule->name);
	cell_text(e->table, e->result.repaired ? "after repair" : NULL);
	cell_text(e->table, fields);
	free(fields);
}

/* "…the part that fits >< the part that does not". */
static void explain_untaken(void *context, const struct line *line)
{
	struct explanation *e = context;
	struct table *t = e->table;
	const struct dialect *dialect = NULL;
	const struct rule *rule;
	struct strbuf how = STRBUF_INIT;
	struct span rest;
	size_t reach;

	rule = matcher_nearest(e->matcher, line->text, &dialect, &reach);
	rest = span_skip(line->text, reach);
	if (rest.len > 60)
		rest.len = 60;
	while (rest.len && (rest.ptr[rest.len - 1] & 0xc0) == 0x80)
		rest.len--;
	if (rule)
		strbuf_addf(&how, "nearest: %zu bytes fit, then \"%.*s\"", reach, SPAN_ARG(rest));
	table_row(t);
	cell_int(t, line->number);
	cell_text(t, rule ? dialect->name : NULL);
	cell_text(t, rule ? rule->name : NULL);
	cell_text(t, "not taken");
	cell_text(t, how.len ? how.buf : NULL);
	strbuf_release(&how);
}

static int explain_more(struct explanation *e, int rc)
{
	for (; rc > 0; rc = matcher_more(e->matcher, &e->record, &e->result))
		explain_taken(e);
	return rc;
}

static int explain_lines(struct explanation *e, struct lines *lines)
{
	struct line line;
	int rc = 0;

	while (rc >= 0 && (rc = lines_next(lines, &line)) > 0) {
		if (span_trim(line.text).len) {
			rc = explain_more(e, matcher_line(e->matcher, &line, &e->record, &e->result));
			continue;
		}
		matcher_end(e->matcher);
		rc = explain_more(e, matcher_more(e->matcher, &e->record, &e->result));
	}
	matcher_end(e->matcher);
	return rc < 0 ? -1
		      : explain_more(e, matcher_more(e->matcher, &e->record, &e->result));
}

static int explain_action(const struct common *common, struct grammars *grammars, const char *path)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "lines");
	struct explanation *e = xcalloc(1, sizeof(*e));
	struct match_options options = { .zone = ZONE_UTC,
					 .unknown = explain_untaken,
					 .context = e };
	struct source *source = NULL;
	struct lines *lines = NULL;
	int rc;

	table_column(t, "line", CELL_INT);
	table_column(t, "dialect", CELL_TEXT);
	table_column(t, "rule", CELL_TEXT);
	table_column(t, "how", CELL_TEXT);
	table_column(t, "fields", CELL_TEXT);
	rc = source_open(&source, path, NULL);
	if (!rc)
		rc = lines_open(&lines, source, NULL);
	if (!rc)
		rc = matcher_open(&e->matcher, grammars, &options);
	e->table = t;
	if (!rc)
		rc = explain_lines(e, lines);
	if (!rc)
		rc = common_print(common, &view);
	matcher_close(e->matcher);
	free(e);
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
