#include "ingest/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "ingest/decode.h"
#include "ingest/escape.h"

/*
 * Nearly all lines of a log are ordinary text that stands whole in the block: borrow() lends them
 * from there.  Everything else goes through assemble(), which copies the text of one piece and can
 * stop and go on anywhere.
 */
enum trouble { TROUBLE_INVALID, TROUBLE_LONG, TROUBLE_NUL, TROUBLES };

struct lines {
	struct decode *decode;
	const char *at, *end; /* of the block, what is still to be read */
	const char *newline;  /* the first LF at or after `at`, `end` if there is none */
	bool ended;
	size_t max_line;

	int64_t number;
	bool noted[TROUBLES]; /* of this line */
	bool delivered;       /* a piece of this line */

	/* The piece being assembled. */
	struct strbuf text;
	bool handed;   /* the text was lent: it is over with the next call */
	bool skipping; /* the text is full */
	struct escape escape;
	char partial[4]; /* a UTF-8 sequence that the block cut */
	size_t partial_len;

	struct lines_health health;
};

static const char bom[] = "\xef\xbb\xbf";
enum { BOM = sizeof(bom) - 1 };

int lines_open(struct lines **out, struct source *source, const struct lines_options *options)
{
	struct lines *lines;
	struct decode *decode;

	*out = NULL;
	if (decode_open(&decode, source, options ? options->encoding : NULL) < 0)
		return -1;
	lines = xcalloc(1, sizeof(*lines));
	lines->decode = decode;
	lines->max_line = options && options->max_line ? options->max_line : LINES_MAX_LINE;
	lines->number = 1;
	lines->text = (struct strbuf)STRBUF_INIT;
	lines->health.encoding = decode_encoding(decode);
	lines->health.had_bom = decode_had_bom(decode);
	*out = lines;
	return 0;
}

static void note(struct lines *lines, enum trouble trouble)
{
	struct lines_health *h = &lines->health;
	const struct {
		int64_t *lines, *first;
	} tally[TROUBLES] = {
		[TROUBLE_INVALID] = { &h->invalid_lines, &h->first_invalid_line },
		[TROUBLE_LONG] = { &h->long_lines, &h->first_long_line },
		[TROUBLE_NUL] = { &h->nul_lines, &h->first_nul_line },
	};

	if (lines->noted[trouble])
		return;
	lines->noted[trouble] = true;
	if (!(*tally[trouble].lines)++)
		*tally[trouble].first = lines->number;
}

static void too_long(struct lines *lines)
{
	note(lines, TROUBLE_LONG);
	lines->skipping = true;
}

static bool is_bom(const char *text, size_t len)
{
	return len >= BOM && !memcmp(text, bom, BOM);
}

/* Whole sequences; cut between two of them where the line gets too long. */
static void append(struct lines *lines, const char *text, size_t len)
{
	size_t room = lines->max_line - lines->text.len;

	if (lines->skipping)
		return;
	/* Also in the middle: where files were put together. */
	if (!lines->text.len && is_bom(text, len)) {
		text += BOM;
		len -= BOM;
	}
	if (len > room) {
		too_long(lines);
		for (len = room; len && (text[len] & 0xc0) == 0x80;)
			len--;
	}
	strbuf_add(&lines->text, text, len);
}

static void append_invalid(struct lines *lines, const char *bytes, size_t len)
{
	note(lines, TROUBLE_INVALID);
	for (size_t i = 0; i < len && !lines->skipping; i++) {
		if (lines->max_line - lines->text.len < strlen("\\xff"))
			too_long(lines);
		else
			strbuf_addf(&lines->text, "\\x%02x", (unsigned char)bytes[i]);
	}
}

static void append_partial(struct lines *lines)
{
	append_invalid(lines, lines->partial, lines->partial_len);
	lines->partial_len = 0;
}

static bool deliver(struct lines *lines, struct line *out, struct span text)
{
	*out = (struct line){ text, lines->number };
	lines->health.lines = lines->number;
	lines->delivered = true;
	return true;
}

static bool end_piece(struct lines *lines, struct line *out)
{
	lines->skipping = false;
	if (!lines->text.len)
		return false;
	lines->handed = true;
	return deliver(lines, out, strbuf_span(&lines->text));
}

static void next_number(struct lines *lines)
{
	lines->number++;
	lines->delivered = false;
	memset(lines->noted, 0, sizeof(lines->noted));
}

static bool end_line(struct lines *lines, struct line *out)
{
	bool got = end_piece(lines, out);

	if (!lines->delivered)
		got = deliver(lines, out, SPAN_EMPTY_TEXT);
	next_number(lines);
	return got;
}

