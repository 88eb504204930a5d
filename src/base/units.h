#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/*
 * Sizes in bytes, as exact as the text they came from.
 *
 * A number in a log is a decimal: digits and how many of them stand behind the point.  Its quantum,
 * the smallest step that the text can show, is one unit of the last digit.  Unknown is not zero.
 */
#define QUANTITY_UNKNOWN INT64_MIN

#define KIB INT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

/* 12.50 is { 1250, 2 }. */
struct decimal {
	int64_t mantissa;
	int decimals;
};

/*
 * The leading number of `text`: sign, digits, point, digits; `*rest` (may be NULL) gets what
 * follows.  False for no digit, or more than 18 digits.  Exponents and thousands separators are not
 * numbers here: the caller sees them in *rest.
 */
bool decimal_parse(struct span text, struct decimal *out, struct span *rest);

/* number × unit in bytes, rounded half up; QUANTITY_UNKNOWN if it does not fit in int64. */
int64_t decimal_bytes(struct decimal number, int64_t unit);

/* One unit of the last digit, at least 1. */
int64_t decimal_quantum(struct decimal number, int64_t unit);

/* Bytes of a unit's name, 0 for an unknown one.  KB MB GB TB are powers of 1000, KiB … of 1024. */
int64_t unit_bytes(struct span name);

/* A size a person writes: "1MiB", "1.5 GiB", "4096", "2 kB".  -1 and a usage error otherwise,
 * *bytes as it was. */
int size_parse(const char *text, int64_t *bytes);

/* How people read sizes. */
enum size_style {
	SIZE_IEC,   /* 100.3 MiB */
	SIZE_SI,    /* 105.2 MB */
	SIZE_BYTES, /* 105169723 B */
	SIZE_STYLES
};

/* The style named iec, si or bytes; -1 and a usage error otherwise. */
int size_style_parse(const char *name, enum size_style *style);

enum { SIZE_TEXT = 40 };

/* "100.3 MiB", "-4 B", "unknown"; returns out. */
const char *size_format(char out[SIZE_TEXT], int64_t bytes, enum size_style style);
/* The same with a sign in front unless it is zero: "+100.3 MiB". */
const char *size_format_change(char out[SIZE_TEXT], int64_t bytes, enum size_style style);
/* 1386 is "1,386". */
const char *count_format(char out[SIZE_TEXT], int64_t count);
/* 2 is "2nd", 11 is "11th". */
const char *ordinal_format(char out[SIZE_TEXT], int64_t n);

/* a + b, a × b; QUANTITY_UNKNOWN when either is unknown or the result does not fit. */
int64_t quantity_add(int64_t a, int64_t b);
int64_t quantity_sub(int64_t a, int64_t b);
int64_t quantity_mul(int64_t a, int64_t b);
/* The nearest whole; QUANTITY_UNKNOWN for an infinity or NaN. */
int64_t quantity_round(double value);
/* Hundredths of a percent of a total, rounded half up. */
int64_t share_bytes(int64_t hundredths, int64_t total);

static inline bool quantity_known(int64_t q)
{
	return q != QUANTITY_UNKNOWN;
}

#endif
