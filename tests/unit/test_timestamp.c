#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"
#include "base/timestamp.h"

#define TRACKER "%d-%b-%y-%H:%M:%S"
#define SMI     "%a %b %e %H:%M:%S %Y"
#define CSV     "%Y/%m/%d %H:%M:%S.%f"

/* Well-known moments of Unix time, and the leap day of 2000 (946684800 + 59 days). */
static const struct {
	int64_t seconds;
	const char *text;
} moments[] = {
	{ 0, "1970-01-01T00:00:00Z" },          { 946684800, "2000-01-01T00:00:00Z" },
	{ 951782400, "2000-02-29T00:00:00Z" },  { 1000000000, "2001-09-09T01:46:40Z" },
	{ 1234567890, "2009-02-13T23:31:30Z" }, { 2147483647, "2038-01-19T03:14:07Z" },
	{ -1, "1969-12-31T23:59:59Z" },
};

Test(timestamp, agrees_with_known_moments)
{
	for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
		char out[TIME_TEXT];
		int64_t time, resolution;

		time_format(out, moments[i].seconds * SECOND, SECOND);
		cr_expect_str_eq(out, moments[i].text);
		if (moments[i].seconds < 0)
			continue;
		cr_assert(time_parse(span_of(moments[i].text), "%Y-%m-%dT%H:%M:%SZ", ZONE_UTC,
				     &time, &resolution));
		cr_expect_eq(time, moments[i].seconds * SECOND, "%s", moments[i].text);
		cr_expect_eq(resolution, SECOND);
	}
}