static void find_newline(struct lines *lines)
{
	lines->newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	if (!lines->newline)
		lines->newline = lines->end;
}

/* The line at `at`, if it is whole in the block and needs no change. */
static bool borrow(struct lines *lines, struct line *out)
{
	struct span text = { lines->at, 0 };

	if (lines->text.len || lines->partial_len || lines->skipping || lines->escape.state)
		return false;
	if (lines->newline < lines->at)
		find_newline(lines);
	if (lines->newline == lines->end)
		return false;
	text.len = (size_t)(lines->newline - lines->at);
	if (text.len && text.ptr[text.len - 1] == '\r')
		text.len--;
	if (is_bom(text.ptr, text.len))
		text = span_skip(text, BOM);
	if ((!text.len && lines->delivered) || text.len > lines->max_line ||
	    utf8_ordinary(text.ptr, text.len) != text.len)
		return false;
	lines->at = lines->newline + 1;
	deliver(lines, out, text);
	next_number(lines);
	return true;
}

static void finish_partial(struct lines *lines)
{
	int n;

	lines->partial[lines->partial_len] = *lines->at;
	n = utf8_sequence(lines->partial, lines->partial_len + 1);
	if (n == UTF8_INVALID) {
		append_partial(lines);
		return;
	}
	lines->at++;
	lines->partial_len++;
	if (n == UTF8_CUT)
		return;
	append(lines, lines->partial, lines->partial_len);
	lines->partial_len = 0;
}

static void take_invalid(struct lines *lines)
{
	size_t left = (size_t)(lines->end - lines->at);

	if (utf8_sequence(lines->at, left) == UTF8_CUT) {
		memcpy(lines->partial, lines->at, left);
		lines->partial_len = left;
		lines->at = lines->end;
		return;
	}
	if (decode_converts(lines->decode) && (unsigned char)*lines->at == DECODE_BAD)
		note(lines, TROUBLE_INVALID);
	else
		append_invalid(lines, lines->at, 1);
	lines->at++;
}

/* A byte that is no ordinary text; tells whether it ended a piece. */
static bool take_special(struct lines *lines, struct line *out)
{
	switch (*lines->at) {
	case '\n':
		lines->at++;
		return end_line(lines, out);
	case '\r':
		lines->at++;
		return end_piece(lines, out);
	case '\033':
		lines->at++;
		escape_start(&lines->escape);
		return false;
	case '\0':
		/* The hole that a rotated log begins with may be gigabytes long. */
		note(lines, TROUBLE_NUL);
		while (lines->at < lines->end && !*lines->at)
			lines->at++;
		return false;
	default:
		if (*lines->at & 0x80)
			take_invalid(lines);
		else
			lines->at++;
		return false;
	}
}

static bool take_escape(struct lines *lines, struct line *out)
{
	enum escape_step step = escape_feed(&lines->escape, *lines->at);

	lines->at += step != ESCAPE_NOT;
	return step == ESCAPE_BREAK && end_piece(lines, out);
}

/* On with the piece at `at` to its end or that of the block. */
static bool assemble(struct lines *lines, struct line *out)
{
	while (lines->at < lines->end) {
		size_t run;

		if (lines->escape.state) {
			if (take_escape(lines, out))
				return true;
			continue;
		}
		if (lines->partial_len) {
			finish_partial(lines);
			continue;
		}
		run = utf8_ordinary(lines->at, (size_t)(lines->end - lines->at));
		if (run)
			append(lines, lines->at, run);
		lines->at += run;
		if (!run && take_special(lines, out))
			return true;
	}
	return false;
}

/* What stands behind the last line end. */
static int last_piece(struct lines *lines, struct line *out)
{
	lines->ended = true;
	if (lines->partial_len)
		append_partial(lines);
	return end_piece(lines, out);
}

int lines_next(struct lines *lines, struct line *out)
{
	if (lines->handed)
		strbuf_clear(&lines->text);
	lines->handed = false;
	while (!lines->ended) {
		size_t len;
		int got;

		if (lines->at < lines->end) {
			if (borrow(lines, out) || assemble(lines, out))
				return 1;
			continue;
		}
		got = decode_read(lines->decode, &lines->at, &len);
		if (got < 0)
			return -1;
		if (!got)
			return last_piece(lines, out);
		lines->end = lines->at + len;
		find_newline(lines);
	}
	return 0;
}

const struct lines_health *lines_health(const struct lines *lines)
{
	return &lines->health;
}

bool lines_ended_cleanly(const struct lines *lines)
{
	return !lines->delivered;
}

void lines_close(struct lines *lines)
{
	if (!lines)
		return;
	decode_close(lines->decode);
	strbuf_release(&lines->text);
	free(lines);
}
