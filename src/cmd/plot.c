#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "cli/terminal.h"
#include "cmd/common.h"
#include "cmd/plot_timeline.h"
#include "render/plot.h"

struct plot_command {
	const char *out;
	int width, height;
	const struct common *common;
};

enum { TERMINAL_ROWS = 20 };

static int draw(const struct plot_command *o, const struct plot *plot)
{
	struct plot_size size = plot_default_size(&(struct plot){0});

	if (!o->out)
		return plot_to_terminal(plot, stdout, o->width ? o->width : terminal_width(stdout),
					o->height ? o->height : TERMINAL_ROWS,
					terminal_color(stdout));
	if (o->width)
		size.width = o->width;
	if (o->height)
		size.height = o->height;
	if (plot_to_file(plot, o->out, &size) < 0)
		return -1;
	fprintf(stderr, "memlog: wrote %s\n", o->out);
	return 0;
}

static int draw_run(void *context, const struct run_visit *visit)
{
	const struct plot_command *o = context;
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	struct arena arena = ARENA_INIT;
	struct analysis analysis;
	struct plot plot;
	int rc;

	if (o->out && visit->runs > 1)
		return error_usage("memlog plot: %zu runs fit; name one (see memlog runs)",
				   visit->runs);
	analyse(&analysis, visit->timeline, &options);
	plot_timeline(&plot, &arena, visit->timeline, &analysis, common_units(o->common));
	rc = plot.nseries ? draw(o, &plot)
			  : error_set("%s has no sizes to draw; see memlog show --notes",
				      visit->timeline->name);
	analysis_release(&analysis);
	arena_release(&arena);
	return rc;
}

int cmd_plot(const struct command *self, int argc, const char **argv)
{
	struct common common;
	struct plot_command o = { .common = &common };
	const struct option table[] = {
		{ "out", 'o', OPT_TEXT, &o.out, "FILE",
		  ".png, .svg or .pdf; without it, in the terminal" },
		{ "width", 0, OPT_INT, &o.width, "N", "pixels (1200), or columns of the terminal" },
		{ "height", 0, OPT_INT, &o.height, "N", "pixels (700), or lines of the terminal" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc && (o.width < 0 || o.height < 0 || o.width > 20000 || o.height > 20000))
		rc = error_usage("memlog plot: --width and --height go from 1 to 20000");
	if (!rc)
		rc = common_each_run(&common, &rest, draw_run, &o);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
