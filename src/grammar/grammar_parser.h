#ifndef GRAMMAR_GRAMMAR_PARSER_H
#define GRAMMAR_GRAMMAR_PARSER_H

#include "base/vec.h"
#include "grammar/grammar.h"

/*
 * A dialect file while it is read.  Private to the two files that read it: grammar_file.c goes
 * through the lines, grammar_words.c knows what each word means.
 */

/* Where a word may stand. */
enum scope { IN_DIALECT = 1, IN_RULE = 2, IN_TABLE = 4, IN_BOTH = IN_RULE | IN_TABLE };

struct parser {
	struct dialect *d;
	struct arena *arena;
	const char *path;
	struct span line, value; /* at hand */
	int number;
	VEC(struct rule) rules;
	VEC(struct line_prefix) prefixes;
	struct rule *rule;  /* being read: the last of rules */
	struct texts given; /* waiting for their sample */
};

/* A word that may begin a line; `read` takes parser.value: 0, or -1 with the complaint set. */
struct grammar_word {
	const char *word;
	unsigned scope;
	bool begins_rule;
	int (*read)(struct parser *p);
};

/* Ends with a row without a word. */
extern const struct grammar_word grammar_words[];

/* Sets the error "FILE:LINE:COLUMN: message", the line, and a caret under `at`, which points into
 * it. Returns -1. */
int parser_complain(const struct parser *p, const char *at, const char *message);
/* The same for "message 'word'". */
int parser_complain_of(const struct parser *p, const char *at, const char *message,
		       struct span word);

#endif
