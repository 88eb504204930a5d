#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/point.h"
#include "model/record.h"

/*
 * Records -> points: the only stage with a memory.  It gathers the lines that belong to one point,
 * keeps the set of live tensors, measures units, splits runs and checks the log against itself.
 *
 *	replay_open() -> replay_record() or replay_blank() for each line -> replay_finish() ->
 *replay_close()
 *
 * Points come out through the sink as soon as they are complete.  Each function returns 0, or -1
 * when the sink does.
 */
struct replay;

void replay_open(struct replay **out, const struct point_sink *sink);
void replay_close(struct replay *replay);

int replay_record(struct replay *replay, const struct record *record);

/* Blank lines tell on which side of a point its rows stand. */
void replay_blank(struct replay *replay);

/* A note from elsewhere (the text of the file, the grammar), in its place among the points. */
int replay_note(struct replay *replay, int64_t line, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The end of the log. */
int replay_finish(struct replay *replay);

/* Points sent so far. */
int64_t replay_points(const struct replay *replay);

#endif
