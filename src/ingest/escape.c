#include "ingest/escape.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Sequences after which text is no continuation of the text before them, by their first number. */
static const struct {
	enum escape_state state;
	char final;
	int low, high;
} breaks[] = {
	{ ESCAPE_CSI, 'H', 0, INT_MAX }, /* cursor to a position */
	{ ESCAPE_CSI, 'f', 0, INT_MAX },  { ESCAPE_CSI, 'd', 0, INT_MAX }, /* to a row */
	{ ESCAPE_CSI, 'A', 0, INT_MAX },                                   /* up, down */
	{ ESCAPE_CSI, 'B', 0, INT_MAX },  { ESCAPE_CSI, 'E', 0, INT_MAX },
	{ ESCAPE_CSI, 'F', 0, INT_MAX },  { ESCAPE_CSI, 'G', 0, 1 }, /* to the first column */
	{ ESCAPE_CSI, 'J', 2, 3 },                                   /* clear the screen */
	{ ESCAPE_LEAD, 'c', 0, INT_MAX },                            /* reset */
	{ ESCAPE_LEAD, 'E', 0, INT_MAX },                            /* next line */
};

void escape_start(struct escape *escape)
{
	*escape = (struct escape){ .state = ESCAPE_LEAD };
}

static enum escape_step finish(struct escape *escape, char final)
{
	enum escape_state state = escape->state;

	escape->state = ESCAPE_NONE;
	for (size_t i = 0; i < sizeof(breaks) / sizeof(*breaks); i++)
		if (breaks[i].state == state && breaks[i].final == final &&
		    escape->param >= breaks[i].low && escape->param <= breaks[i].high)
			return ESCAPE_BREAK;
	return ESCAPE_END;
}

static enum escape_step give_up(struct escape *escape)
{
	escape->state = ESCAPE_NONE;
	return ESCAPE_NOT;
}

static bool within(char byte, char low, char high)
{
	return byte >= low && byte <= high;
}

static enum escape_step feed_lead(struct escape *escape, char byte)
{
	if (byte == '\033')
		return ESCAPE_MORE;
	if (byte == '[')
		escape->state = ESCAPE_CSI;
	else if (byte && strchr("]PX^_", byte))
		escape->state = ESCAPE_STRING;
	else if (within(byte, ' ', '/'))
		escape->state = ESCAPE_CHARSET;
	else
		return within(byte, '0', '~') ? finish(escape, byte) : give_up(escape);
	return ESCAPE_MORE;
}

static enum escape_step feed_csi(struct escape *escape, char byte)
{
	if (within(byte, '0', '9') && !escape->params && escape->param < 10000)
		escape->param = 10 * escape->param + (byte - '0');
	escape->params += byte == ';';
	if (within(byte, ' ', '?'))
		return ESCAPE_MORE;
	return within(byte, '@', '~') ? finish(escape, byte) : give_up(escape);
}

enum escape_step escape_feed(struct escape *escape, char byte)
{
	switch (escape->state) {
	case ESCAPE_STRING_END:
		if (byte == '\\')
			return finish(escape, byte);
		escape->state = ESCAPE_LEAD;
		return feed_lead(escape, byte);
	case ESCAPE_STRING:
		if (byte == '\a')
			return finish(escape, byte);
		if (byte == '\n' || byte == '\r')
			return give_up(escape);
		if (byte == '\033')
			escape->state = ESCAPE_STRING_END;
		return ESCAPE_MORE;
	case ESCAPE_CSI:
		return feed_csi(escape, byte);
	case ESCAPE_CHARSET:
		if (within(byte, ' ', '/'))
			return ESCAPE_MORE;
		return within(byte, '0', '~') ? finish(escape, byte) : give_up(escape);
	case ESCAPE_LEAD:
		return feed_lead(escape, byte);
	case ESCAPE_NONE:
		break;
	}
	return ESCAPE_NOT;
}
