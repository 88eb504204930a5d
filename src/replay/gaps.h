#ifndef REPLAY_GAPS_H
#define REPLAY_GAPS_H

#include "base/vec.h"
#include "model/record.h"

/*
 * Why memory has no value where it should have one, by the words of the log.
 */
struct gap {
	char *words;  /* "[N/A]" */
	bool process; /* it is a process's memory */
	int64_t line; /* the first */
	int64_t count;
};

struct gaps {
	struct gap *at;
	size_t len, cap;
};

/* Adds the record if it says that there is no value. */
void gaps_see(struct gaps *gaps, const struct record *record);
/* The sentence for a note; the caller frees it. */
char *gap_text(const struct gap *gap);
void gaps_clear(struct gaps *gaps);
void gaps_release(struct gaps *gaps);

#endif
