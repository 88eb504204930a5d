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
 *	matcher_open() -> matcher_detect() on the first lines ->
 *	matcher_line() for each, then matcher_more() until it has none ->
 *	matcher_end(), matcher_more() -> matcher_close()
 *
 * A line may hold several records, and a record may be wrapped over several lines: the first lines
 * of it are then held until the last has come, or until it is clear that it will not.
 */
struct matcher;

struct match_options {
	struct zone zone;
	const char *only;    /* name of the one dialect to use, or NULL */
	const char *columns; /* header for a table printed without one, or NULL */
	/* Called for each line that nobody knows, once that is clear; or NULL. */
	void (*unknown)(void *context, const struct line *line);
	void *context;
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
 * 1 and *record if a rule took the line, 0 if none did or it is held, -1 if a pattern passed its
 * limits.  The record's text is valid until the next call.  `result` may be NULL.
 */
int matcher_line(struct matcher *matcher, const struct line *line, struct record *record,
		 struct match_result *result);

/* The next record of the lines given so far: as above; 0: there is none. */
int matcher_more(struct matcher *matcher, struct record *record, struct match_result *result);

/* No record goes on below this place: a blank line, or the end of the log. */
void matcher_end(struct matcher *matcher);

/* Lines taken and not taken since the start; what is held is in neither. */
void matcher_counts(const struct matcher *matcher, int64_t *matched, int64_t *unmatched);

/* The rule that came nearest to taking an unmatched line, and where it stopped; NULL: none began. */
const struct rule *matcher_nearest(const struct matcher *matcher, struct span text,
				   const struct dialect **dialect, struct regex_stop *stop);

#endif
