#ifndef CMD_PLOT_KIND_H
#define CMD_PLOT_KIND_H

#include <stdbool.h>

#include "cmd/loaded.h"
#include "cmd/sketch.h"
#include "model/plot.h"

/*
 * The kinds of plot.  Adding one: a file with its two functions, a row in plot_kind.c, a golden
 * case plot-KIND.
 */
struct plot_input {
	const struct loaded_run *run;
	size_t runs; /* at least 1 */
	const struct plot_scope *scope;
	struct arena *arena; /* the plot lives here */
};

struct plot_kind {
	const char *name, *summary;
	bool several; /* takes more than one run */
	/* Is this the picture to show when nobody asked for a kind?  Asked in the table's order. */
	bool (*suits)(const struct plot_input *in);
	/* 0, or -1 with an error that says what the run lacks. */
	int (*draw)(struct plot *plot, const struct plot_input *in);
};

/* Ends with a row without a name. */
extern const struct plot_kind plot_kinds[];

/* By name, or the one that suits for NULL; NULL with a usage error for an unknown name. */
const struct plot_kind *plot_kind_find(const char *name, const struct plot_input *in);
/* "timeline, growth, …"; in the arena. */
const char *plot_kind_names(struct arena *arena);

bool plot_timeline_suits(const struct plot_input *in);
int plot_timeline(struct plot *plot, const struct plot_input *in);
bool plot_growth_suits(const struct plot_input *in);
int plot_growth(struct plot *plot, const struct plot_input *in);
bool plot_tensors_suits(const struct plot_input *in);
int plot_tensors(struct plot *plot, const struct plot_input *in);
bool plot_devices_suits(const struct plot_input *in);
int plot_devices(struct plot *plot, const struct plot_input *in);
bool plot_compare_suits(const struct plot_input *in);
int plot_compare(struct plot *plot, const struct plot_input *in);

#endif
