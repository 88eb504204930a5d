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

/*
 * For messages about a subject that does not match: where the attempts stopped that came farthest
 * into the pattern.  `least` tells how near it was: "(.*)x" takes any text without an x, but surely
 * none.
 */
struct regex_stop {
	size_t most, least; /* bytes of the subject taken by then, over these attempts */
	struct span wanted; /* the pattern from there on; lives as long as the regex */
};

void regex_stop(struct regex *regex, struct span subject, struct regex_stop *out);

/* Names of capture groups: calls fn for each (name, number). */
void regex_names(const struct regex *regex,
		 void (*fn)(void *context, const char *name, unsigned group), void *context);

/* Bit b of bits[b / 8] is set if a match may start with byte b; a match may be empty: all set. */
void regex_first_bytes(const struct regex *regex, uint8_t bits[32]);

#endif
