#include <criterion/criterion.h>

#include "base/units.h"
#include "replay/printed.h"

enum { MB = 1000 * 1000 };

static struct value printed(const char *text)
{
	struct value v = { .state = VALUE_OK, .text = span_of(text) };
	struct span rest;

	/* As conversion has it: an exponent is no number. */
	if (!decimal_parse(v.text, &v.size, &rest) || rest.len)
		v.state = VALUE_BAD;
	return v;
}

/* `text` is str(bytes / unit)[:6], or [:4] of the first tracker. */
static const struct {
	const char *text;
	int64_t bytes, unit;
	enum printed_check check;
} checks[] = {
	{ "66.060", 66060288, MB, PRINTED_FITS },
	{ "63.0", 63 * MIB, MIB, PRINTED_FITS },
	{ "0.0", 0, MIB, PRINTED_FITS },
	{ "0.0007", 768, MB, PRINTED_FITS },
	{ "0.0", 4, MIB, PRINTED_FITS },
	/* 4 / 1024² = 3.814697265625e-06 */
	{ "3.8146", 4, MIB, PRINTED_EXPONENT },
	/* 100 / 1024² = 9.5367431640625e-05 */
	{ "9.5367", 100, MIB, PRINTED_EXPONENT },
	{ "4e-06", 4, MB, PRINTED_FITS },
	{ "1.2e-0", 12, MB, PRINTED_CUT },
	{ "1.024e", 1024, MB, PRINTED_CUT },
	{ "12345.", INT64_C(12345678000), MB, PRINTED_FITS },
	/* 1234567.8 MB */
	{ "123456", INT64_C(1234567800000), MB, PRINTED_LOST_DIGITS },
	{ "188.", 188743680, MB, PRINTED_FITS },
	/* 12345.6 MB cut to four */
	{ "1234", INT64_C(12345600000), MB, PRINTED_LOST_DIGITS },
	{ "0.00", 490, MB, PRINTED_FITS },
	{ "5.0", 63 * MIB, MIB, PRINTED_WRONG },
	{ "63.0", 63 * MIB, MB, PRINTED_WRONG },
	{ "0.5", 0, MIB, PRINTED_WRONG },
};

Test(printed, tells_cut_from_wrong)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		struct value v = printed(checks[i].text);

		cr_expect_eq(printed_check(&v, 3 * checks[i].bytes, checks[i].unit), checks[i].check,
			     "%s for %lld bytes: %d", checks[i].text, (long long)checks[i].bytes,
			     printed_check(&v, 3 * checks[i].bytes, checks[i].unit));
	}
}

Test(printed, absent_is_absent)
{
	struct value v = { .state = VALUE_ABSENT };

	cr_expect_eq(printed_check(&v, 12, MIB), PRINTED_ABSENT);
	v.state = VALUE_NONE;
	cr_expect_eq(printed_check(&v, 12, MIB), PRINTED_ABSENT);
}

static const struct {
	const char *text;
	int64_t bytes, unit; /* unit 0: it does not tell */
} units[] = {
	{ "66.060", 66060288, MB },
	{ "63.0", 63 * MIB, MIB },
	{ "8.3886", 8388608, MB },
	{ "16.0", 16 * MIB, MIB },
	/* 4.86 % apart: one step of the last digit must be less. */
	{ "9.4", 9437184, 0 },
	{ "1.0", MIB, 0 },
	/* Below one unit an exponent may be lost. */
	{ "0.9999", 999900, 0 },
	{ "3.8146", 4, 0 },
	{ "5.555", 66060288, 0 },
	{ "1.2e-0", 12, 0 },
};

Test(printed, finds_the_unit_where_the_print_can_tell)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		struct value v = printed(units[i].text);

		cr_expect_eq(printed_unit(&v, 3 * units[i].bytes), units[i].unit, "%s for %lld",
			     units[i].text, (long long)units[i].bytes);
	}
}
