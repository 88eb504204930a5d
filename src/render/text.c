#include "render/text.h"

#include <wchar.h>

/* Length of the sequence that a lead byte opens, and the smallest code it may spell. */
static int sequence(unsigned char lead, uint32_t *code, uint32_t *least)
{
	static const struct {
		unsigned char mask, bits;
		uint32_t least;
	} forms[] = { { 0x80, 0x00, 0 },
		      { 0xe0, 0xc0, 0x80 },
		      { 0xf0, 0xe0, 0x800 },
		      { 0xf8, 0xf0, 0x10000 } };

	for (int i = 0; i < 4; i++) {
		if ((lead & forms[i].mask) == forms[i].bits) {
			*code = lead & (unsigned char)~forms[i].mask;
			*least = forms[i].least;
			return i + 1;
		}
	}
	return 0;
}

static bool decode(struct span text, struct glyph *glyph)
{
	uint32_t code = 0, least = 0;
	int len = sequence((unsigned char)text.ptr[0], &code, &least);

	if (!len || (size_t)len > text.len)
		return false;
	for (int i = 1; i < len; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];

		if ((byte & 0xc0) != 0x80)
			return false;
		code = code << 6 | (byte & 0x3f);
	}
	if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return false;
	*glyph = (struct glyph){ { text.ptr, (size_t)len }, code, true };
	return true;
}

bool text_next(struct span *rest, struct glyph *glyph)
{
	if (!rest->len)
		return false;
	if (!decode(*rest, glyph))
		*glyph = (struct glyph){ { rest->ptr, 1 }, (unsigned char)rest->ptr[0], false };
	*rest = span_skip(*rest, glyph->bytes.len);
	return true;
}

int glyph_width(const struct glyph *glyph)
{
	int width = glyph->valid ? wcwidth((wchar_t)glyph->code) : 1;

	return width < 0 ? 1 : width;
}

bool glyph_unsafe(const struct glyph *glyph)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0000, 0x001f },   /* C0 */
		{ 0x007f, 0x009f },   /* DEL, C1 */
		{ 0x00ad, 0x00ad },   /* soft hyphen */
		{ 0x061c, 0x061c },   /* bidi */
		{ 0x180e, 0x180e },   /* zero width */
		{ 0x200b, 0x200f },   /* zero width, bidi */
		{ 0x2028, 0x202e },   /* line separators, bidi */
		{ 0x2060, 0x206f },   /* zero width, bidi */
		{ 0xfeff, 0xfeff },   /* byte order mark */
		{ 0xfff9, 0xfffb },   /* annotations */
		{ 0xe0000, 0xe007f }, /* tags */
	};

	if (!glyph->valid)
		return true;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (glyph->code >= ranges[i].first && glyph->code <= ranges[i].last)
			return true;
	}
	return false;
}

void text_for_terminal(struct strbuf *out, struct span text)
{
	struct glyph glyph;

	while (text_next(&text, &glyph)) {
		if (!glyph_unsafe(&glyph))
			strbuf_addspan(out, glyph.bytes);
		else if (glyph.code <= 0xff)
			strbuf_addf(out, "\\x%02x", (unsigned)glyph.code);
		else
			strbuf_addf(out, "\\u%04x", (unsigned)glyph.code);
	}
}

void text_repair(struct strbuf *out, struct span text)
{
	struct glyph glyph;

	while (text_next(&text, &glyph)) {
		if (glyph.valid)
			strbuf_addspan(out, glyph.bytes);
		else
			strbuf_adds(out, "\xef\xbf\xbd");
	}
}

void text_strip(struct strbuf *out, struct span text)
{
	struct glyph glyph;

	while (text_next(&text, &glyph)) {
		if (!glyph_unsafe(&glyph))
			strbuf_addspan(out, glyph.bytes);
	}
}

int text_width(struct span text)
{
	struct glyph glyph;
	int width = 0;

	while (text_next(&text, &glyph))
		width += glyph_width(&glyph);
	return width;
}

void text_shorten(struct strbuf *out, struct span text, int columns)
{
	int width = text_width(text), head, tail_from, at = 0;
	bool cut = false;
	struct glyph glyph;

	if (width <= columns) {
		strbuf_addspan(out, text);
		return;
	}
	head = columns / 2;
	tail_from = width - (columns - 1 - head);
	while (text_next(&text, &glyph)) {
		int step = glyph_width(&glyph);
		bool keep = !cut ? at + step <= head : at >= tail_from;

		if (keep)
			strbuf_addspan(out, glyph.bytes);
		else if (!cut)
			strbuf_adds(out, "…");
		cut |= !keep;
		at += step;
	}
}
