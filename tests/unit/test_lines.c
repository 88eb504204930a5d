#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "ingest/lines.h"

/* Texts with NULs give their length. */
#define BYTES(s) (s), sizeof(s) - 1

/* "number:text" of each line, "|" between them. */
static void read_lines(struct strbuf *out, struct lines *lines)
{
	struct line line;
	int got;

	while ((got = lines_next(lines, &line)) > 0)
		strbuf_addf(out, "%s%d:%.*s", out->len ? "|" : "", (int)line.number,
			    SPAN_ARG(line.text));
	cr_assert_eq(got, 0, "%s", error_text());
	cr_assert_eq(lines_next(lines, &line), 0);
}

static const struct {
	const char *in;
	size_t len;
	const char *out;
	bool clean;
} cases[] = {
	{ BYTES(""), "", true },
	{ BYTES("a\nb\n"), "1:a|2:b", true },
	{ BYTES("a\nb"), "1:a|2:b", false },
	{ BYTES("\n"), "1:", true },
	{ BYTES("a\n\nb\n"), "1:a|2:|3:b", true },
	{ BYTES("a\tb \n"), "1:a\tb ", true },
	{ BYTES("a\r\n\r\nb\r\n"), "1:a|2:|3:b", true },
	{ BYTES("a\r\r\nb\n"), "1:a|2:b", true },
	{ BYTES("\r\r\nb\n"), "1:|2:b", true },
	{ BYTES("\r10%\r20%\r30%\nb\n"), "1:10%|1:20%|1:30%|2:b", true },
	{ BYTES("10%\r20%\r"), "1:10%|1:20%", false },
	{ BYTES("20%\r\n"), "1:20%", true },
	/* Byte order marks, also where files were put together. */
	{ BYTES("\xef\xbb\xbf"
		"a\nb\n"),
	  "1:a|2:b", true },
	{ BYTES("a\n\xef\xbb\xbf"
		"b\n"),
	  "1:a|2:b", true },
	{ BYTES("\xef\xbb\xbf\n"), "1:", true },
	{ BYTES("a\xef\xbb\xbf"
		"b\n"),
	  "1:a\xef\xbb\xbf"
	  "b",
	  true },
	/* Escape sequences: ECMA-48 and xterm's control sequences. */
	{ BYTES("\033[32mINFO\033[0m ok\033[1;38;5;208m!\n"), "1:INFO ok!", true },
	{ BYTES("\033]0;title\aa\033]8;;http://x\033\\b\n"), "1:ab", true },
	{ BYTES("\033]0;title\nb\n"), "1:|2:b", true },
	{ BYTES("\033Pq#0\033\\a\033_x\033\\b\n"), "1:ab", true },
	{ BYTES("\033(Ba\0337b\0338c\033=d\n"), "1:abcd", true },
	/* Sets of characters of two bytes; a string that another sequence breaks off. */
	{ BYTES("\033$(Ba\033 Fb\n"), "1:ab", true },
	{ BYTES("\033]0;title\033[31ma\n"), "1:a", true },
	{ BYTES("\033[?25la\033[?25h\033[>4;1mb\033[ qc\n"), "1:abc", true },
	{ BYTES("a\033[3\nb\n"), "1:a|2:b", true },
	{ BYTES("a\033\nb\033"), "1:a|2:b", false },
	{ BYTES("a\033\033[31mb\n"), "1:ab", true },
	{ BYTES("\033[0m"), "", true },
	{ BYTES("\033[0m\n"), "1:", true },
	{ BYTES("a\033[Kb\033[0Jc\033[20Gd\n"), "1:abcd", true },
	{ BYTES("\033[31m\xe6\x98\xbe\033[0m\xe5\xad\x98\n"), "1:\xe6\x98\xbe\xe5\xad\x98", true },
	/* A screen drawn anew begins lines of its own. */
	{ BYTES("a\033[H\033[2Jb\033[3Jc\n"), "1:a|1:b|1:c", true },
	{ BYTES("\033[H\033[Ja\n\033[H\033[Jb\n"), "1:a|2:b", true },
	{ BYTES("a\033[3;1Hb\033[Ac\033[1Gd\033ce\n"), "1:a|1:b|1:c|1:d|1:e", true },
	/* Control characters. */
	{ BYTES("a\bb\x01\x7f\fc\v\n"), "1:abc", true },
	{ BYTES("\0\0\0a\0b\n\0\n"), "1:ab|2:", true },
	/* UTF-8 (RFC 3629), and what is not: a stray byte, overlong, a surrogate, above U+10FFFF,
	   cut. */
	{ BYTES("\xc3\xa9 \xe6\x98\xbe \xf0\x9f\x98\x80\n"),
	  "1:\xc3\xa9 \xe6\x98\xbe \xf0\x9f\x98\x80", true },
	{ BYTES("caf\xe9\n"), "1:caf\\xe9", true },
	{ BYTES("\xd6\xd0\n"), "1:\\xd6\\xd0", true },
	{ BYTES("\xc0\xafz\n"), "1:\\xc0\\xafz", true },
	{ BYTES("\xe0\x80\xaf\n"), "1:\\xe0\\x80\\xaf", true },
	{ BYTES("\xed\xa0\x80\n"), "1:\\xed\\xa0\\x80", true },
	{ BYTES("\xf4\x90\x80\x80\n"), "1:\\xf4\\x90\\x80\\x80", true },
	{ BYTES("\xf0\x9f\x98\n\xff\xfe\n"), "1:\\xf0\\x9f\\x98|2:\\xff\\xfe", true },
	{ BYTES("\xe6\x98\xe6\x98\xbe\n"), "1:\\xe6\\x98\xe6\x98\xbe", true },
	{ BYTES("a\xe6\x98"), "1:a\\xe6\\x98", false },
	/* UTF-16 with and without a mark; U+663E, U+5B58, U+1F600 is D83D DE00; a lone surrogate.
	 */
	{ BYTES("\xff\xfe"
		"a\0\n\0>f\r\0\n\0"),
	  "1:a|2:\xe6\x98\xbe", true },
	{ BYTES("\xfe\xff\0a\0\n\xd8\x3d\xde\x00"), "1:a|2:\xf0\x9f\x98\x80", false },
	{ BYTES("G\0P\0U\0 \0M\0e\0m\0>f\n\0"), "1:GPU Mem\xe6\x98\xbe", true },
	{ BYTES("\0G\0P\0U\0 \0M\0e\0m\x66>\0\n"), "1:GPU Mem\xe6\x98\xbe", true },
	{ BYTES("\xff\xfe"
		"a\0\x00\xd8"
		"b\0\n\0c\0x"),
	  "1:a\\x00\\xd8b|2:c\\x78", false },
};
enum { CASES = sizeof(cases) / sizeof(*cases) };

