#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"
#include "base/strbuf.h"

/*
 * Text that came from a log, made fit for the place where it is shown.  Nothing here trusts its
 * input: any bytes may come.
 */

/* One character; bytes that are not UTF-8 come singly, with valid unset and the byte as code. */
struct glyph {
	struct span bytes;
	uint32_t code;
	bool valid;
};

/* Takes the next character off *rest; false at the end. */
bool text_next(struct span *rest, struct glyph *glyph);

/* Terminal columns of a printable character: 0 (combining), 1, or 2 (CJK, emoji). */
int glyph_width(const struct glyph *glyph);

/*
 * Must not be shown as it is: control characters (C0, DEL, C1), bytes that are not UTF-8, and what
 * reorders or hides the text around it (bidi controls, zero width, line separators, tags).
 */
bool glyph_unsafe(const struct glyph *glyph);

/* Appends `text` with unsafe characters spelled out: ESC is \x1b, U+202E is \u202e. */
void text_for_terminal(struct strbuf *out, struct span text);

/* Appends `text` as valid UTF-8 that is otherwise unchanged; U+FFFD stands for a wrong byte. */
void text_repair(struct strbuf *out, struct span text);

/* Appends `text` without its unsafe characters: for places that cannot show escapes. */
void text_strip(struct strbuf *out, struct span text);

/* Terminal columns of text that text_for_terminal() made. */
int text_width(struct span text);

/* Appends at most `columns` columns of `text`; what is left out of the middle shows as "…". */
void text_shorten(struct strbuf *out, struct span text, int columns);

#endif