static const struct {
	const char *format, *in, *out; /* out NULL: does not fit */
	int64_t resolution;
} cases[] = {
	{ TRACKER, "29-Nov-26-16:02:17", "2026-11-29T16:02:17Z", SECOND },
	{ TRACKER, "01-Jan-70-00:00:00", "1970-01-01T00:00:00Z", SECOND },
	{ TRACKER, "01-jan-68-00:00:00", "2068-01-01T00:00:00Z", SECOND },
	/* The months of programs that call setlocale(): zh_CN, ja_JP, fr_FR, de_DE, ru_RU. */
	{ TRACKER, "12-9月-18-21:48:45", "2018-09-12T21:48:45Z", SECOND },
	{ TRACKER, "12- 9月-18-21:48:45", "2018-09-12T21:48:45Z", SECOND },
	{ TRACKER, "12-12月-18-21:48:45", "2018-12-12T21:48:45Z", SECOND },
	{ TRACKER, "12-1月-18-21:48:45", "2018-01-12T21:48:45Z", SECOND },
	{ TRACKER, "12-janv.-18-21:48:45", "2018-01-12T21:48:45Z", SECOND },
	{ TRACKER, "12-févr.-18-21:48:45", "2018-02-12T21:48:45Z", SECOND },
	{ TRACKER, "12-mars-18-21:48:45", "2018-03-12T21:48:45Z", SECOND },
	{ TRACKER, "12-mai-18-21:48:45", "2018-05-12T21:48:45Z", SECOND },
	{ TRACKER, "12-juil.-18-21:48:45", "2018-07-12T21:48:45Z", SECOND },
	{ TRACKER, "12-sept.-18-21:48:45", "2018-09-12T21:48:45Z", SECOND },
	{ TRACKER, "12-oct.-18-21:48:45", "2018-10-12T21:48:45Z", SECOND },
	{ TRACKER, "12-nov.-18-21:48:45", "2018-11-12T21:48:45Z", SECOND },
	{ TRACKER, "12-déc.-18-21:48:45", "2018-12-12T21:48:45Z", SECOND },
	{ TRACKER, "12-Mär-18-21:48:45", "2018-03-12T21:48:45Z", SECOND },
	{ TRACKER, "12-Dez-18-21:48:45", "2018-12-12T21:48:45Z", SECOND },
	{ TRACKER, "12-сен-18-21:48:45", "2018-09-12T21:48:45Z", SECOND },
	{ TRACKER, "12-Foo-18-21:48:45", NULL, 0 },
	{ TRACKER, "12-Sep-18-21:48", NULL, 0 },
	{ TRACKER, "12-Sep-18-21:48:45 x", NULL, 0 },
	{ TRACKER, "12-13月-18-21:48:45", NULL, 0 },
	{ "%d-%b-%y-%H-%M-%S", "12-Sep-18-21-48-45", "2018-09-12T21:48:45Z", SECOND },
	{ CSV, "2026/11/29 16:22:56.130", "2026-11-29T16:22:56.130Z", SECOND / 1000 },
	{ CSV, "2026/11/29 16:22:56.1", "2026-11-29T16:22:56.1Z", SECOND / 10 },
	{ CSV, "2026/11/29 16:22:56.123456789", "2026-11-29T16:22:56.123456789Z", 1 },
	{ CSV, "2026/11/29 16:22:56.000000", "2026-11-29T16:22:56.000000Z", SECOND / 1000000 },
	{ CSV, "2026/11/29 16:22:56.1234567890", NULL, 0 },
	{ CSV, "2026/11/29 16:22:56.", NULL, 0 },
	{ CSV, "2026/11/29 16:22:56", NULL, 0 },
	{ SMI, "Tue Jul 14 09:00:26 2026", "2026-07-14T09:00:26Z", SECOND },
	{ SMI, "Fri Jul  3 22:10:45 2026       ", "2026-07-03T22:10:45Z", SECOND },
	{ SMI, "Fri Jul 3 22:10:45 2026", "2026-07-03T22:10:45Z", SECOND },
	{ "%Y%m%d %H:%M:%S", "20261129 16:22:56", "2026-11-29T16:22:56Z", SECOND },
	{ "%H:%M:%S", "16:22:56", "1970-01-01T16:22:56Z", SECOND },
	{ "%Y-%m-%d %H:%M", "2026-11-29 16:22", "2026-11-29T16:22:00Z", 60 * SECOND },
	{ "%Y-%m-%d %H", "2026-11-29 16", "2026-11-29T16:00:00Z", 3600 * SECOND },
	{ "%Y-%m-%d", "2026-11-29", "2026-11-29T00:00:00Z", 86400 * SECOND },
	/* Out of range. */
	{ "%Y-%m-%d", "2024-02-29", "2024-02-29T00:00:00Z", 86400 * SECOND },
	{ "%Y-%m-%d", "2026-02-29", NULL, 0 },
	{ "%Y-%m-%d", "2100-02-29", NULL, 0 },
	{ "%Y-%m-%d", "2026-04-31", NULL, 0 },
	{ "%Y-%m-%d", "2026-12-31", "2026-12-31T00:00:00Z", 86400 * SECOND },
	{ "%Y-%m-%d", "2026-12-32", NULL, 0 },
	{ "%Y-%m-%d", "2026-00-10", NULL, 0 },
	{ "%Y-%m-%d", "2026-13-10", NULL, 0 },
	{ "%Y-%m-%d", "2026-01-00", NULL, 0 },
	{ "%Y-%m-%d", "1969-12-31", NULL, 0 },
	{ "%Y-%m-%d", "2261-12-31", "2261-12-31T00:00:00Z", 86400 * SECOND },
	{ "%Y-%m-%d", "2262-01-01", NULL, 0 },
	/* Half days, and seconds since 1970. */
	{ "%d %b %Y %I:%M:%S %p", "13 Oct 2022 02:42:31 PM", "2022-10-13T14:42:31Z", SECOND },
	{ "%d %b %Y %I:%M:%S %p", "13 Oct 2022 12:42:31 PM", "2022-10-13T12:42:31Z", SECOND },
	{ "%d %b %Y %I:%M:%S %p", "13 Oct 2022 12:00:00 AM", "2022-10-13T00:00:00Z", SECOND },
	{ "%d %b %Y %I:%M:%S %p", "13 Oct 2022 14:42:31 PM", NULL, 0 },
	{ "%d %b %Y %I:%M:%S %p", "13 Oct 2022 02:42:31 XM", NULL, 0 },
	{ "%s", "1234567890", "2009-02-13T23:31:30Z", SECOND },
	{ "%s", "12345678901", NULL, 0 },
	{ "%H:%M:%S", "24:00:00", NULL, 0 },
	{ "%H:%M:%S", "23:60:00", NULL, 0 },
	/* A leap second is the next minute's first. */
	{ "%Y-%m-%d %H:%M:%S", "2016-12-31 23:59:60", "2017-01-01T00:00:00Z", SECOND },
	{ "%H:%M:%S", "23:59:61", NULL, 0 },
	{ "%Y", "", NULL, 0 },
	{ "%q", "1", NULL, 0 },
};

Test(timestamp, reads_the_formats_of_logs)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char out[TIME_TEXT];
		int64_t time, resolution;
		bool good = time_parse(span_of(cases[i].in), cases[i].format, ZONE_UTC, &time,
				       &resolution);

		cr_expect_eq(good, cases[i].out != NULL, "'%s'", cases[i].in);
		if (!good || !cases[i].out)
			continue;
		cr_expect_str_eq(time_format(out, time, resolution), cases[i].out);
		cr_expect_eq(resolution, cases[i].resolution, "'%s'", cases[i].in);
		cr_expect(time_parse(span_of(cases[i].in), cases[i].format, ZONE_UTC, &time, NULL));
	}
}

