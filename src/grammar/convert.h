#ifndef GRAMMAR_CONVERT_H
#define GRAMMAR_CONVERT_H

#include "base/timestamp.h"
#include "grammar/grammar.h"

/*
 * Text of a field -> its value, by the field's type and the rule's units and time formats.
 * Sets the field in the record; a text without a value becomes VALUE_NONE or VALUE_BAD.
 */
struct conversion {
	const struct dialect *dialect;
	const struct rule *rule;
	struct zone zone;
};

/* `unit`: bytes named beside the number (a capture, a column), or 0. */
void convert(const struct conversion *c, struct record *record, enum field field, struct span text,
	     int64_t unit);

/* The canonical text of a value, for expectations and `formats explain`; valid until the next call
 * with the same buffer. */
struct strbuf;
void convert_back(const struct value *value, enum field field, struct strbuf *out);

#endif
