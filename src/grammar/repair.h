#ifndef GRAMMAR_REPAIR_H
#define GRAMMAR_REPAIR_H

#include <stdbool.h>

#include "base/span.h"
#include "base/strbuf.h"

/*
 * Undoes what blogs, issue trackers and input methods do to a log line: HTML entities, full-width
 * punctuation, special blanks, zero-width characters and typographic quotes become the plain
 * characters they stand for.  False if there was nothing to undo; *out is then not touched.
 */
bool repair(struct span text, struct strbuf *out);

#endif