static const struct {
	const char *zone, *in, *out;
} zones[] = {
	{ "UTC", "2026-07-14 09:00:26", "2026-07-14T09:00:26Z" },
	{ "utc", "2026-07-14 09:00:26", "2026-07-14T09:00:26Z" },
	{ "Z", "2026-07-14 09:00:26", "2026-07-14T09:00:26Z" },
	{ "+08:00", "2026-07-14 09:00:26", "2026-07-14T01:00:26Z" },
	{ "+0530", "2026-07-14 09:00:26", "2026-07-14T03:30:26Z" },
	{ "-5", "2026-07-14 21:00:26", "2026-07-15T02:00:26Z" },
	{ "-03:30", "2026-07-14 09:00:26", "2026-07-14T12:30:26Z" },
	{ "Asia/Shanghai", "2026-07-14 09:00:26", "2026-07-14T01:00:26Z" },
	/* Summer time: Berlin is an hour ahead of UTC in winter, two in summer; New York 5 and 4
	   behind. */
	{ "Europe/Berlin", "2026-01-14 09:00:26", "2026-01-14T08:00:26Z" },
	{ "Europe/Berlin", "2026-07-14 09:00:26", "2026-07-14T07:00:26Z" },
	{ "America/New_York", "2026-01-14 09:00:26", "2026-01-14T14:00:26Z" },
	{ "America/New_York", "2026-07-14 09:00:26", "2026-07-14T13:00:26Z" },
	/* Berlin's clocks went from 2:00 to 3:00 on the last Sunday of March 2026, the 29th. */
	{ "Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29T00:59:59Z" },
	{ "Europe/Berlin", "2026-03-29 03:00:00", "2026-03-29T01:00:00Z" },
};

static void expect_in_zone(size_t i, struct zone zone)
{
	char out[TIME_TEXT];
	int64_t time;

	cr_assert(time_parse(span_of(zones[i].in), "%Y-%m-%d %H:%M:%S", zone, &time, NULL));
	cr_expect_str_eq(time_format(out, time, SECOND), zones[i].out, "%s in %s: %s", zones[i].in,
			 zones[i].zone, out);
}

Test(timestamp, reads_local_time)
{
	struct zone zone[sizeof(zones) / sizeof(*zones)];

	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++)
		cr_assert_eq(zone_parse(zones[i].zone, &zone[i]), 0, "%s", error_text());
	/* All are known by now: none may get in another's way. */
	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++)
		expect_in_zone(i, zone[i]);
}

Test(timestamp, refuses_what_is_no_zone)
{
	static const char *const names[] = {
		"",       "+",       "+15",          "+08:60", "+8:5",     "+08:-3",
		"+08: 3", "+08:000", "+08:00x",      "-x",     "Asia",     "Mars/Olympus",
		"../etc", "/etc",    "Asia/../UTC2", "+-5",    "zone.tab", "+080",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct zone zone;

		cr_expect_eq(zone_parse(names[i], &zone), -1, "'%s'", names[i]);
		cr_expect_eq(error_kind(), ERROR_USAGE);
	}
}

static const struct {
	int64_t time, resolution;
	const char *text;
} formats[] = {
	{ 0, 1, "1970-01-01T00:00:00.000000000Z" },
	{ 1500000000, SECOND, "1970-01-01T00:00:01Z" },
	{ 1500000000, SECOND / 10, "1970-01-01T00:00:01.5Z" },
	{ 1999999999, SECOND / 1000, "1970-01-01T00:00:01.999Z" },
	{ -1, 1, "1969-12-31T23:59:59.999999999Z" },
	{ 0, 60 * SECOND, "1970-01-01T00:00:00Z" },
	{ 0, 0, "1970-01-01T00:00:00Z" },
	{ TIME_UNKNOWN, SECOND, "" },
	/* The ends of int64 are 9,223,372,036.85… s from 1970: 1677-09-21 and 2262-04-11. */
	{ INT64_MAX, 1, "2262-04-11T23:47:16.854775807Z" },
	{ INT64_MIN + 1, 1, "1677-09-21T00:12:43.145224193Z" },
};

Test(timestamp, prints_as_many_decimals_as_are_known)
{
	char out[TIME_TEXT];

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		cr_expect_str_eq(time_format(out, formats[i].time, formats[i].resolution),
				 formats[i].text);
}

static const struct {
	double seconds;
	const char *text;
} durations[] = {
	{ 0, "0.0 s" },         { 8, "8.0 s" },        { 119, "119.0 s" }, { 120, "2.0 min" },
	{ 2520, "42.0 min" },   { 7199, "120.0 min" }, { 7200, "2.0 h" },  { 12600, "3.5 h" },
	{ 172800, "2.0 days" }, { 0.25, "0.2 s" },     { -5, "-5.0 s" },
};

Test(timestamp, durations_read_as_people_say_them)
{
	char out[TIME_TEXT];

	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++)
		cr_expect_str_eq(duration_format(out, (int64_t)(durations[i].seconds * 1e9)),
				 durations[i].text);
}
