#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "base/error.h"

static const int64_t powers_of_ten[] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	INT64_C(10000000000),
	INT64_C(100000000000),
	INT64_C(1000000000000),
	INT64_C(10000000000000),
	INT64_C(100000000000000),
	INT64_C(1000000000000000),
	INT64_C(10000000000000000),
	INT64_C(100000000000000000),
	INT64_C(1000000000000000000),
};

/* The commonest first. */
#define UNIT(name, bytes) { name, sizeof(name) - 1, bytes }
static const struct {
	const char *name;
	size_t len;
	int64_t bytes;
} units[] = {
	UNIT("MiB", MIB),  UNIT("MB", 1000000),    UNIT("M", MIB),	  UNIT("GiB", GIB),
	UNIT("KiB", KIB),  UNIT("B", 1),	   UNIT("GB", 1000000000), UNIT("KB", 1000),
	UNIT("Bytes", 1),  UNIT("Byte", 1),	   UNIT("K", KIB),	  UNIT("G", GIB),
	UNIT("T", GIB * 1024), UNIT("TiB", GIB * 1024), UNIT("TB", INT64_C(1000000000000)),
};

/* Room for any product of two int64. */
__extension__ typedef __int128 wide;

/* What fits in int64, or unknown. */
static int64_t narrow(wide v)
{
	return v > INT64_MAX || v <= INT64_MIN ? QUANTITY_UNKNOWN : (int64_t)v;
}

bool decimal_parse(struct span text, struct decimal *out, struct span *rest)
{
	bool negative = false, point = false;
	int digits = 0;
	size_t i = 0;

	*out = (struct decimal){ 0, 0 };
	if (i < text.len && (text.ptr[i] == '-' || text.ptr[i] == '+'))
		negative = text.ptr[i++] == '-';
	for (; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '.' && !point && digits) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9')
			break;
		if (++digits > 18)
			return false;
		out->mantissa = out->mantissa * 10 + (c - '0');
		out->decimals += point;
	}
	if (negative)
		out->mantissa = -out->mantissa;
	if (rest)
		*rest = span_skip(text, i);
	return digits > 0;
}

int64_t decimal_bytes(struct decimal number, int64_t unit)
{
	wide p = powers_of_ten[number.decimals], v = (wide)number.mantissa * unit;

	if (!number.decimals)
		return narrow(v);
	/* Floor division of v + p/2: halves go up for either sign. */
	v = v * 2 + p;
	p *= 2;
	return narrow(v / p - (v % p < 0));
}

int64_t decimal_quantum(struct decimal number, int64_t unit)
{
	int64_t q = unit / powers_of_ten[number.decimals];

	return q > 0 ? q : 1;
}

int64_t unit_bytes(struct span name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (units[i].len == name.len && !strncasecmp(units[i].name, name.ptr, name.len))
			return units[i].bytes;
	return 0;
}

int size_parse(const char *text, int64_t *bytes)
{
	struct span rest;
	struct decimal number;
	int64_t unit = 1, size;

	if (!decimal_parse(span_trim(span_of(text)), &number, &rest))
		return error_usage("'%s' is not a size; write it like 512MiB, 1.5GiB or 4096",
				   text);
	rest = span_trim(rest);
	if (rest.len)
		unit = unit_bytes(rest);
	if (!unit)
		return error_usage("'%s': unknown unit '%.*s'; use B, KiB, MiB, GiB, KB, MB or GB",
				   text, SPAN_ARG(rest));
	size = decimal_bytes(number, unit);
	if (!quantity_known(size) || size < 0)
		return error_usage("'%s' is out of range; sizes go from 0 to 8 EiB", text);
	*bytes = size;
	return 0;
}

static const struct {
	const char *name;
	int64_t step;
	const char *labels[5];
} styles[SIZE_STYLES] = {
	[SIZE_IEC] = { "iec", 1024, { "B", "KiB", "MiB", "GiB", "TiB" } },
	[SIZE_SI] = { "si", 1000, { "B", "KB", "MB", "GB", "TB" } },
	[SIZE_BYTES] = { "bytes", INT64_MAX, { "B" } },
};

int size_style_parse(const char *name, enum size_style *style)
{
	for (int i = 0; i < SIZE_STYLES; i++) {
		if (!strcmp(styles[i].name, name)) {
			*style = (enum size_style)i;
			return 0;
		}
	}
	return error_usage("'%s' is not a unit style; use iec, si or bytes", name);
}

const char *size_format(char out[SIZE_TEXT], int64_t bytes, enum size_style style)
{
	int64_t step = styles[style].step;
	wide magnitude = bytes < 0 ? -(wide)bytes : bytes, scale = 1, tenths;
	int level = 0;

	if (!quantity_known(bytes)) {
		snprintf(out, SIZE_TEXT, "unknown");
		return out;
	}
	/* Step up where one decimal would print as 1000 or more of the smaller unit. */
	while (level < 4 && step != INT64_MAX && magnitude * 20 >= scale * step * 20 - scale) {
		scale *= step;
		level++;
	}
	if (!level) {
		snprintf(out, SIZE_TEXT, "%" PRId64 " %s", bytes, styles[style].labels[0]);
		return out;
	}
	tenths = (magnitude * 10 + scale / 2) / scale;
	snprintf(out, SIZE_TEXT, "%s%" PRId64 ".%d %s", bytes < 0 ? "-" : "",
		 (int64_t)(tenths / 10), (int)(tenths % 10), styles[style].labels[level]);
	return out;
}

const char *size_format_change(char out[SIZE_TEXT], int64_t bytes, enum size_style style)
{
	char text[SIZE_TEXT];

	size_format(text, bytes, style);
	snprintf(out, SIZE_TEXT, "%s%.*s", bytes > 0 ? "+" : "", SIZE_TEXT - 2, text);
	return out;
}

const char *count_format(char out[SIZE_TEXT], int64_t count)
{
	char digits[24];
	int n, at = 0;

	n = snprintf(digits, sizeof(digits), "%" PRId64, count);
	for (int i = 0; i < n; i++) {
		out[at++] = digits[i];
		if (digits[i] != '-' && i + 1 < n && (n - i - 1) % 3 == 0)
			out[at++] = ',';
	}
	out[at] = '\0';
	return out;
}

const char *ordinal_format(char out[SIZE_TEXT], int64_t n)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	bool regular = n % 100 / 10 == 1 || n % 10 > 3;
	char count[SIZE_TEXT];

	snprintf(out, SIZE_TEXT, "%.30s%s", count_format(count, n), endings[regular ? 0 : n % 10]);
	return out;
}

int64_t quantity_add(int64_t a, int64_t b)
{
	return quantity_known(a) && quantity_known(b) ? narrow((wide)a + b) : QUANTITY_UNKNOWN;
}

int64_t quantity_sub(int64_t a, int64_t b)
{
	return quantity_known(a) && quantity_known(b) ? narrow((wide)a - b) : QUANTITY_UNKNOWN;
}

int64_t quantity_mul(int64_t a, int64_t b)
{
	return quantity_known(a) && quantity_known(b) ? narrow((wide)a * b) : QUANTITY_UNKNOWN;
}

int64_t quantity_round(double value)
{
	return isfinite(value) ? (int64_t)llround(value) : QUANTITY_UNKNOWN;
}

int64_t share_bytes(int64_t hundredths, int64_t total)
{
	int64_t product = quantity_mul(hundredths, total);

	return quantity_known(product) ? (product + 5000) / 10000 : product;
}
