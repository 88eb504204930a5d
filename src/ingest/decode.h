#ifndef INGEST_DECODE_H
#define INGEST_DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include "ingest/source.h"

/*
 * The bytes of a source as UTF-8: those of a UTF-8 source unchanged and unchecked, those of another
 * encoding converted by iconv.  A byte order mark stays, as U+FEFF.
 */
struct decode;

/* Stands before each byte that iconv could not convert, which is given as the four characters \xd6;
 * valid UTF-8 has no such byte. */
enum { DECODE_BAD = 0xff };

/*
 * `encoding` NULL: by byte order mark; without one UTF-16 if every other byte is NUL, else UTF-8.
 * -1 and a usage error for an encoding that iconv does not know; or the source's error.  The source
 * must outlive it.
 */
int decode_open(struct decode **out, struct source *source, const char *encoding);

/* The next bytes, valid until the next call: 1, 0 at the end, -1 for the source's error. */
int decode_read(struct decode *decode, const char **data, size_t *len);

/* The encoding used; whether the bytes come from iconv; whether a byte order mark stood first. */
const char *decode_encoding(const struct decode *decode);
bool decode_converts(const struct decode *decode);
bool decode_had_bom(const struct decode *decode);

/* NULL is fine. */
void decode_close(struct decode *decode);

#endif