/* Each in blocks of 1, 2, … bytes too: the result may not depend on where a block ends. */
Test(lines, cleans_and_splits)
{
	static const size_t blocks[] = { 1, 2, 3, 5, 7, 4096 };

	for (int i = 0; i < CASES; i++) {
		for (size_t b = 0; b < sizeof(blocks) / sizeof(*blocks); b++) {
			struct strbuf got = STRBUF_INIT;
			struct source *source;
			struct lines *lines;

			source_open_memory(&source, cases[i].in, cases[i].len);
			source_set_block(source, blocks[b]);
			cr_assert_eq(lines_open(&lines, source, NULL), 0);
			read_lines(&got, lines);
			cr_expect_str_eq(got.buf, cases[i].out, "case %d, block %zu: %s", i,
					 blocks[b], got.buf);
			cr_expect_eq(lines_ended_cleanly(lines), cases[i].clean, "case %d", i);
			lines_close(lines);
			source_close(source);
			strbuf_release(&got);
		}
	}
}

/*
 * The first block is looked at whole, so blocks must also end inside a text longer than that: each
 * case behind 1,100 filler lines.
 */
Test(lines, cleans_and_splits_across_blocks)
{
	enum { FILLER = 1100 };

	for (int i = 0; i < CASES; i++) {
		const char *in = cases[i].in;
		struct strbuf text = STRBUF_INIT, alone = STRBUF_INIT;
		struct source *source;
		struct lines *lines;
		struct line line;

		if (in[0] == '\xff' || in[0] == '\xfe' || (in[0] == 'G' && !in[1]) || !in[0])
			continue; /* UTF-16 */
		for (int n = 0; n < FILLER; n++)
			strbuf_adds(&text, "\n");
		strbuf_add(&text, in, cases[i].len);
		source_open_memory(&source, text.buf, text.len);
		source_set_block(source, 1);
		cr_assert_eq(lines_open(&lines, source, NULL), 0);
		for (int n = 0; n < FILLER; n++)
			cr_assert_eq(lines_next(lines, &line), 1);
		while (lines_next(lines, &line) > 0)
			strbuf_addf(&alone, "%s%d:%.*s", alone.len ? "|" : "",
				    (int)line.number - FILLER, SPAN_ARG(line.text));
		cr_expect_str_eq(alone.buf, cases[i].out, "case %d: %s", i, alone.buf);
		lines_close(lines);
		source_close(source);
		strbuf_release(&text);
		strbuf_release(&alone);
	}
}

