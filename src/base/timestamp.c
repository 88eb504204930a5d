#include "base/timestamp.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"

struct fields {
	int64_t year, month, day, hour, minute, second, nanosecond;
	int64_t resolution;
};

/* Longer names stand before their own prefixes. */
static const struct {
	const char *name;
	int month;
} months[] = {
	{ "Jan", 1 },   { "Feb", 2 },   { "Mar", 3 },   { "Apr", 4 },   { "May", 5 },
	{ "Jun", 6 },   { "Jul", 7 },   { "Aug", 8 },   { "Sep", 9 },   { "Oct", 10 },
	{ "Nov", 11 },  { "Dec", 12 },  { "janv.", 1 }, { "févr.", 2 }, { "mars", 3 },
	{ "avr.", 4 },  { "mai", 5 },   { "juin", 6 },  { "juil.", 7 }, { "août", 8 },
	{ "sept.", 9 }, { "oct.", 10 }, { "nov.", 11 }, { "déc.", 12 }, { "Mär", 3 },
	{ "Okt", 10 },  { "Dez", 12 },  { "янв", 1 },   { "фев", 2 },   { "мар", 3 },
	{ "апр", 4 },   { "май", 5 },   { "мая", 5 },   { "июн", 6 },   { "июл", 7 },
	{ "авг", 8 },   { "сен", 9 },   { "окт", 10 },  { "ноя", 11 },  { "дек", 12 },
	{ "10月", 10 }, { "11月", 11 }, { "12月", 12 }, { "1月", 1 },   { "2月", 2 },
	{ "3月", 3 },   { "4月", 4 },   { "5月", 5 },   { "6月", 6 },   { "7月", 7 },
	{ "8月", 8 },   { "9月", 9 },
};

/* Days since 1970-01-01 of a proleptic Gregorian date (H. Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms"). */
static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
	int64_t era, yoe, doy, doe;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
	return era * 146097 + doe - 719468;
}

int zone_parse(const char *text, struct zone *zone)
{
	char path[256];
	int hours, minutes = 0, used = 0;

	*zone = ZONE_UTC;
	if (!strcasecmp(text, "UTC") || !strcmp(text, "Z"))
		return 0;
	if ((text[0] == '+' || text[0] == '-') && isdigit((unsigned char)text[1])) {
		if (sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &used) < 2)
			sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used);
		if (!used)
			sscanf(text + 1, "%2d%n", &hours, &used);
		if (text[1 + used] || hours > 14 || minutes > 59)
			return error_usage(
				"'%s' is not a time zone; use UTC, +08:00 or a name like "
				"Asia/Shanghai",
				text);
		zone->offset = (hours * 60 + minutes) * 60;
		if (text[0] == '-')
			zone->offset = -zone->offset;
		return 0;
	}
	snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", text);
	if (!isalpha((unsigned char)text[0]) || strstr(text, "..") || access(path, R_OK))
		return error_usage(
			"'%s' is not a time zone known here; use UTC, +08:00 or a name like "
			"Asia/Shanghai",
			text);
	zone->name = text;
	setenv("TZ", text, 1);
	tzset();
	return 0;
}

static bool read_int(struct span *s, int max_digits, int64_t *out)
{
	int n = 0;

	*out = 0;
	while (n < max_digits && s->len && isdigit((unsigned char)s->ptr[0])) {
		*out = *out * 10 + (s->ptr[0] - '0');
		*s = span_skip(*s, 1);
		n++;
	}
	return n > 0;
}

static void skip_blanks(struct span *s)
{
	while (s->len && (s->ptr[0] == ' ' || s->ptr[0] == '\t'))
		*s = span_skip(*s, 1);
}

static bool read_month(struct span *s, int64_t *month)
{
	skip_blanks(s);
	for (size_t i = 0; i < sizeof(months) / sizeof(*months); i++) {
		size_t n = strlen(months[i].name);

		if (s->len < n || strncasecmp(s->ptr, months[i].name, n))
			continue;
		*month = months[i].month;
		*s = span_skip(*s, n);
		return true;
	}
	return false;
}

static bool read_fraction(struct span *s, int64_t *nanosecond, int64_t *resolution)
{
	int64_t scale = SECOND;
	size_t before = s->len, n;

	if (!read_int(s, 9, nanosecond))
		return false;
	for (n = before - s->len; n; n--)
		scale /= 10;
	*nanosecond *= scale;
	*resolution = scale;
	return true;
}

