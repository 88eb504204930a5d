#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/terminal.h"
#include "cmd/common.h"
#include "cmd/plot_kind.h"
#include "render/plot.h"

struct plot_command {
	const char *out, *kind;
	struct plot_size size;
	int from, to, device, pid;
	int64_t capacity;
	struct plot_scope scope;
	const struct common *common;
};

enum { TERMINAL_ROWS = 24, LARGEST = 20000, FINEST = 1200 };

static int draw(const struct plot_command *o, const struct plot *plot)
{
	if (!o->out)
		return plot_to_terminal(plot, stdout,
					o->size.width ? o->size.width : terminal_width(stdout),
					o->size.height ? o->size.height : TERMINAL_ROWS,
					terminal_color(stdout));
	if (plot_to_file(plot, o->out, &o->size) < 0)
		return -1;
	fprintf(stderr, "memlog: wrote %s\n", o->out);
	return 0;
}

static int draw_kind(const struct plot_command *o, const struct plot_input *in)
{
	const struct plot_kind *kind = plot_kind_find(o->kind, in);
	struct plot plot;

	if (!kind)
		return -1;
	if (in->runs > 1 && !kind->several)
		return error_usage("memlog plot: %zu runs fit, and a picture of kind %s has one; "
				   "name it (see memlog runs)",
				   in->runs, kind->name);
	return kind->draw(&plot, in) || draw(o, &plot) ? -1 : 0;
}

static int run(const struct plot_command *o, const struct arguments *names)
{
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	struct loaded runs = LOADED_INIT;
	struct arena arena = ARENA_INIT;
	int rc;

	options.capacity = o->capacity;
	rc = loaded_read(&runs, o->common, names, &options);
	if (!rc)
		rc = draw_kind(o, &(struct plot_input){ runs.at, runs.len, &o->scope, &arena });
	arena_release(&arena);
	loaded_release(&runs);
	return rc;
}

static int check(struct plot_command *o)
{
	const struct plot_size *s = &o->size;

	if (s->width < 0 || s->height < 0 || s->width > LARGEST || s->height > LARGEST)
		return error_usage("memlog plot: --width and --height go from 1 to %d", LARGEST);
	if (s->dpi < 0 || s->dpi > FINEST)
		return error_usage("memlog plot: --dpi goes from 1 to %d", FINEST);
	if (o->from < 0 || o->to < 0 || (o->to && o->to < o->from))
		return error_usage("memlog plot: --from and --to are points from 1 on, in order");
	o->scope.from = o->from;
	o->scope.to = o->to;
	o->scope.device = o->device;
	o->scope.pid = o->pid;
	o->scope.units = common_units(o->common);
	return 0;
}

int cmd_plot(const struct command *self, int argc, const char **argv)
{
	struct common common;
	struct plot_command o = { .common = &common,
				  .capacity = QUANTITY_UNKNOWN,
				  .scope = PLOT_SCOPE_ALL,
				  .device = -1,
				  .pid = -1 };
	struct arena arena = ARENA_INIT;
	const char *kinds = arena_printf(&arena, "%s; default: what suits the run",
					 plot_kind_names(&arena));
	const struct option table[] = {
		{ "out", 'o', OPT_TEXT, &o.out, "FILE",
		  ".png, .svg or .pdf; without it, in the terminal" },
		{ "kind", 'k', OPT_TEXT, &o.kind, "KIND", kinds },
		{ "from", 0, OPT_INT, &o.from, "N", "first point (1)" },
		{ "to", 0, OPT_INT, &o.to, "N", "last point" },
		{ "position", 0, OPT_TEXT, &o.scope.position, "TEXT",
		  "points at places that hold the text: train.py:105" },
		{ "device", 0, OPT_INT, &o.device, "N", "this GPU only" },
		{ "pid", 0, OPT_INT, &o.pid, "N", "this process only" },
		{ "counts", 0, OPT_FLAG, &o.scope.counts, NULL,
		  "tensors: how many, not how many bytes" },
		{ "capacity", 0, OPT_SIZE, &o.capacity, "SIZE",
		  "memory that may be used; default: what the log says" },
		{ "width", 0, OPT_INT, &o.size.width, "N",
		  "pixels (1200), or columns of the terminal" },
		{ "height", 0, OPT_INT, &o.size.height, "N",
		  "pixels (700), or lines of the terminal" },
		{ "dpi", 0, OPT_INT, &o.size.dpi, "N", ".png: finer than 96 dots an inch" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc)
		rc = check(&o);
	if (!rc)
		rc = run(&o, &rest);
	arguments_release(&rest);
	arena_release(&arena);
	return rc < 0 ? -1 : EXIT_FINE;
}