static struct lines *open_text(struct source **source, const char *text, size_t len,
			       struct lines_options options)
{
	struct lines *lines;

	source_open_memory(source, text, len);
	cr_assert_eq(lines_open(&lines, *source, &options), 0, "%s", error_text());
	return lines;
}

static const struct {
	const char *encoding, *in;
	size_t len;
	const char *out;
} encodings[] = {
	/* "显存" is CF D4 B4 E6 in GB18030; 0x81 0x20 is no character. */
	{ "GB18030", BYTES("\xcf\xd4\xb4\xe6\n\x81 a\n"), "1:\xe6\x98\xbe\xe5\xad\x98|2:\\x81 a" },
	{ "gbk", BYTES("\xcf\xd4\n"), "1:\xe6\x98\xbe" },
	{ "GB18030", BYTES("\xcf"), "1:\\xcf" },
	{ "ISO-8859-1", BYTES("caf\xe9\n"), "1:caf\xc3\xa9" },
	{ "SHIFT_JIS", BYTES("\x82\xa0\n"), "1:\xe3\x81\x82" },
	{ "UTF-16", BYTES("\xfe\xff\0a\0\n"), "1:a" },
	{ "UTF-16LE",
	  BYTES("\xff\xfe"
		"a\0\n\0"),
	  "1:a" },
	{ "UTF-16LE", BYTES("a\0\0\0b\0\n\0"), "1:ab" },
	{ "utf-8", BYTES("\xef\xbb\xbf\xe6\x98\xbe\n"), "1:\xe6\x98\xbe" },
	{ "ASCII",
	  BYTES("a\xe9"
		"b\n"),
	  "1:a\\xe9b" },
};

Test(lines, converts_the_encoding_asked_for)
{
	for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
		struct strbuf got = STRBUF_INIT;
		struct source *source;
		struct lines *lines =
			open_text(&source, encodings[i].in, encodings[i].len,
				  (struct lines_options){ .encoding = encodings[i].encoding });

		read_lines(&got, lines);
		cr_expect_str_eq(got.buf, encodings[i].out, "%s: %s", encodings[i].encoding,
				 got.buf);
		cr_expect_str_eq(lines_health(lines)->encoding, encodings[i].encoding);
		cr_expect_eq(lines_health(lines)->invalid_lines,
			     strstr(encodings[i].out, "\\x") != NULL);
		lines_close(lines);
		source_close(source);
		strbuf_release(&got);
	}
}

