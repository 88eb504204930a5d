#ifndef REPLAY_RUN_H
#define REPLAY_RUN_H

#include "replay/block.h"
#include "replay/gaps.h"
#include "replay/live_set.h"
#include "replay/names.h"

/*
 * The state of one run, and what turns a gathered block into a point.  Private to replay/.
 */

enum { NOTE_CODES = 32, NOTES_PER_CODE = 50 };

struct run {
	const struct point_sink *sink;
	struct names *names;
	struct live_set live;
	bool begun, tracker; /* tracker: a header, a tensor row or a where-line came */
	int64_t line, started;
	bool rows;
	int64_t unit;        /* that rows print: measured, or 0 */
	int64_t totals_unit; /* that totals print, where it was found to differ, or 0 */
	int64_t off_by;      /* the latest disagreement of replay and printed total, bytes */
	const char *damage;
	const char *truncated;
	VEC(int64_t) taken;        /* lines, by dialect index */
	VEC(const char *) dialect; /* name, by dialect index */
	struct {
		const char *code;
		int64_t count;
	} notes[NOTE_CODES];
	VEC(bool) complained; /* by tensor index: its printed size was noted */
	struct gaps gaps;
	int64_t points;       /* of all runs */
	int64_t device_total; /* last one seen without a device's name */
	/* Looks at devices, with and without a name; the line of the first without. */
	int64_t named, unnamed, unnamed_line;
};

void run_init(struct run *run, const struct point_sink *sink, struct names *names);
void run_release(struct run *run);

int run_begin(struct run *run, int64_t line);
int run_end(struct run *run);
void run_count_line(struct run *run, const struct record *record);

/* Checks a row's printed size, measures the unit; `tensor` NULL: the row cannot be counted. */
int run_see_row(struct run *run, const struct record *record, const struct tensor *tensor);

/* Sends the block as a point, and empties it. */
int run_emit(struct run *run, struct block *block);

/* At most NOTES_PER_CODE of a code reach the sink; run_end() tells how many more there were. */
int run_note(struct run *run, int64_t line, const char *code, const char *text);

#endif
