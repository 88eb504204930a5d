#ifndef CMD_LOADED_H
#define CMD_LOADED_H

#include "analysis/analysis.h"
#include "cli/options.h"
#include "model/finding.h"
#include "model/timeline.h"
#include "store/store.h"

/*
 * Several runs at once, read and judged: for commands that put runs beside each other.  The store
 * stays open until the release.
 */
struct loaded_run {
	struct timeline timeline;
	struct analysis analysis;
};

struct loaded {
	struct store *store;
	struct loaded_run *at;
	size_t len;
};

#define LOADED_INIT \
	{ \
		NULL, NULL, 0 \
	}

struct common;

/* The runs that `names` names (none: the latest import's).  Release in every case. */
int loaded_read(struct loaded *out, const struct common *common, const struct arguments *names,
		const struct analysis_options *options);
void loaded_release(struct loaded *loaded);

#endif
