#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Lead bytes and the range of the byte after each: RFC 3629 section 4. */
static const struct {
	unsigned char first, last, low, high;
	int len;
} leads[] = {
	{ 0x00, 0x7f, 0x00, 0x00, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

int utf8_sequence(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t row = 0, rows = sizeof(leads) / sizeof(*leads);

	if (!len)
		return UTF8_CUT;
	while (row < rows && (p[0] < leads[row].first || p[0] > leads[row].last))
		row++;
	if (row == rows)
		return UTF8_INVALID;
	for (int i = 1; i < leads[row].len; i++) {
		unsigned char low = i == 1 ? leads[row].low : 0x80;
		unsigned char high = i == 1 ? leads[row].high : 0xbf;

		if ((size_t)i == len)
			return UTF8_CUT;
		if (p[i] < low || p[i] > high)
			return UTF8_INVALID;
	}
	return leads[row].len;
}

/* Signed, so that one comparison catches control characters and everything above ASCII. */
typedef signed char block __attribute__((vector_size(16)));

static const block blank = { 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32 };
static const block tab = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 };
static const block del = { 127, 127, 127, 127, 127, 127, 127, 127,
			   127, 127, 127, 127, 127, 127, 127, 127 };

static inline bool plain_block(const char *text)
{
	block v, odd;
	uint64_t half[2];

	memcpy(&v, text, sizeof(v));
	odd = (block)(((v < blank) & (v != tab)) | (v == del));
	memcpy(half, &odd, sizeof(half));
	return !(half[0] | half[1]);
}

static inline bool plain_byte(unsigned char c)
{
	return (c >= 0x20 && c < 0x7f) || c == '\t';
}

size_t utf8_ordinary(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t stop;

		while (len - i >= sizeof(block) && plain_block(text + i))
			i += sizeof(block);
		for (stop = i + sizeof(block); i < stop && i < len;) {
			unsigned char c = (unsigned char)text[i];
			int n = 1;

			if (c >= 0x80)
				n = utf8_sequence(text + i, len - i);
			else if (!plain_byte(c))
				n = 0;
			if (n <= 0)
				return i;
			i += (size_t)n;
		}
	}
	return i;
}

size_t utf8_valid(const char *text, size_t len)
{
	size_t i = 0;
	int n;

	while (i < len && (n = utf8_sequence(text + i, len - i)) > 0)
		i += (size_t)n;
	return i;
}
