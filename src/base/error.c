#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The one process-wide state: see the header. */
static char text[2048];
static enum error_kind kind;

static int set(enum error_kind k, const char *fmt, va_list ap)
{
	char said[sizeof(text)];

	/* What is said may quote the text that was there. */
	vsnprintf(said, sizeof(said), fmt, ap);
	memcpy(text, said, strlen(said) + 1);
	kind = k;
	return -1;
}

#define ERROR_FUNCTION(name, k) \
	int name(const char *fmt, ...) \
	{ \
		va_list ap; \
\
		va_start(ap, fmt); \
		set(k, fmt, ap); \
		va_end(ap); \
		return -1; \
	}

ERROR_FUNCTION(error_set, ERROR_TROUBLE)
ERROR_FUNCTION(error_usage, ERROR_USAGE)
ERROR_FUNCTION(error_input, ERROR_INPUT)
ERROR_FUNCTION(error_interrupted, ERROR_INTERRUPTED)

const char *error_text(void)
{
	return text;
}

enum error_kind error_kind(void)
{
	return kind;
}
