#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/timestamp.h"

/*
 * The first line is a format, the second a zone, the rest the text.  What is read prints as a
 * moment that reads back as itself.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_time(int64_t time, int64_t resolution)
{
	char text[TIME_TEXT], again[TIME_TEXT];
	int64_t back = 0;

	assert(resolution >= 1);
	/* A zone may lead to before 1970, which no log is from and no format reads. */
	if (time < 0)
		return;
	time_format(again, time, resolution);
	time_format(text, time, 1);
	assert(strlen(text) < TIME_TEXT);
	assert(time_parse(span_of(text), "%Y-%m-%dT%H:%M:%S.%fZ", ZONE_UTC, &back, NULL));
	assert(back == time);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size }, format = span_split(rest, '\n', &rest),
		    name = span_split(rest, '\n', &rest);
	char *format_text = xstrndup(format.len ? format.ptr : "", format.len),
	     *name_text = xstrndup(name.len ? name.ptr : "", name.len);
	int64_t time = 0, resolution = 0;
	struct zone zone = ZONE_UTC;
	char text[TIME_TEXT];

	/* A named zone is looked up in the system's files: only offsets are our own work. */
	if (strspn(name_text, "+-:0123456789") != strlen(name_text) ||
	    zone_parse(name_text, &zone) < 0)
		zone = ZONE_UTC;
	if (time_parse(rest, format_text, zone, &time, &resolution))
		check_time(time, resolution);
	duration_format(text, time);
	free(format_text);
	free(name_text);
	return 0;
}
