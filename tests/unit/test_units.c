#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

static const struct {
	const char *text;
	bool good;
	int64_t mantissa;
	int decimals;
	const char *rest;
} decimals[] = {
	{ "12.50", true, 1250, 2, "" },
	{ "696.5  Mb", true, 6965, 1, "  Mb" },
	{ "0", true, 0, 0, "" },
	{ "-3.25M", true, -325, 2, "M" },
	{ "+7", true, 7, 0, "" },
	{ "007", true, 7, 0, "" },
	/* Text cut to six characters, as the tracker prints sizes. */
	{ "12345. M", true, 12345, 0, " M" },
	{ "1.2e-0 M", true, 12, 1, "e-0 M" },
	{ "4e-06 M", true, 4, 0, "e-06 M" },
	{ "1,386", true, 1, 0, ",386" },
	{ "1.2.3", true, 12, 1, ".3" },
	{ "999999999999999999", true, INT64_C(999999999999999999), 0, "" },
	{ "0.00000000000000001", true, 1, 17, "" },
	{ "1000000000000000000", false, 0, 0, NULL }, /* 19 digits */
	{ "", false, 0, 0, NULL },
	{ "-", false, 0, 0, NULL },
	{ ".5", false, 0, 0, NULL },
	{ "nan", false, 0, 0, NULL },
	{ " 1", false, 0, 0, NULL },
	{ "--1", false, 0, 0, NULL },
};

Test(units, decimal_parse_reads_the_leading_number)
{
	for (size_t i = 0; i < sizeof(decimals) / sizeof(*decimals); i++) {
		struct decimal number;
		struct span rest = SPAN_NONE;
		const char *text = decimals[i].text;

		cr_expect_eq(decimal_parse(span_of(text), &number, &rest), decimals[i].good, "%s",
			     text);
		if (!decimals[i].good)
			continue;
		cr_expect_eq(number.mantissa, decimals[i].mantissa, "%s", text);
		cr_expect_eq(number.decimals, decimals[i].decimals, "%s", text);
		cr_expect(span_is(rest, decimals[i].rest), "%s", text);
	}
	cr_expect(decimal_parse(SPAN_LITERAL("5"), &(struct decimal){ 0 }, NULL));
	cr_expect_not(decimal_parse(SPAN_NONE, &(struct decimal){ 0 }, NULL));
}

static const struct {
	struct decimal number;
	int64_t unit, bytes, quantum;
} conversions[] = {
	{ { 4, 0 }, MIB, 4194304, 1048576 },
	/* 100.3 * 1048576 = 105172172.8; 1048576 / 10 = 104857.6 */
	{ { 1003, 1 }, MIB, 105172173, 104857 },
	{ { 1003, 1 }, 1000000, 100300000, 100000 },
	/* 0.0007 * 1048576 = 734.0032 */
	{ { 7, 4 }, MIB, 734, 104 },
	/* Halves go up, for either sign: 0.5, 1.5, -0.5, -1.5. */
	{ { 5, 1 }, 1, 1, 1 },
	{ { 15, 1 }, 1, 2, 1 },
	{ { -5, 1 }, 1, 0, 1 },
	{ { -15, 1 }, 1, -1, 1 },
	{ { -16, 1 }, 1, -2, 1 },
	{ { 49, 2 }, 1, 0, 1 },
	{ { 0, 0 }, GIB, 0, 1073741824 },
	/* 8 EiB = 2^63 is one too many; 2^33 - 1 GiB is the last that fits. */
	{ { INT64_C(8589934592), 0 }, GIB, QUANTITY_UNKNOWN, 1073741824 },
	{ { INT64_C(8589934591), 0 }, GIB, INT64_C(9223372035781033984), 1073741824 },
	{ { -INT64_C(8589934592), 0 }, GIB, QUANTITY_UNKNOWN, 1073741824 },
	{ { INT64_C(999999999999999999), 0 }, GIB, QUANTITY_UNKNOWN, 1073741824 },
	{ { INT64_C(999999999999999999), 18 }, GIB, 1073741824, 1 },
};