/* 50,000 characters of two bytes each, more than the buffers of the conversion, at odd offsets. */
Test(lines, converts_more_than_a_buffer)
{
	struct strbuf text = STRBUF_INIT;
	struct source *source;
	struct lines *lines;
	struct line line;

	strbuf_adds(&text, "x\n");
	for (int i = 0; i < 50000; i++)
		strbuf_adds(&text, i % 7 ? "\xcf\xd4" : "\xff");
	lines = open_text(&source, text.buf, text.len,
			  (struct lines_options){ .encoding = "GB18030" });
	cr_assert_eq(lines_next(lines, &line), 1);
	cr_assert_eq(lines_next(lines, &line), 1);
	/* Every 7th of 50,000, 7,143 in all, is an escape of 4 bytes, the others are 3 bytes long.
	 */
	cr_expect_eq(line.text.len, 7143 * 4 + (50000 - 7143) * 3);
	cr_expect_eq(lines_health(lines)->invalid_lines, 1);
	cr_expect_eq(lines_health(lines)->first_invalid_line, 2);
	lines_close(lines);
	source_close(source);
	strbuf_release(&text);
}

Test(lines, an_unknown_encoding_is_a_usage_error)
{
	static const char *const names[] = { "KLINGON-8", "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct lines_options options = { .encoding = names[i] };
		struct source *source;
		struct lines *lines;

		source_open_memory(&source, BYTES("a\n"));
		cr_expect_eq(lines_open(&lines, source, &options), -1);
		cr_expect_eq(error_kind(), ERROR_USAGE);
		cr_expect(strstr(error_text(), names[i]));
		cr_expect_null(lines);
		source_close(source);
	}
}

static const struct {
	const char *in, *out;
	int64_t cut;
} long_lines[] = {
	{ "12345678\n123456789\nz\n", "1:12345678|2:12345678|3:z", 2 },
	{ "123456789012345\r\nz\n", "1:12345678|2:z", 1 },
	{ "1234567890\rab\r1234567890\n", "1:12345678|1:ab|1:12345678", 1 },
	{ "1234567890\033[Hab\n", "1:12345678|1:ab", 1 },
	{ "12345678", "1:12345678", 0 },
	{ "123456789", "1:12345678", 1 },
	{ "\033[1m12345678\033[0m\n", "1:12345678", 0 },
	/* Cut between characters: the 3rd of three bytes each would end at 9. */
	{ "\xe6\x98\xbe\xe6\x98\xbe\xe6\x98\xbe\n", "1:\xe6\x98\xbe\xe6\x98\xbe", 1 },
	{ "1\xff\xff\n", "1:1\\xff", 1 },
};

Test(lines, long_lines_are_cut)
{
	for (size_t i = 0; i < sizeof(long_lines) / sizeof(*long_lines); i++) {
		struct strbuf got = STRBUF_INIT;
		struct source *source;
		struct lines *lines = open_text(&source, long_lines[i].in, strlen(long_lines[i].in),
						(struct lines_options){ .max_line = 8 });

		read_lines(&got, lines);
		cr_expect_str_eq(got.buf, long_lines[i].out, "%s", got.buf);
		cr_expect_eq(lines_health(lines)->first_long_line, long_lines[i].cut);
		cr_expect_eq(lines_health(lines)->long_lines, long_lines[i].cut != 0);
		lines_close(lines);
		source_close(source);
		strbuf_release(&got);
	}
}

Test(lines, the_default_limit_is_one_mebibyte)
{
	size_t len = 3 * LINES_MAX_LINE;
	char *text = malloc(len);
	struct source *source;
	struct lines *lines;
	struct line line;

	memset(text, 'x', len);
	text[len - 2] = '\n';
	lines = open_text(&source, text, len, (struct lines_options){ 0 });
	cr_assert_eq(lines_next(lines, &line), 1);
	cr_expect_eq(line.text.len, 1048576);
	cr_assert_eq(lines_next(lines, &line), 1);
	cr_expect_eq(line.text.len, 1);
	cr_expect_eq(line.number, 2);
	lines_close(lines);
	source_close(source);
	free(text);
}

