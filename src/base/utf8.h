#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Which bytes of a log may stand in a line as they are. */

enum {
	UTF8_INVALID = 0,
	UTF8_CUT = -1, /* valid so far, but the text ends inside */
};

/* The length of the UTF-8 sequence that `text` begins with (RFC 3629), or one of the above. */
int utf8_sequence(const char *text, size_t len);

/* How much of the beginning is whole UTF-8 sequences, control characters among them. */
size_t utf8_valid(const char *text, size_t len);

/* How much of the beginning is TAB, printable ASCII and whole UTF-8 sequences. */
size_t utf8_ordinary(const char *text, size_t len);

#endif
