#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

/* The one process-wide state: see the header. */
static char text[2048];
static enum error_kind kind;

static int set(enum error_kind k, const char *fmt, va_list ap)
{
	kind = k;
	vsnprintf(text, sizeof(text), fmt, ap);
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
