#ifndef CMD_GATE_OPTIONS_H
#define CMD_GATE_OPTIONS_H

#include "analysis/gate.h"
#include "cmd/common.h"

/*
 * What a gate was asked to do: the command line over the repository's policy file.
 *
 *	struct gate_options o;
 *	int rc = gate_options_read(&o, self, argc, argv);	// 1: help was printed
 *	…
 *	gate_options_release(&o);				// in every case
 */
enum { GATE_SETTINGS = GATE_LIMIT_TYPES + 16 };

struct gate_options {
	/* As given, by the rows of gate_limit_types. */
	struct option_list given[GATE_LIMIT_TYPES];
	bool flag[GATE_LIMIT_TYPES];
	const char *baseline, *tolerance_text, *on_undecided, *today_text;
	const char *save_baseline, *config;
	bool no_config;
	int minimum;
	struct option_list reports, path_map;

	/* What it means. */
	struct gate_limit *limit;
	size_t limits;
	struct tolerance tolerance;
	enum gate_outcome undecided_means;
	int64_t today;
	struct policy policy;
	struct common common;
	struct arguments rest; /* runs */
};

int gate_options_read(struct gate_options *o, const struct command *self, int argc,
		      const char **argv);
void gate_options_release(struct gate_options *o);

#endif
