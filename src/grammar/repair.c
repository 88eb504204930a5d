#include "grammar/repair.h"

static const struct {
	const char *from, *to;
} repairs[] = {
	{ "&lt;", "<" },         { "&gt;", ">" },          { "&quot;", "\"" },
	{ "&#39;", "'" },        { "&#x27;", "'" },        { "&apos;", "'" },
	{ "&nbsp;", " " },       { "&amp;", "&" },         { "\xc2\xa0", " " },
	{ "\xe3\x80\x80", " " }, { "\xe2\x80\x82", " " },  { "\xe2\x80\x83", " " },
	{ "\xe2\x80\x89", " " }, { "\xe2\x80\x8b", "" },   { "\xe2\x80\x8c", "" },
	{ "\xe2\x80\x8d", "" },  { "\xef\xbb\xbf", "" },   { "\xe2\x80\x98", "'" },
	{ "\xe2\x80\x99", "'" }, { "\xe2\x80\x9c", "\"" }, { "\xe2\x80\x9d", "\"" },
	{ "\xe2\x88\x92", "-" }, { "\xe2\x80\x93", "-" },  { "\xe3\x80\x82", "." },
	{ "\xe3\x80\x8a", "<" }, { "\xe3\x80\x8b", ">" },
};

/* U+FF01 … U+FF5E are the printable ASCII characters, moved by 0xfee0. */
static bool full_width(struct span s, char *plain)
{
	unsigned char b, c;
	unsigned code;

	if (s.len < 3 || (unsigned char)s.ptr[0] != 0xef)
		return false;
	b = (unsigned char)s.ptr[1];
	c = (unsigned char)s.ptr[2];
	code = 0xf000u | (unsigned)(b & 0x3f) << 6 | (c & 0x3f);
	if (code < 0xff01 || code > 0xff5e)
		return false;
	*plain = (char)(code - 0xfee0);
	return true;
}

static size_t known(struct span s, const char **to)
{
	for (size_t i = 0; i < sizeof(repairs) / sizeof(*repairs); i++) {
		if (!span_starts(s, repairs[i].from))
			continue;
		*to = repairs[i].to;
		return strlen(repairs[i].from);
	}
	return 0;
}

bool repair(struct span text, struct strbuf *out)
{
	bool changed = false;
	size_t i = 0;

	while (i < text.len && !(text.ptr[i] & 0x80) && text.ptr[i] != '&')
		i++;
	if (i == text.len)
		return false;
	strbuf_clear(out);
	strbuf_add(out, text.ptr, i);
	while (i < text.len) {
		struct span s = span_skip(text, i);
		const char *to = NULL;
		char plain;
		size_t n = 1;

		if (!(s.ptr[0] & 0x80) && s.ptr[0] != '&') {
			strbuf_addc(out, s.ptr[0]);
		} else if (full_width(s, &plain)) {
			strbuf_addc(out, plain);
			n = 3;
			changed = true;
		} else if ((n = known(s, &to)) > 0) {
			strbuf_adds(out, to);
			changed = true;
		} else {
			strbuf_addc(out, s.ptr[0]);
			n = 1;
		}
		i += n;
	}
	return changed;
}
