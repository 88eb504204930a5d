#include "base/span.h"

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct span span_trim(struct span a)
{
	while (a.len && blank(a.ptr[0])) {
		a.ptr++;
		a.len--;
	}
	while (a.len && blank(a.ptr[a.len - 1]))
		a.len--;
	return a;
}

struct span span_split(struct span a, char c, struct span *rest)
{
	const char *at = a.len ? memchr(a.ptr, c, a.len) : NULL;

	if (!at) {
		*rest = SPAN_NONE;
		return a;
	}
	*rest = span_skip(a, (size_t)(at - a.ptr) + 1);
	return (struct span){ a.ptr, (size_t)(at - a.ptr) };
}

struct span span_word(struct span a, struct span *rest)
{
	size_t n = 0;

	a = span_trim(a);
	while (n < a.len && !blank(a.ptr[n]))
		n++;
	*rest = span_trim(span_skip(a, n));
	return (struct span){ a.ptr, n };
}
