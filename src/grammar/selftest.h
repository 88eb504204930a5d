#ifndef GRAMMAR_SELFTEST_H
#define GRAMMAR_SELFTEST_H

#include <stddef.h>

#include "grammar/grammar.h"

/*
 * Runs a dialect's samples against its expectations.  The dialect is tried alone, as a log of the
 * sample's given lines and the sample itself.
 */
struct selftest {
	size_t passed, failed;
	/* Called for each failure with "FILE:LINE: what", perhaps of several lines. */
	void (*failure)(void *context, const char *text);
	void *context;
};

/* Counts into *test; a rule that no sample reaches is a failure.  0, or -1 for a pattern that gave
 * up. */
int selftest_run(struct selftest *test, const struct grammars *grammars,
		 const struct dialect *dialect);

#endif
