#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Borrowed text: not owned, not NUL-terminated.  Who lends it says until when it is valid.
 * A span with a null pointer means "no text"; SPAN_EMPTY_TEXT means text of no characters.
 */
struct span {
	const char *ptr;
	size_t len;
};

#define SPAN_NONE       ((struct span){ NULL, 0 })
#define SPAN_EMPTY_TEXT ((struct span){ "", 0 })
#define SPAN_LITERAL(s) ((struct span){ (s), sizeof(s) - 1 })
/* For printf("%.*s", SPAN_ARG(span)). */
#define SPAN_ARG(s) (int)(s).len, (s).ptr ? (s).ptr : ""

static inline struct span span_of(const char *text)
{
	return (struct span){ text, text ? strlen(text) : 0 };
}

static inline bool span_equal(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || !memcmp(a.ptr, b.ptr, a.len));
}

static inline bool span_is(struct span a, const char *text)
{
	return span_equal(a, span_of(text));
}

static inline bool span_starts(struct span a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.len >= n && (n == 0 || !memcmp(a.ptr, prefix, n));
}

static inline struct span span_skip(struct span a, size_t n)
{
	n = n < a.len ? n : a.len;
	return n ? (struct span){ a.ptr + n, a.len - n } : a;
}

/* The same of texts that may be NULL, which is like NULL alone. */
static inline bool text_equal(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Without blanks (space, tab, CR) at either end. */
struct span span_trim(struct span a);

/* The text before the first `c`; *rest gets what follows it, or SPAN_NONE if there is none. */
struct span span_split(struct span a, char c, struct span *rest);

/* The first word (blanks separate); *rest gets the remainder without leading blanks. */
struct span span_word(struct span a, struct span *rest);

#endif
