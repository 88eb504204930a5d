#include "replay/printed.h"

#include <ctype.h>

/* Room for mantissa × unit × 3. */
__extension__ typedef __int128 wide;

static wide power_of_ten(int n)
{
	wide p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

/* Cut, not rounded: mantissa ≤ bytes / unit × 10^decimals < mantissa + 1, with one more step of
 * grace for forks that round. */
static bool fits(struct decimal d, int64_t bytes3, int64_t unit)
{
	wide scaled = (wide)bytes3 * power_of_ten(d.decimals), low = (wide)d.mantissa * unit * 3;

	return scaled >= low - (wide)unit * 3 && scaled < low + (wide)unit * 3;
}

/* Do the printed digits begin the digits of bytes / unit, wherever the point stands? */
static bool same_digits(struct decimal d, int64_t bytes3, int64_t unit, bool *smaller)
{
	wide target = (wide)bytes3 * power_of_ten(15), value = (wide)d.mantissa * 3 * unit, next;
	int shift = 15 - d.decimals;

	if (shift < 0 || d.mantissa <= 0 || bytes3 <= 0)
		return false;
	value *= power_of_ten(shift);
	next = value + (wide)3 * unit * power_of_ten(shift);
	*smaller = value < target;
	for (int i = 0; i < 12 && value < target; i++) {
		if (target < next)
			return true;
		value *= 10;
		next *= 10;
	}
	for (int i = 0; i < 12 && value > target; i++) {
		target *= 10;
		if (target >= value)
			return target < next;
	}
	return value <= target && target < next;
}

/* "4e-06" is whole; "1.2e-0" and "1.024e" are cut. */
static bool whole_exponent(struct span text)
{
	const char *e = text.len ? memchr(text.ptr, 'e', text.len) : NULL;
	size_t rest = e ? (size_t)(text.ptr + text.len - e) : 0;

	return rest >= 4 && (e[1] == '-' || e[1] == '+') && isdigit((unsigned char)e[2]) &&
	       isdigit((unsigned char)e[3]);
}

enum printed_check printed_check(const struct value *printed, int64_t bytes3, int64_t unit)
{
	bool smaller = false;

	if (printed->state == VALUE_BAD)
		return whole_exponent(printed->text) ? PRINTED_FITS : PRINTED_CUT;
	if (printed->state != VALUE_OK)
		return PRINTED_ABSENT;
	if (fits(printed->size, bytes3, unit))
		return PRINTED_FITS;
	if (same_digits(printed->size, bytes3, unit, &smaller))
		return smaller ? PRINTED_LOST_DIGITS : PRINTED_EXPONENT;
	return PRINTED_WRONG;
}

int64_t printed_unit(const struct value *printed, int64_t bytes3)
{
	bool si, iec;

	/* Below 100 steps of the last digit, the two units cannot be told apart: they differ by 4.9
	 * %. */
	if (printed->state != VALUE_OK || printed->size.mantissa < 100 ||
	    printed->size.mantissa < power_of_ten(printed->size.decimals))
		return 0;
	si = fits(printed->size, bytes3, 1000 * 1000);
	iec = fits(printed->size, bytes3, MIB);
	return si == iec ? 0 : si ? 1000 * 1000 : MIB;
}
