#ifndef INGEST_ESCAPE_H
#define INGEST_ESCAPE_H

/*
 * Recognises the escape sequences of terminals (ECMA-48: colours, cursor moves, window titles) byte
 * by byte, so that a sequence may cross the blocks of a stream.  Start with {0}; when a text has an
 * ESC, call escape_start() and then escape_feed() with each byte after it until it is not
 * ESCAPE_MORE.  A sequence never swallows a line end.
 */
enum escape_state {
	ESCAPE_NONE,
	ESCAPE_LEAD,       /* after ESC */
	ESCAPE_CHARSET,    /* ESC and an intermediate byte: one final byte to come */
	ESCAPE_CSI,        /* ESC [ */
	ESCAPE_STRING,     /* ESC ] and the like, up to BEL or ESC \ */
	ESCAPE_STRING_END, /* an ESC in there */
};

struct escape {
	enum escape_state state;
	int param, params; /* of CSI: the first number, how many */
};

enum escape_step {
	ESCAPE_MORE,
	ESCAPE_END,   /* this byte ended it */
	ESCAPE_BREAK, /* it did, and what follows stands elsewhere on the screen */
	ESCAPE_NOT,   /* it was broken off; this byte is not part of it */
};

void escape_start(struct escape *escape);
enum escape_step escape_feed(struct escape *escape, char byte);

#endif
