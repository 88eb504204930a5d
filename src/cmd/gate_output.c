#include "cmd/gate_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "cli/terminal.h"
#include "render/report.h"

static const struct gate_reporter *reporter_of(const char *report, const char **file)
{
	const char *equals = strchr(report, '=');
	char *name = equals ? xstrndup(report, (size_t)(equals - report)) : xstrdup(report);
	const struct gate_reporter *reporter = gate_reporter_find(name);

	*file = equals ? equals + 1 : NULL;
	free(name);
	return reporter;
}

int gate_output_check(const struct gate_options *o)
{
	const char *file;

	for (size_t i = 0; i < o->reports.len; i++) {
		char *names;

		if (reporter_of(o->reports.at[i], &file)) {
			if (file && !*file)
				return error_usage("memlog gate: --report %s: a file is missing "
						   "after '='",
						   o->reports.at[i]);
			continue;
		}
		names = gate_reporter_names();
		error_usage("memlog gate: there is no report '%s'; there are %s", o->reports.at[i],
			    names);
		free(names);
		return -1;
	}
	for (size_t i = 0; i < o->path_map.len; i++)
		if (!strchr(o->path_map.at[i], '=') || *o->path_map.at[i] == '=')
			return error_usage("memlog gate: --path-map '%s' is not FROM=TO, such as "
					   "/workspace=.",
					   o->path_map.at[i]);
	return 0;
}

/* ---- paths ---- */

static struct span without_slash(struct span path)
{
	while (path.len > 1 && path.ptr[path.len - 1] == '/')
		path.len--;
	return path;
}

/* What follows FROM in the path, if it ends at a folder's name; else a null span. */
static struct span below(const char *path, struct span from)
{
	struct span rest = span_of(path);

	if (rest.len < from.len || memcmp(path, from.ptr, from.len))
		return SPAN_NONE;
	rest = span_skip(rest, from.len);
	if (rest.len && *rest.ptr != '/' && from.ptr[from.len - 1] != '/')
		return SPAN_NONE;
	while (rest.len && *rest.ptr == '/')
		rest = span_skip(rest, 1);
	return rest.len ? rest : SPAN_NONE;
}

/* The first FROM=TO that fits; "." as TO stands for the repository's root. */
static const char *map_path(struct arena *arena, const struct gate_options *o, const char *path)
{
	for (size_t i = 0; i < o->path_map.len; i++) {
		struct span to, from = span_split(span_of(o->path_map.at[i]), '=', &to);
		struct span rest = below(path, without_slash(from));

		if (!rest.ptr)
			continue;
		to = without_slash(to);
		path = !to.len || span_is(to, ".")
			       ? arena_text(arena, rest)
			       : arena_printf(arena, "%.*s/%.*s", SPAN_ARG(to), SPAN_ARG(rest));
		break;
	}
	while (!strncmp(path, "./", 2))
		path += 2;
	return path;
}

/* ---- the command that reproduces a rule ---- */

static void add_word(struct strbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./:,+@%=";

	if (*word && word[strspn(word, plain)] == '\0') {
		strbuf_adds(out, word);
		return;
	}
	strbuf_addc(out, '\'');
	for (; *word; word++)
		strbuf_addf(out, *word == '\'' ? "'\\''" : "%c", *word);
	strbuf_addc(out, '\'');
}

static const char *command_for(struct arena *arena, const struct gate_rule *r,
			       const struct gate_options *o)
{
	struct strbuf sb = STRBUF_INIT;
	const char *value = strchr(r->option, ' ');
	const char *text;

	strbuf_adds(&sb, "memlog import ");
	/* Of several runs of a log the first has the name asked for, the others ~2, ~3. */
	if (!strchr(r->run, '~')) {
		strbuf_adds(&sb, "--run ");
		add_word(&sb, r->run);
		strbuf_addc(&sb, ' ');
	}
	add_word(&sb, r->source);
	strbuf_adds(&sb, " && memlog gate ");
	add_word(&sb, r->run);
	strbuf_addf(&sb, " %.*s", value ? (int)(value - r->option) : (int)strlen(r->option),
		    r->option);
	if (value) {
		strbuf_addc(&sb, ' ');
		add_word(&sb, value + 1);
	}
	if (o->minimum != ANALYSIS_MINIMUM_ITERATIONS)
		strbuf_addf(&sb, " --min-iterations %d", o->minimum);
	text = arena_text(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return text;
}

void gate_output_complete(struct gate_result *result, const struct gate_options *o)
{
	for (size_t i = 0; i < result->rules; i++) {
		struct gate_rule *r = &result->rule[i];

		if (r->path)
			r->path = map_path(&result->arena, o, r->path);
		/* What is about no log is about the policy or the baseline file. */
		if (r->source)
			r->again = command_for(&result->arena, r, o);
	}
}

/* ---- writing ---- */

static int write_file(const struct gate_result *result, const struct gate_reporter *reporter,
		      const char *path)
{
	struct render_options options = { false, 0 };
	FILE *out = fopen(path, "we");
	int rc;

	if (!out)
		return error_set("%s cannot be written: %s", path, strerror(errno));
	rc = reporter->report(result, out, &options);
	if (!rc && (fflush(out) || ferror(out)))
		rc = error_set("%s cannot be written: %s", path, strerror(errno));
	if (fclose(out) && !rc)
		rc = error_set("%s cannot be written: %s", path, strerror(errno));
	return rc;
}

int gate_output(const struct gate_result *result, const struct gate_options *o)
{
	struct render_options options = { terminal_color(stdout), terminal_width(stdout) };
	bool shown = false;
	int rc = 0;

	for (size_t i = 0; i < o->reports.len && !rc; i++) {
		const char *file;
		const struct gate_reporter *reporter = reporter_of(o->reports.at[i], &file);

		rc = file ? write_file(result, reporter, file)
			  : reporter->report(result, stdout, &options);
		shown |= !file;
	}
	if (!rc && !shown)
		rc = gate_reporter_for(o->common.format)->report(result, stdout, &options);
	return rc;
}
