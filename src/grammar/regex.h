#ifndef GRAMMAR_REGEX_H
#define GRAMMAR_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

/*
 * PCRE2 behind one door.  Subjects must be valid UTF-8 (ingest/ sees to that), which spares the
 * check on each match.  Match, depth and heap limits make a hostile pattern fail instead of hang.
 */
struct regex;

enum { REGEX_MAX_GROUPS = 64 };

struct regex_match {
	size_t groups;
	struct span group[REGEX_MAX_GROUPS]; /* [0]: the whole match; SPAN_NONE: took no part */
};

/* `anchored`: matches at the start of the subject only.  On failure returns -1 with PCRE2's
 * sentence as the error text and *offset at the place in the pattern. */
int regex_compile(struct regex **out, struct span pattern, bool anchored, size_t *offset);
void regex_free(struct regex *regex);

/* 1 a match, 0 none, -1 a limit was passed (the error text says so). */
int regex_find(const struct regex *regex, struct span subject, struct regex_match *match);

/* Could text that begins with the subject match, where the subject alone may not: 1 yes, 0 no. */
int regex_begins(const struct regex *regex, struct span subject);

/* How many leading bytes of the subject an anchored pattern can still take: for messages. */
size_t regex_reach(const struct regex *regex, struct span subject);

/*
 * For messages about a subject that does not match: how many of its bytes were taken where an attempt
 * came farthest into the pattern; *wanted is the pattern from there on, as long as the regex lives.
 */
size_t regex_stop(const struct regex *regex, struct span subject, struct span *wanted);

/* Names of capture groups: calls fn for each (name, number). */
void regex_names(const struct regex *regex,
		 void (*fn)(void *context, const char *name, unsigned group), void *context);

/* Bit b of bits[b / 8] is set if a match may start with byte b; a match may be empty: all set. */
void regex_first_bytes(const struct regex *regex, uint8_t bits[32]);

#endif
