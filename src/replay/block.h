#ifndef REPLAY_BLOCK_H
#define REPLAY_BLOCK_H

#include "base/vec.h"
#include "model/point.h"
#include "model/record.h"
#include "replay/live_set.h"
#include "replay/names.h"

/*
 * One point while its lines are being gathered: what it says of place, time and levels, its tensor
 * rows and its looks at devices and processes.
 */
struct block {
	bool used;    /* something is in it */
	bool placed;  /* a point line is in it: it is a point even without rows or samples */
	bool listing; /* rows are a full listing */
	bool titled;  /* the header of a table opened it: samples should follow */
	int64_t line; /* of the point line, else of the first line */
	int64_t time, time_resolution, step;
	const struct position *position;
	struct value visible, allocated, reserved; /* as printed */
	VEC(struct row) rows;
	VEC(struct sample) samples;
};

void block_init(struct block *block);
void block_release(struct block *block);
void block_clear(struct block *block);

/* What the record sees of a device or a process; false: nothing. */
bool block_sample(struct sample *out, const struct record *record, struct names *names);

/* Would this record say again what the block already says: another place, moment, level, or a
 * second look at the same device?  Then it belongs to the next point. */
bool block_repeats(const struct block *block, const struct record *record, struct names *names,
		   const struct sample *sample);

/* Does the record say that a device's or a process's memory has no value: N/A? */
bool block_has_none(const struct record *record);

/* Adds what the record says, which is no tensor row.  `sample`: what block_sample() gave, or NULL. */
void block_add(struct block *block, const struct record *record, struct names *names,
	       const struct sample *sample);

/* Adds a tensor row. */
void block_add_row(struct block *block, const struct record *record, const struct tensor *tensor);

/* Moves the rows of `from` to `to`. */
void block_move_rows(struct block *to, struct block *from);

#endif
