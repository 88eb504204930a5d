#ifndef GRAMMAR_ASK_H
#define GRAMMAR_ASK_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "grammar/match.h"
#include "grammar/table.h"

/*
 * One line asked of all dialects.  Private to the two files of the matcher: match.c keeps the order
 * of lines and joins wrapped ones, ask.c finds the rule that takes one.
 */

struct dialect_state {
	int section;
	struct open_table table;
	uint64_t carried; /* bits of fields */
	struct value value[FIELD_COUNT];
	struct strbuf text[FIELD_COUNT]; /* what value[].text points into */
};

/* A line that waits to be asked. */
struct queued_line {
	char *text;
	size_t len;
	int64_t number;
	bool part;  /* the rest of a line that was counted */
	bool whole; /* was tried with the lines below it: in vain */
};

/* The beginning of a wrapped record. */
struct wrapped {
	const struct dialect *dialect; /* NULL: there is none */
	const struct rule *rule;
	const struct line_prefix *prefix; /* that stood before it, or NULL */
	struct strbuf text;
	struct strbuf first; /* its first line, whole */
	VEC(struct queued_line) lines;
};

struct matcher {
	const struct grammars *grammars;
	struct match_options options;
	struct dialect_state *state; /* by dialect index */
	int *order;                  /* dialect indexes, the one to ask first in front */
	size_t len;
	struct strbuf label; /* last line that nobody knew */
	struct strbuf lent;  /* the label that the record at hand has */
	struct strbuf repaired;
	struct span rest; /* of the line at hand, to be read as one of its own; or SPAN_NONE */
	struct wrapped wrapped;
	VEC(struct queued_line) queue; /* the next one last */
	char *current;                 /* text of the queued line that the record borrows from */
	int64_t matched, unmatched;
};

enum ask { ASK_UNKNOWN, ASK_TAKEN, ASK_BEGUN };

/*
 * ASK_TAKEN and *record, ASK_UNKNOWN, or -1 when a pattern gave up.  With `may_begin`, a line that
 * only begins a match of a rule with "wrap" is ASK_BEGUN: dialect, rule, prefix and text are then in
 * matcher->wrapped.
 */
int ask_line(struct matcher *matcher, struct span text, bool may_begin, struct record *record,
	     struct match_result *result);

/* The wrapped rule, on its joined text. */
int ask_wrapped(struct matcher *matcher, struct record *record, struct match_result *result);

/* Without indentation and what the dialect's prefixes cut off. */
struct span ask_without_margin(const struct dialect *dialect, struct span text);

#endif