static bool read_field(struct span *s, char spec, struct fields *f)
{
	switch (spec) {
	case 'Y':
		return read_int(s, 4, &f->year);
	case 'y':
		/* POSIX strptime: 69-99 are the 1900s. */
		if (!read_int(s, 2, &f->year))
			return false;
		f->year += f->year < 69 ? 2000 : 1900;
		return true;
	case 'm':
		return read_int(s, 2, &f->month);
	case 'd':
	case 'e':
		skip_blanks(s);
		return read_int(s, 2, &f->day);
	case 'b':
		return read_month(s, &f->month);
	case 'a':
		while (s->len && s->ptr[0] != ' ')
			*s = span_skip(*s, 1);
		return true;
	case 'H':
		f->resolution = 3600 * SECOND;
		return read_int(s, 2, &f->hour);
	case 'M':
		f->resolution = 60 * SECOND;
		return read_int(s, 2, &f->minute);
	case 'S':
		f->resolution = SECOND;
		return read_int(s, 2, &f->second);
	case 'f':
		return read_fraction(s, &f->nanosecond, &f->resolution);
	default:
		return false;
	}
}

static int64_t seconds_of(const struct fields *f, struct zone zone)
{
	struct tm tm = {
		.tm_year = (int)f->year - 1900,
		.tm_mon = (int)f->month - 1,
		.tm_mday = (int)f->day,
		.tm_hour = (int)f->hour,
		.tm_min = (int)f->minute,
		.tm_sec = (int)f->second,
		.tm_isdst = -1,
	};

	if (zone.name)
		return mktime(&tm);
	return days_from_civil(f->year, f->month, f->day) * 86400 + f->hour * 3600 +
	       f->minute * 60 + f->second - zone.offset;
}

bool time_parse(struct span text, const char *format, struct zone zone, int64_t *time,
		int64_t *resolution)
{
	struct fields f = { 1970, 1, 1, 0, 0, 0, 0, 86400 * SECOND };

	for (; *format; format++) {
		if (*format == ' ') {
			skip_blanks(&text);
		} else if (*format == '%') {
			if (!read_field(&text, *++format, &f))
				return false;
		} else {
			if (!text.len || text.ptr[0] != *format)
				return false;
			text = span_skip(text, 1);
		}
	}
	skip_blanks(&text);
	if (text.len || f.month < 1 || f.month > 12 || f.day < 1 || f.day > 31 || f.hour > 23 ||
	    f.minute > 59 || f.second > 60 || f.year < 1970 || f.year > 2261)
		return false;
	*time = seconds_of(&f, zone) * SECOND + f.nanosecond;
	if (resolution)
		*resolution = f.resolution;
	return true;
}

const char *time_format(char out[TIME_TEXT], int64_t time, int64_t resolution)
{
	time_t seconds;
	struct tm tm;
	int64_t rest;
	int digits = 0;
	size_t n;

	out[0] = '\0';
	if (time == TIME_UNKNOWN)
		return out;
	rest = (time % SECOND + SECOND) % SECOND;
	seconds = (time_t)((time - rest) / SECOND);
	gmtime_r(&seconds, &tm);
	n = strftime(out, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
	while (digits < 9 && resolution > 0 && resolution < SECOND) {
		resolution *= 10;
		digits++;
	}
	for (int i = digits; i < 9; i++)
		rest /= 10;
	if (digits)
		snprintf(out + n, TIME_TEXT - n, ".%0*" PRId64 "Z", digits, rest);
	else
		snprintf(out + n, TIME_TEXT - n, "Z");
	return out;
}

const char *duration_format(char out[TIME_TEXT], int64_t nanoseconds)
{
	static const struct {
		double seconds;
		const char *label;
	} steps[] = { { 2 * 86400, "days" }, { 2 * 3600, "h" }, { 120, "min" }, { 0, "s" } };
	static const double divide[] = { 86400, 3600, 60, 1 };
	double s = (double)nanoseconds / (double)SECOND;
	size_t i = 0;

	while (s < steps[i].seconds && steps[i].seconds > 0)
		i++;
	snprintf(out, TIME_TEXT, "%.1f %s", s / divide[i], steps[i].label);
	return out;
}
