#ifndef INGEST_LINES_H
#define INGEST_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "ingest/source.h"
#include "model/line.h"

/*
 * The bytes of a source as clean lines, the second stage of an import.
 *
 * A line ends at LF or CRLF.  A CR inside a line (a progress bar), and an escape sequence that
 * clears the screen or moves the cursor to another row (`watch`), end a piece of it: each piece is
 * a line of its own with the same number; pieces without text are left out, but a line always gives
 * at least one.  So numbers never fall, and each LF adds one.
 *
 * The text is valid UTF-8: bytes that are not become the four characters \xd6.  Escape sequences
 * (colours, titles), byte order marks and control characters other than TAB are taken out.
 *
 * Memory stays flat whatever comes: blocks of the source and one line.
 */
struct lines;

enum { LINES_MAX_LINE = 1024 * 1024 };

struct lines_options {
	const char *encoding; /* as iconv names it; NULL: by byte order mark, else UTF-8 */
	size_t max_line;      /* bytes of text, the rest of a longer line is dropped; 0: 1 MiB */
};

/* What the lines read so far were like.  `first_…` is a line number, 0 if there was none. */
struct lines_health {
	int64_t lines;
	int64_t invalid_lines, first_invalid_line; /* had bytes not of the encoding */
	int64_t long_lines, first_long_line;       /* were cut at max_line */
	int64_t nul_lines, first_nul_line;         /* had NUL characters */
	const char *encoding;                      /* the one used; lives as long as the lines */
	bool had_bom;
};

/*
 * `options` may be NULL.  Reads the beginning of the source, which must outlive the lines.  -1 and
 * a usage error for an encoding that is not known; or the source's error.
 */
int lines_open(struct lines **out, struct source *source, const struct lines_options *options);

/* The next line, valid until the next call: 1, 0 at the end, -1 for the source's error. */
int lines_next(struct lines *lines, struct line *out);

const struct lines_health *lines_health(const struct lines *lines);

/* After the end: whether the last line had a line end, which a killed program's may not have. */
bool lines_ended_cleanly(const struct lines *lines);

/* NULL is fine.  The source stays open. */
void lines_close(struct lines *lines);

#endif