Test(lines, health_counts_each_line_once)
{
	static const char text[] = "ok\n\xff \xff\r\xfe\n\0\0x\0\nok\n\xff\0\nlast";
	struct strbuf got = STRBUF_INIT;
	struct source *source;
	struct lines *lines = open_text(&source, BYTES(text), (struct lines_options){ 0 });
	const struct lines_health *h = lines_health(lines);

	read_lines(&got, lines);
	cr_expect_eq(h->lines, 6);
	cr_expect_eq(h->invalid_lines, 2);
	cr_expect_eq(h->first_invalid_line, 2);
	cr_expect_eq(h->nul_lines, 2);
	cr_expect_eq(h->first_nul_line, 3);
	cr_expect_eq(h->long_lines, 0);
	cr_expect_eq(h->first_long_line, 0);
	cr_expect_str_eq(h->encoding, "UTF-8");
	cr_expect_not(h->had_bom);
	lines_close(lines);
	source_close(source);
	strbuf_release(&got);
}

static const struct {
	const char *in;
	size_t len;
	const char *encoding;
	bool bom;
} detected[] = {
	{ BYTES("plain"), "UTF-8", false },
	{ BYTES("\xef\xbb\xbf"), "UTF-8", true },
	{ BYTES("\xff\xfe"
		"a\0"),
	  "UTF-16LE", true },
	{ BYTES("\xfe\xff\0a"), "UTF-16BE", true },
	{ BYTES("\xff\xfe\0\0a\0\0\0"), "UTF-32LE", true },
	{ BYTES("a\0b\0c\0"), "UTF-16LE", false },
	{ BYTES("\0a\0b\0c"), "UTF-16BE", false },
	/* A hole in a file is no UTF-16. */
	{ BYTES("\0\0\0\0\0\0\0\0abcd"), "UTF-8", false },
	{ BYTES("ab\0c"), "UTF-8", false },
};

Test(lines, recognises_the_encoding)
{
	for (size_t i = 0; i < sizeof(detected) / sizeof(*detected); i++) {
		struct source *source;
		struct lines *lines;

		source_open_memory(&source, detected[i].in, detected[i].len);
		cr_assert_eq(lines_open(&lines, source, NULL), 0);
		cr_expect_str_eq(lines_health(lines)->encoding, detected[i].encoding, "%zu", i);
		cr_expect_eq(lines_health(lines)->had_bom, detected[i].bom, "%zu", i);
		lines_close(lines);
		source_close(source);
	}
	lines_close(NULL);
}

/* Ordinary lines are lent from the block, not copied. */
Test(lines, borrows_ordinary_text)
{
	static const char text[] =
		"plain text of more than sixteen bytes\r\n\xe6\x98\xbe\xe5\xad\x98\n";
	struct source *source;
	struct lines *lines;
	struct line line;
	size_t at = 0;

	source_open_memory(&source, BYTES(text));
	cr_assert_eq(lines_open(&lines, source, NULL), 0);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(lines_next(lines, &line), 1);
		if (!i)
			at = (size_t)line.text.ptr;
	}
	/* 37 characters, CR and LF stand between the two beginnings. */
	cr_expect_eq((size_t)line.text.ptr - at, 39);
	lines_close(lines);
	source_close(source);
}

Test(lines, passes_on_the_error_of_the_source)
{
	struct source_limits limits = { 3 };
	struct source *source;
	struct lines *lines;

	cr_assert_eq(source_open(&source, "/proc/self/maps", &limits), 0);
	cr_expect_eq(lines_open(&lines, source, NULL), -1);
	cr_expect_eq(error_kind(), ERROR_INPUT);
	source_close(source);
}
