#include "base/timestamp.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "base/error.h"

struct fields {
	int64_t year, month, day, hour, minute, second, nanosecond;
	int64_t resolution, epoch; /* epoch: seconds since 1970, or -1 */
};

/* Abbreviations of glibc's locales; the longest that fits counts ("sept." is no "Sep"). */
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

static bool read_int(struct span *s, int max_digits, int64_t *out)
{
	size_t n = 0;
	int64_t value = 0;

	while ((int)n < max_digits && n < s->len && (unsigned char)(s->ptr[n] - '0') < 10)
		value = value * 10 + (s->ptr[n++] - '0');
	*out = value;
	*s = span_skip(*s, n);
	return n > 0;
}

/* "+08:00", "+0800", "-5". */
static bool read_offset(struct span s, int64_t *offset)
{
	int64_t hours, minutes = 0, sign = s.ptr[0] == '-' ? -1 : 1;

	s = span_skip(s, 1);
	if (!read_int(&s, 2, &hours))
		return false;
	if (s.len && s.ptr[0] == ':')
		s = span_skip(s, s.len == 3 ? 1 : 0);
	if (s.len == 2 && !read_int(&s, 2, &minutes))
		return false;
	if (s.len || hours > 14 || minutes > 59)
		return false;
	*offset = sign * (hours * 60 + minutes) * 60;
	return true;
}

/* The folder of zones holds lists and folders too. */
static bool is_zone(const char *name)
{
	char path[256], magic[4] = "";
	bool good;
	FILE *file;

	snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", name);
	if (!isalpha((unsigned char)name[0]) || strstr(name, "..") || !(file = fopen(path, "re")))
		return false;
	good = fread(magic, sizeof(magic), 1, file) == 1 && !memcmp(magic, "TZif", sizeof(magic));
	fclose(file);
	return good;
}

int zone_parse(const char *text, struct zone *zone)
{
	*zone = ZONE_UTC;
	if (!strcasecmp(text, "UTC") || !strcmp(text, "Z"))
		return 0;
	if ((text[0] == '+' || text[0] == '-') && read_offset(span_of(text), &zone->offset))
		return 0;
	if (!is_zone(text))
		return error_usage(
			"'%s' is not a time zone known here; use UTC, +08:00 or a name like "
			"Asia/Shanghai",
			text);
	zone->name = text;
	return 0;
}

/* mktime() knows one zone at a time. */
static void use_zone(const char *name)
{
	const char *now = getenv("TZ");

	if (now && !strcmp(now, name))
		return;
	setenv("TZ", name, 1);
	tzset();
}

static void skip_blanks(struct span *s)
{
	while (s->len && (s->ptr[0] == ' ' || s->ptr[0] == '\t'))
		*s = span_skip(*s, 1);
}

static bool read_month(struct span *s, int64_t *month)
{
	size_t longest = 0;

	skip_blanks(s);
	for (size_t i = 0; i < sizeof(months) / sizeof(*months); i++) {
		size_t n = strlen(months[i].name);

		if (n <= longest || s->len < n || strncasecmp(s->ptr, months[i].name, n))
			continue;
		longest = n;
		*month = months[i].month;
	}
	*s = span_skip(*s, longest);
	return longest > 0;
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

/* Comes after the hour: 12 AM is 0, 12 PM is 12. */
static bool read_half_day(struct span *s, int64_t *hour)
{
	bool pm = span_starts(*s, "PM");

	if ((!pm && !span_starts(*s, "AM")) || *hour < 1 || *hour > 12)
		return false;
	*hour = *hour % 12 + (pm ? 12 : 0);
	*s = span_skip(*s, 2);
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
	case 'I':
		f->resolution = 3600 * SECOND;
		return read_int(s, 2, &f->hour);
	case 'p':
		return read_half_day(s, &f->hour);
	case 'M':
		f->resolution = 60 * SECOND;
		return read_int(s, 2, &f->minute);
	case 'S':
		f->resolution = SECOND;
		return read_int(s, 2, &f->second);
	case 's':
		f->resolution = SECOND;
		return read_int(s, 10, &f->epoch);
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

	if (zone.name) {
		use_zone(zone.name);
		return mktime(&tm);
	}
	return days_from_civil(f->year, f->month, f->day) * 86400 + f->hour * 3600 +
	       f->minute * 60 + f->second - zone.offset;
}

static bool in_range(const struct fields *f)
{
	int64_t next = f->month % 12 + 1, year = f->year + (f->month == 12), days;

	if (f->year < 1970 || f->year > 2261 || f->month < 1 || f->month > 12)
		return false;
	days = days_from_civil(year, next, 1) - days_from_civil(f->year, f->month, 1);
	return f->day >= 1 && f->day <= days && f->hour <= 23 && f->minute <= 59 && f->second <= 60;
}

bool time_parse(struct span text, const char *format, struct zone zone, int64_t *time,
		int64_t *resolution)
{
	struct fields f = { 1970, 1, 1, 0, 0, 0, 0, 86400 * SECOND, -1 };

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
	if (text.len || !in_range(&f))
		return false;
	/* Seconds since 1970 are in no zone. */
	*time = (f.epoch < 0 ? seconds_of(&f, zone) : f.epoch) * SECOND + f.nanosecond;
	if (resolution)
		*resolution = f.resolution;
	return true;
}

const char *time_format(char out[TIME_TEXT], int64_t time, int64_t resolution)
{
	time_t seconds;
	struct tm tm;
	char fraction[16];
	int64_t rest;
	int digits = 0;
	size_t n;

	out[0] = '\0';
	if (time == TIME_UNKNOWN)
		return out;
	rest = (time % SECOND + SECOND) % SECOND;
	seconds = (time_t)(time / SECOND - (time % SECOND < 0));
	gmtime_r(&seconds, &tm);
	n = strftime(out, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
	while (digits < 9 && resolution > 0 && resolution < SECOND) {
		resolution *= 10;
		digits++;
	}
	if (digits) {
		snprintf(fraction, sizeof(fraction), "%09d", (int)rest);
		snprintf(out + n, TIME_TEXT - n, ".%.*sZ", digits, fraction);
	} else {
		snprintf(out + n, TIME_TEXT - n, "Z");
	}
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
