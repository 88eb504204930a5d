#ifndef GRAMMAR_GRAMMAR_H
#define GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"
#include "grammar/regex.h"
#include "model/record.h"

/*
 * Dialects as they are loaded: what grammar/README.md describes, compiled.
 * Everything lives in the grammars' arena, but for the patterns, until grammars_free().
 */

/* A capture group, or a column of a table, that becomes a field or names a field's unit. */
struct capture {
	unsigned group;
	enum field field;
	bool is_unit;
	unsigned unit_group; /* of the capture FIELD_unit beside it; 0: none */
};

struct field_unit {
	enum field field;
	int64_t bytes;
	bool measured;
};

struct field_text {
	enum field field;
	const char *text;
};

/* A list of texts; `at` lies in the arena. */
struct texts {
	const char **at;
	size_t len;
};

/* A line the dialect's author wrote down, with what rule must make of it. */
struct rule_sample {
	struct texts given;
	struct span text;
	int file_line;
	struct texts expect; /* whole "field=value …" lines */
	int expect_line;
};

enum label_mode { LABEL_NONE, LABEL_PREVIOUS, LABEL_PREVIOUS_ENDS };

struct rule_column {
	enum field field;
	int64_t unit; /* bytes, 0: by the pattern's `unit` group, the rule or the cell */
	struct regex *name;
};

/* What may stand before a line, and the fields that it holds. */
struct line_prefix {
	struct regex *match;
	struct capture *capture;
	size_t captures;
};

struct rule {
	const char *name;
	int file_line;
	bool is_table;
	enum record_kind kind;
	enum boundary boundary;
	struct regex *match; /* of a table: its header */
	struct capture *capture;
	size_t captures;
	unsigned rest; /* group that is read again as a line of its own; 0: none */
	size_t wrap;   /* lines below that may be needed to complete a match */
	struct field_unit *unit;
	size_t units;
	struct field_text *constant;
	size_t constants;
	struct texts time;
	const char *code;
	uint64_t carry, forget; /* bits of fields */
	enum label_mode label;
	int section; /* -2: no change, -1: none, else number */
	uint64_t in; /* bit 0: in none; bit n + 1: in section n; 0: everywhere */

	/* tables */
	char split_char; /* `split` is this character with blanks around it; 0: a pattern */
	struct regex *split, *strip, *row, *skip, *end;
	struct rule_column *column;
	size_t columns;
	enum field wide; /* FIELD_COUNT: none */
	const char *default_header;

	struct rule_sample *sample;
	size_t samples;
	struct rule_sample *reject;
	size_t rejects;
};

struct dialect {
	const char *name, *about;
	const char *origin; /* path of the file, or "built in" */
	int index;
	struct line_prefix *prefix;
	size_t prefixes;
	struct texts none, time, section;
	bool none_first[256]; /* bytes that a text of `none` begins with */
	struct rule *rule;
	size_t rules;
	/* Rules (not rows of tables) that may take a line, by its first byte. */
	uint32_t *first[256];
	size_t firsts[256];
};

struct grammars {
	struct arena arena;
	struct dialect **dialect;
	size_t len;
};

/* The built-in dialects, each replaced by a file of its name in user_dir (NULL or absent: none),
 * and the further files there. */
int grammars_load(struct grammars **out, const char *user_dir);
void grammars_free(struct grammars *grammars);
const struct dialect *grammars_find(const struct grammars *grammars, const char *name);

/* Adds the dialect written in `text`; `path` names it in messages.  A dialect of the same name is
 * replaced. */
int grammars_add(struct grammars *grammars, const char *path, struct span text);
/* The same for a file. */
int grammars_add_file(struct grammars *grammars, const char *path);

/* The embedded dialects: name and text of number i; false past the last. */
bool grammar_builtin(size_t i, const char **name, const char **text);

/* Fields, kinds and boundaries by name; -1: there is none. */
int field_by_name(struct span name);
extern const char *const field_names[FIELD_COUNT];
extern const char *const field_meanings[FIELD_COUNT];
extern const enum field_type field_types[FIELD_COUNT];
extern const char *const record_kind_names[RECORD_KINDS];
extern const char *const boundary_names[BOUNDARIES];

#endif