Test(units, decimal_bytes_rounds_half_up_and_knows_its_limits)
{
	for (size_t i = 0; i < sizeof(conversions) / sizeof(*conversions); i++) {
		cr_expect_eq(decimal_bytes(conversions[i].number, conversions[i].unit),
			     conversions[i].bytes, "case %zu", i);
		cr_expect_eq(decimal_quantum(conversions[i].number, conversions[i].unit),
			     conversions[i].quantum, "case %zu", i);
	}
}

static const struct {
	const char *name;
	int64_t bytes;
} names[] = {
	{ "B", 1 },
	{ "bytes", 1 },
	{ "KiB", 1024 },
	{ "kb", 1000 },
	{ "K", 1024 },
	{ "MiB", 1048576 },
	{ "MB", 1000000 },
	{ "Mb", 1000000 },
	{ "GiB", 1073741824 },
	{ "GB", 1000000000 },
	{ "TiB", INT64_C(1099511627776) },
	{ "TB", INT64_C(1000000000000) },
	{ "", 0 },
	{ "MiBs", 0 },
	{ "Mi", 0 },
	{ "%", 0 },
};

Test(units, unit_bytes_knows_powers_of_1000_and_1024)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		cr_expect_eq(unit_bytes(span_of(names[i].name)), names[i].bytes, "%s",
			     names[i].name);
}

static const struct {
	const char *text;
	int64_t bytes; /* -1: an error */
	const char *why;
} sizes[] = {
	{ "4096", 4096, NULL },
	{ "0", 0, NULL },
	{ "512MiB", 536870912, NULL },
	{ "1.5 GiB", 1610612736, NULL },
	{ " 2 kB ", 2000, NULL },
	{ "1b", 1, NULL },
	/* 8388607 TiB = 2^63 - 2^40 */
	{ "8388607TiB", INT64_C(9223370937343148032), NULL },
	{ "8388608TiB", -1, "out of range" },
	{ "-1", -1, "out of range" },
	{ "-1MiB", -1, "out of range" },
	{ "1e3", -1, "unknown unit 'e3'" },
	{ "1,000", -1, "unknown unit ',000'" },
	{ "1 MiB x", -1, "unknown unit 'MiB x'" },
	{ "5 parsecs", -1, "unknown unit 'parsecs'" },
	{ "", -1, "not a size" },
	{ "MiB", -1, "not a size" },
	{ "99999999999999999999", -1, "not a size" },
};

Test(units, size_parse_reads_what_people_write)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		int64_t bytes = -2;

		cr_expect_eq(size_parse(sizes[i].text, &bytes), sizes[i].why ? -1 : 0, "'%s'",
			     sizes[i].text);
		if (!sizes[i].why) {
			cr_expect_eq(bytes, sizes[i].bytes, "'%s'", sizes[i].text);
			continue;
		}
		cr_expect_eq(bytes, -2, "'%s' is refused, yet stored", sizes[i].text);
		cr_expect_eq(error_kind(), ERROR_USAGE);
		cr_expect(strstr(error_text(), sizes[i].why), "%s", error_text());
	}
}

