#ifndef CMD_COMMON_H
#define CMD_COMMON_H

#include "base/units.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "model/site.h"
#include "model/subject.h"
#include "model/timeline.h"
#include "model/view.h"
#include "store/store.h"

/*
 * What commands share: the options that all of them take, opening the database, printing a view.
 */

struct common {
	const char *db, *format, *units;
	struct option table[4];
};

/*
 * Parses the command's own options and the common ones.  1: help was printed, the command is done.
 * `own` may be NULL.  Release `rest` in every case.
 */
int common_parse(struct common *common, const struct command *self, const struct option *own,
		 int argc, const char **argv, struct arguments *rest);

/* Opens the database; says on stderr where it was brought up to date. */
int common_store(const struct common *common, enum store_mode mode, struct store **out);
int common_store_waiting(const struct common *common, enum store_mode mode, int seconds,
			 struct store **out);

/*
 * Opens the database for reading and calls fn for each run that `names` names (none: the latest
 * import's), one at a time.  fn returns 0, or -1 to stop.
 */
struct run_visit {
	struct store *store;
	struct timeline *timeline; /* valid during the call */
	const struct run_row *row; /* the same */
	size_t run, runs;          /* from 0, of how many */
};
int common_each_run(const struct common *common, const struct arguments *names,
		    int (*fn)(void *context, const struct run_visit *visit), void *context);

/* Reads one run, joined with the other logs it was imported with; timeline_release() it. */
int common_read_timeline(struct store *store, int64_t run, struct timeline *out);

/* Prints the view in the format asked for. */
int common_print(const struct common *common, struct view *view);
/* Will a person read it: text that wraps, or a table of everything? */
bool common_is_for_people(const struct common *common);
/* Is it json: are numbers wanted that only machines read? */
bool common_is_json(const struct common *common);
enum size_style common_units(const struct common *common);

/* The log prints shares of cards whose size it does not tell: growth of the device is in hundredths
 * of a percent, not in bytes. */
bool device_in_percent(const struct timeline *timeline);

/* "1 point", "2 points". */
const char *plural(struct arena *arena, int64_t n, const char *noun);

#endif
