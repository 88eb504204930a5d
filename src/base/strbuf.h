#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stddef.h>

#include "base/span.h"

/*
 * Owned, growing text, always NUL-terminated.
 *
 *	struct strbuf sb = STRBUF_INIT;
 *	strbuf_addf(&sb, "%d", 5);
 *	puts(sb.buf);
 *	strbuf_release(&sb);
 *
 * `buf` is valid until the next change.  strbuf_detach() hands the text to the caller (free() it).
 */
struct strbuf {
	char *buf;
	size_t len, cap;
};

extern char strbuf_empty[];
#define STRBUF_INIT \
	{ \
		strbuf_empty, 0, 0 \
	}

void strbuf_release(struct strbuf *sb);
void strbuf_clear(struct strbuf *sb);
void strbuf_add(struct strbuf *sb, const char *data, size_t len);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_adds(struct strbuf *sb, const char *text);
void strbuf_addspan(struct strbuf *sb, struct span text);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *strbuf_detach(struct strbuf *sb);

static inline struct span strbuf_span(const struct strbuf *sb)
{
	return (struct span){ sb->buf, sb->len };
}

#endif
