#ifndef BASE_TIMESTAMP_H
#define BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/* Points in time: nanoseconds since 1970-01-01T00:00:00Z.  Unknown is TIME_UNKNOWN. */
#define TIME_UNKNOWN INT64_MIN
#define SECOND       INT64_C(1000000000)

/*
 * The zone that a log's local times are in.  Logs rarely say: the default is UTC, which keeps the
 * printed digits, and --tz sets another.  Named zones come from the system's zone files.
 */
struct zone {
	const char *name; /* NULL: a fixed offset */
	int64_t offset;   /* seconds east of UTC */
};

#define ZONE_UTC ((struct zone){ NULL, 0 })

/* "UTC", "+08:00", "-5", "Asia/Shanghai" (kept: the text must outlive the zone). */
int zone_parse(const char *text, struct zone *zone);

/*
 * Reads `text` by a format of %Y %y %m %d %e %b %a %H %I %p %M %S %s (seconds since 1970) %f
 * (fraction of a second after its point, 1 to 9 digits) and literal characters; a blank matches any
 * run of blanks.  %b knows the months of the locales that Python's setlocale() brings into such logs.
 * Fields that the format lacks default to 1970-01-01 00:00:00.  *resolution (may be NULL) gets the
 * step of the last field read, in nanoseconds.  False if the text does not fit.
 */
bool time_parse(struct span text, const char *format, struct zone zone, int64_t *time,
		int64_t *resolution);

enum { TIME_TEXT = 40 };

/* "2026-11-29T16:22:56.130Z", as many decimals as `resolution` needs; "" if unknown. */
const char *time_format(char out[TIME_TEXT], int64_t time, int64_t resolution);

/* A span of time as people say it: "8.0 s", "42.0 min", "3.5 h", "2.0 days". */
const char *duration_format(char out[TIME_TEXT], int64_t nanoseconds);

#endif
