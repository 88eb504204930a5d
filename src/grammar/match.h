#ifndef GRAMMAR_MATCH_H
#define GRAMMAR_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/timestamp.h"
#include "grammar/grammar.h"
#include "model/line.h"
#include "model/record.h"

/*
 * Lines -> records: the first rule that takes a line, its captures as typed fields.
 *
 * Each line goes to the rule that knows it, whatever dialect that is of: dialects that took headers
 * and points lately are asked first.  The state across lines is what the dialect files ask for:
 * carried fields, sections, open tables, the last line that nobody knew.
 *
 *	matcher_open() -> matcher_detect() on the first lines -> matcher_line() for each ->
 *matcher_close()
 */
struct matcher;

struct match_options {
	struct zone zone;
	const char *only;    /* name of the one dialect to use, or NULL */
	const char *columns; /* header for a table printed without one, or NULL */
};

/* -1: no such dialect, or no table has such columns. */
int matcher_open(struct matcher **out, const struct grammars *grammars,
		 const struct match_options *options);
void matcher_close(struct matcher *matcher);

/* Orders the dialects by how many of these lines each takes; sets the state back to the start. */
int matcher_detect(struct matcher *matcher, const struct span *lines, size_t n);

/* How the line was taken; NULL rule: it was not. */
struct match_result {
	const struct dialect *dialect;
	const struct rule *rule;
	bool repaired;
};

/*
 * 1 and *record if a rule took the line, 0 if none did, -1 if a pattern passed its limits.
 * The record's text is valid until the next call.  `result` may be NULL.
 */
int matcher_line(struct matcher *matcher, const struct line *line, struct record *record,
		 struct match_result *result);

/* The rule that came nearest to taking an unmatched line, and how many of its bytes it took. */
const struct rule *matcher_nearest(const struct matcher *matcher, struct span text,
				   const struct dialect **dialect, size_t *reach);

#endif
