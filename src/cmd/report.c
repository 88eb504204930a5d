#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/whole_file.h"
#include "cmd/answer.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"
#include "cmd/report_run.h"
#include "render/html.h"

struct report {
	const char *out;
	int64_t capacity;
	const struct common *common;
	struct page page;
};

/* In single quotes, which a shell leaves alone. */
static const char *shell_word(struct arena *arena, const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	const char *word;

	strbuf_addc(&sb, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_adds(&sb, "'\\''");
		else
			strbuf_addc(&sb, *text);
	}
	strbuf_addc(&sb, '\'');
	word = arena_text(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return word;
}

static const char *chapter_id(struct arena *arena, const struct loaded_run *run)
{
	return arena_printf(arena, "run-%" PRId64, run->timeline.run);
}

/* How much a verdict asks for attention. */
static int urgency(const struct loaded_run *run)
{
	static const int urgencies[VERDICTS] = { [VERDICT_LEAK] = 3,
						 [VERDICT_SUSPECT] = 2,
						 [VERDICT_UNDECIDED] = 1,
						 [VERDICT_CLEAN] = 0 };

	return urgencies[run->analysis.verdict];
}

/* The run whose answer is the report's: the worst verdict, then the fastest growth. */
static const struct loaded_run *worst_of(const struct loaded *runs)
{
	const struct loaded_run *worst = &runs->at[0];

	for (size_t i = 1; i < runs->len; i++) {
		const struct loaded_run *run = &runs->at[i];
		const struct finding *f = answer_finding(&run->analysis);
		const struct finding *g = answer_finding(&worst->analysis);

		if (urgency(run) > urgency(worst) ||
		    (urgency(run) == urgency(worst) && f &&
		     (!g || f->bytes_per_iteration > g->bytes_per_iteration)))
			worst = run;
	}
	return worst;
}

static void add_opening(struct report *o, const struct loaded *runs)
{
	struct arena *arena = &o->page.view.arena;
	const struct loaded_run *worst = worst_of(runs);
	const char *answer =
		answer_text(arena, &worst->timeline, &worst->analysis, o->page.view.units);
	enum tone tone;
	const char *verdict = report_verdict(&worst->analysis, &tone);

	o->page.title = runs->len == 1
				? arena_printf(arena, "%s: %s", worst->timeline.name, verdict)
				: arena_printf(arena, "%zu runs: %s", runs->len, verdict);
	page_heading(&o->page, 1, NULL, arena_printf(arena, "%s: %s", verdict, answer));
	for (size_t i = 0; i < runs->len && runs->len > 1; i++) {
		const struct loaded_run *run = &runs->at[i];
		const char *word = report_verdict(&run->analysis, &tone);

		page_link(&o->page, run->timeline.name, chapter_id(arena, run), tone,
			  arena_printf(arena, "%s: %s", word,
				       answer_text(arena, &run->timeline, &run->analysis,
						   o->page.view.units)));
	}
}

static void add_comparison(struct report *o, const struct loaded *runs)
{
	struct arena *arena = &o->page.view.arena;
	struct plot_scope *scope = arena_alloc(arena, sizeof(*scope));
	struct plot_input in = { runs->at, runs->len, scope, arena };
	struct plot *plot = arena_alloc(arena, sizeof(*plot));

	*scope = PLOT_SCOPE_ALL;
	scope->units = o->page.view.units;
	/* More runs than a picture holds have none. */
	if (runs->len > 1 && !plot_compare(plot, &in))
		page_plot(&o->page, "the runs over each other", plot);
}

static const char *import_command(struct arena *arena, const struct timeline *t)
{
	const char *command = arena_printf(arena, "memlog import %s", shell_word(arena, t->source));

	/* Logs that are one run are named together. */
	if (t->parts)
		command = arena_printf(arena, "memlog import --run %s %s",
				       shell_word(arena, t->name), shell_word(arena, t->source));
	for (size_t i = 0; i < t->parts; i++)
		command = arena_printf(arena, "%s %s", command,
				       shell_word(arena, t->part[i].source));
	return command;
}

static void add_reproduction(struct report *o, const struct loaded *runs)
{
	struct arena *arena = &o->page.view.arena;
	const char *names = "";

	page_heading(&o->page, 2, "again", "How to see this again");
	page_text(&o->page, TONE_PLAIN,
		  arena_printf(arena, "Made by memlog %s. Importing a log again changes nothing.",
			       VERSION));
	for (size_t i = 0; i < runs->len; i++) {
		const struct timeline *t = &runs->at[i].timeline;

		/* Several runs of one log come in a row. */
		if (!i || strcmp(t->source, runs->at[i - 1].timeline.source))
			page_code(&o->page, import_command(arena, t));
		names = arena_printf(arena, "%s %s", names, shell_word(arena, t->name));
	}
	page_code(&o->page, arena_printf(arena, "memlog leaks%s", names));
	page_code(&o->page,
		  arena_printf(arena, "memlog report%s --out report.html", names));
}

static int fill(struct report *o, const struct loaded *runs)
{
	add_opening(o, runs);
	add_comparison(o, runs);
	for (size_t i = 0; i < runs->len; i++) {
		struct report_chapter chapter = { &o->page, runs->store, &runs->at[i],
						  chapter_id(&o->page.view.arena, &runs->at[i]),
						  runs->len == 1 };

		if (report_run(&chapter) < 0)
			return -1;
	}
	add_reproduction(o, runs);
	return 0;
}

static int write_page(const struct report *o)
{
	struct strbuf html = STRBUF_INIT;
	int rc = 0;

	html_page(&html, &o->page);
	if (!strcmp(o->out, "-"))
		fwrite(html.buf, 1, html.len, stdout);
	else
		rc = whole_file_write(o->out, strbuf_span(&html));
	if (!rc && strcmp(o->out, "-"))
		fprintf(stderr, "memlog: wrote %s\n", o->out);
	strbuf_release(&html);
	return rc;
}

static int run(struct report *o, const struct arguments *names)
{
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	struct loaded runs = LOADED_INIT;
	int rc;

	options.capacity = o->capacity;
	o->page.view.units = common_units(o->common);
	rc = loaded_read(&runs, o->common, names, &options);
	if (!rc)
		rc = fill(o, &runs);
	if (!rc)
		rc = write_page(o);
	page_release(&o->page);
	loaded_release(&runs);
	return rc;
}

int cmd_report(const struct command *self, int argc, const char **argv)
{
	struct common common;
	struct report o = { .common = &common,
			    .capacity = QUANTITY_UNKNOWN,
			    .page = PAGE_INIT };
	const struct option table[] = {
		{ "out", 'o', OPT_TEXT, &o.out, "FILE", "the page, report.html; - is stdout" },
		{ "capacity", 0, OPT_SIZE, &o.capacity, "SIZE",
		  "memory that may be used; default: what the log says" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc && !o.out)
		rc = error_usage("memlog report: say where the page goes: --out report.html");
	if (!rc)
		rc = run(&o, &rest);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
