#ifndef GRAMMAR_GRAMMAR_FILE_H
#define GRAMMAR_GRAMMAR_FILE_H

#include "base/arena.h"
#include "base/span.h"
#include "grammar/grammar.h"

/*
 * Reads the .grammar text format (grammar/README.md) into *dialect, whose memory comes from the
 * arena.  -1 with "FILE:LINE:COLUMN: what is wrong", the line and a caret under the place; what was
 * compiled so far is in *dialect for the caller to free.  `path` NULL: a built-in file.
 */
int grammar_file_parse(struct dialect *dialect, struct arena *arena, const char *path,
		       struct span text);

#endif
