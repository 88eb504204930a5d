#include <string.h>

#include "render/markup.h"
#include "render/text.h"

static const char *escape_of(char c)
{
	static const struct {
		char c;
		const char *escape;
	} escapes[] = {
		{ '<', "&lt;" },   { '>', "&gt;" },   { '&', "&amp;" }, { '"', "&quot;" },
		{ '\'', "&#39;" }, { '\n', "&#10;" }, { '\t', "&#9;" },
	};

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
		if (escapes[i].c == c)
			return escapes[i].escape;
	return NULL;
}

void xml_escape(struct strbuf *out, struct span text)
{
	struct glyph glyph;

	while (text_next(&text, &glyph)) {
		const char *escape = glyph.bytes.len == 1 ? escape_of(*glyph.bytes.ptr) : NULL;

		if (escape)
			strbuf_adds(out, escape);
		else if ((glyph.code & 0xfffe) == 0xfffe)
			strbuf_addf(out, "\\u%04x", (unsigned)glyph.code);
		else
			text_for_terminal(out, glyph.bytes);
	}
}