static const struct {
	int64_t bytes;
	enum size_style style;
	const char *text, *change;
} formats[] = {
	{ 0, SIZE_IEC, "0 B", "0 B" },
	{ 1, SIZE_IEC, "1 B", "+1 B" },
	{ -4, SIZE_IEC, "-4 B", "-4 B" },
	{ 1023, SIZE_IEC, "1023 B", "+1023 B" },
	{ 1024, SIZE_IEC, "1.0 KiB", "+1.0 KiB" },
	{ -1024, SIZE_IEC, "-1.0 KiB", "-1.0 KiB" },
	/* 1.05 * 1024 = 1075.2 */
	{ 1075, SIZE_IEC, "1.0 KiB", "+1.0 KiB" },
	{ 1076, SIZE_IEC, "1.1 KiB", "+1.1 KiB" },
	/* 1023.95 * 1024 = 1048524.8: from there one decimal would print 1024.0 KiB. */
	{ 1048524, SIZE_IEC, "1023.9 KiB", "+1023.9 KiB" },
	{ 1048525, SIZE_IEC, "1.0 MiB", "+1.0 MiB" },
	{ -1048525, SIZE_IEC, "-1.0 MiB", "-1.0 MiB" },
	{ 1048576, SIZE_IEC, "1.0 MiB", "+1.0 MiB" },
	/* 105169723 / 1048576 = 100.297 */
	{ 105169723, SIZE_IEC, "100.3 MiB", "+100.3 MiB" },
	{ 105169723, SIZE_SI, "105.2 MB", "+105.2 MB" },
	{ 105169723, SIZE_BYTES, "105169723 B", "+105169723 B" },
	{ 999, SIZE_SI, "999 B", "+999 B" },
	{ 1000, SIZE_SI, "1.0 KB", "+1.0 KB" },
	{ 999949, SIZE_SI, "999.9 KB", "+999.9 KB" },
	{ 999950, SIZE_SI, "1.0 MB", "+1.0 MB" },
	{ 1073741824, SIZE_IEC, "1.0 GiB", "+1.0 GiB" },
	{ INT64_C(1099511627776), SIZE_IEC, "1.0 TiB", "+1.0 TiB" },
	/* 2^63 - 1 is 2^23 TiB less one byte: the largest unit goes on past 1024. */
	{ INT64_MAX, SIZE_IEC, "8388608.0 TiB", "+8388608.0 TiB" },
	{ INT64_MAX, SIZE_BYTES, "9223372036854775807 B", "+9223372036854775807 B" },
	{ INT64_MIN + 1, SIZE_SI, "-9223372.0 TB", "-9223372.0 TB" },
	{ QUANTITY_UNKNOWN, SIZE_IEC, "unknown", "unknown" },
};

Test(units, size_format_steps_up_where_rounding_does)
{
	char out[SIZE_TEXT];

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		cr_expect_str_eq(size_format(out, formats[i].bytes, formats[i].style),
				 formats[i].text);
		cr_expect_str_eq(size_format_change(out, formats[i].bytes, formats[i].style),
				 formats[i].change);
	}
}

static const struct {
	int64_t count;
	const char *text;
} counts[] = {
	{ 0, "0" },
	{ 7, "7" },
	{ 999, "999" },
	{ 1000, "1,000" },
	{ 1386, "1,386" },
	{ 999999, "999,999" },
	{ 1000000, "1,000,000" },
	{ -5, "-5" },
	{ -999, "-999" },
	{ -1000, "-1,000" },
	{ -123456, "-123,456" },
	{ INT64_MAX, "9,223,372,036,854,775,807" },
};

Test(units, count_format_groups_by_three)
{
	char out[SIZE_TEXT];

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		cr_expect_str_eq(count_format(out, counts[i].count), counts[i].text);
}

Test(units, quantities_stay_unknown_and_do_not_overflow)
{
	const int64_t unknown = QUANTITY_UNKNOWN;

	cr_expect_eq(quantity_add(2, 3), 5);
	cr_expect_eq(quantity_sub(2, 3), -1);
	cr_expect_eq(quantity_mul(-2, 3), -6);
	cr_expect_eq(quantity_add(unknown, 1), unknown);
	cr_expect_eq(quantity_sub(1, unknown), unknown);
	cr_expect_eq(quantity_mul(0, unknown), unknown);
	cr_expect_eq(quantity_add(INT64_MAX, 1), unknown);
	cr_expect_eq(quantity_sub(INT64_MIN + 1, 1), unknown);
	cr_expect_eq(quantity_mul(INT64_C(1) << 32, INT64_C(1) << 31), unknown);
	cr_expect_eq(quantity_mul(INT64_MAX, INT64_MAX), unknown);
}

Test(units, size_styles_have_names)
{
	enum size_style style;

	cr_expect_eq(size_style_parse("si", &style), 0);
	cr_expect_eq(style, SIZE_SI);
	cr_expect_eq(size_style_parse("iec", &style), 0);
	cr_expect_eq(style, SIZE_IEC);
	cr_expect_eq(size_style_parse("bytes", &style), 0);
	cr_expect_eq(style, SIZE_BYTES);
	cr_expect_eq(size_style_parse("furlongs", &style), -1);
	cr_expect_eq(error_kind(), ERROR_USAGE);
}
