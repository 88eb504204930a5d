#include "ingest/decode.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"

enum {
	PEEK = 1024, /* what an encoding is recognised by */
	INPUT = 32 * 1024,
	OUTPUT = 64 * 1024,
	ESCAPED = 1 + 4,       /* DECODE_BAD and \xd6 */
	LONGEST = 4 * ESCAPED, /* for the widest unit */
};

struct decode {
	struct source *source;
	char *encoding;
	iconv_t cd;
	bool converts, had_bom, ended;
	size_t unit; /* bytes to skip where iconv is lost, so that it stays in step */

	struct strbuf head; /* the first blocks, if they were too short to judge by */
	const char *raw;    /* bytes of the source still to be taken */
	size_t raw_len;

	char *in, *out;
	size_t in_at, in_len;
};

/* Longer marks stand before their own prefixes. */
static const struct {
	const char *bytes;
	size_t len;
	const char *encoding;
} marks[] = {
	{ "\xef\xbb\xbf", 3, "UTF-8" },    { "\xff\xfe\0\0", 4, "UTF-32LE" },
	{ "\0\0\xfe\xff", 4, "UTF-32BE" }, { "\xff\xfe", 2, "UTF-16LE" },
	{ "\xfe\xff", 2, "UTF-16BE" },
};

static const struct {
	const char *prefix;
	size_t unit;
} wide[] = {
	{ "UTF-16", 2 }, { "UTF16", 2 }, { "UCS-2", 2 }, { "UCS2", 2 },
	{ "UTF-32", 4 }, { "UTF32", 4 }, { "UCS-4", 4 }, { "UCS4", 4 },
};

static const char *by_mark(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (len >= marks[i].len && !memcmp(text, marks[i].bytes, marks[i].len))
			return marks[i].encoding;
	return NULL;
}

/* Text in UTF-16 has its blanks, digits and line ends as pairs of a NUL and an ASCII byte. */
static const char *by_nuls(const char *text, size_t len)
{
	size_t pairs = (len < PEEK ? len : PEEK) / 2, nuls[2] = { 0, 0 };

	for (size_t i = 0; i < 2 * pairs; i++)
		nuls[i % 2] += !text[i];
	if (2 * nuls[1] > pairs && 20 * nuls[0] < pairs)
		return "UTF-16LE";
	if (2 * nuls[0] > pairs && 20 * nuls[1] < pairs)
		return "UTF-16BE";
	return NULL;
}

static int peek(struct decode *decode)
{
	const char *data;
	size_t len;
	int got;

	while ((got = source_read(decode->source, &data, &len)) > 0) {
		if (!decode->head.len && len >= PEEK) {
			decode->raw = data;
			decode->raw_len = len;
			return 0;
		}
		strbuf_add(&decode->head, data, len);
		if (decode->head.len >= PEEK)
			break;
	}
	decode->raw = decode->head.buf;
	decode->raw_len = decode->head.len;
	return got < 0 ? -1 : 0;
}

static int choose(struct decode *decode, const char *encoding)
{
	const char *mark = by_mark(decode->raw, decode->raw_len);

	decode->had_bom = mark != NULL;
	if (!encoding)
		encoding = mark ? mark : by_nuls(decode->raw, decode->raw_len);
	if (!encoding)
		encoding = "UTF-8";
	decode->encoding = xstrdup(encoding);
	if (!strcasecmp(encoding, "UTF-8") || !strcasecmp(encoding, "UTF8"))
		return 0;
	/* To iconv an empty name is the locale's encoding. */
	decode->cd = *encoding ? iconv_open("UTF-8", encoding) : (iconv_t)-1;
	if (decode->cd == (iconv_t)-1)
		return error_usage("'%s' is not an encoding known here; use a name that iconv -l "
				   "lists, such as GB18030 or UTF-16LE",
				   encoding);
	decode->converts = true;
	decode->in = xmalloc(INPUT);
	decode->out = xmalloc(OUTPUT);
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (!strncasecmp(encoding, wide[i].prefix, strlen(wide[i].prefix)))
			decode->unit = wide[i].unit;
	return 0;
}

int decode_open(struct decode **out, struct source *source, const char *encoding)
{
	struct decode *decode = xcalloc(1, sizeof(*decode));

	*out = NULL;
	decode->source = source;
	decode->unit = 1;
	decode->head = (struct strbuf)STRBUF_INIT;
	if (peek(decode) < 0 || choose(decode, encoding) < 0) {
		decode_close(decode);
		return -1;
	}
	*out = decode;
	return 0;
}

/* Adds raw bytes behind the input that is left: 1, 0 when there are no more, -1. */
static int fill(struct decode *decode)
{
	size_t n;
	int got;

	if (!decode->raw_len && !decode->ended) {
		got = source_read(decode->source, &decode->raw, &decode->raw_len);
		if (got < 0)
			return -1;
		decode->ended = !got;
	}
	memmove(decode->in, decode->in + decode->in_at, decode->in_len - decode->in_at);
	decode->in_len -= decode->in_at;
	decode->in_at = 0;
	n = INPUT - decode->in_len < decode->raw_len ? INPUT - decode->in_len : decode->raw_len;
	if (decode->ended || !n)
		return 0;
	memcpy(decode->in + decode->in_len, decode->raw, n);
	decode->in_len += n;
	decode->raw += n;
	decode->raw_len -= n;
	return 1;
}

static size_t escape_bytes(struct decode *decode, char *out, size_t bytes)
{
	size_t len = 0;

	for (; bytes && decode->in_at < decode->in_len; bytes--) {
		unsigned char bad = (unsigned char)decode->in[decode->in_at++];

		out[len++] = (char)DECODE_BAD;
		len += (size_t)snprintf(out + len, ESCAPED, "\\x%02x", bad);
	}
	return len;
}

/* Converts until the output is nearly full or the input ends. */
static int convert(struct decode *decode, size_t *out_len)
{
	size_t room = OUTPUT;
	int got;

	while (room > LONGEST) {
		char *in = decode->in + decode->in_at, *out = decode->out + (OUTPUT - room);
		size_t left = decode->in_len - decode->in_at;
		bool done = iconv(decode->cd, &in, &left, &out, &room) != (size_t)-1;
		int why = done ? 0 : errno;

		decode->in_at = decode->in_len - left;
		if (why == E2BIG || room <= LONGEST)
			break;
		if (why == EILSEQ) {
			room -= escape_bytes(decode, out, decode->unit);
			continue;
		}
		got = fill(decode);
		if (got < 0)
			return -1;
		if (!got && decode->in_at < decode->in_len)
			room -= escape_bytes(decode, out, 1);
		else if (!got)
			break;
	}
	*out_len = OUTPUT - room;
	return 0;
}

int decode_read(struct decode *decode, const char **data, size_t *len)
{
	if (decode->converts) {
		*data = decode->out;
		if (convert(decode, len) < 0)
			return -1;
		return *len > 0;
	}
	if (!decode->raw_len)
		return source_read(decode->source, data, len);
	*data = decode->raw;
	*len = decode->raw_len;
	decode->raw_len = 0;
	return 1;
}

const char *decode_encoding(const struct decode *decode)
{
	return decode->encoding;
}

bool decode_converts(const struct decode *decode)
{
	return decode->converts;
}

bool decode_had_bom(const struct decode *decode)
{
	return decode->had_bom;
}

void decode_close(struct decode *decode)
{
	if (!decode)
		return;
	if (decode->converts)
		iconv_close(decode->cd);
	strbuf_release(&decode->head);
	free(decode->encoding);
	free(decode->in);
	free(decode->out);
	free(decode);
}
