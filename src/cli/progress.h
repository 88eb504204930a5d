#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * One line on the terminal that says how far a long job is.  Quick jobs never show it: the first
 * line comes after a second, then ten a second at most.
 *
 *	struct progress p;
 *	progress_init(&p, stderr, terminal_is(stderr));
 *	progress_update(&p, "run.txt", done, total);
 *	progress_finish(&p);
 */
struct progress {
	FILE *err;
	bool enabled, shown;
	int64_t next; /* when to draw again, nanoseconds of the monotonic clock */
};

void progress_init(struct progress *progress, FILE *err, bool enabled);

/* `what` is shown without its control bytes; total -1: not known. */
void progress_update(struct progress *progress, const char *what, int64_t done, int64_t total);

/* Erases the line; call it before anything else is written to the terminal. */
void progress_finish(struct progress *progress);

#endif
