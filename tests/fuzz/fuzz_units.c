#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/units.h"

/* Sizes, decimals and shapes of any text: what is read agrees with wide arithmetic. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__extension__ typedef __int128 wide;

static void check_decimal(struct span text)
{
	static const int64_t units[] = { 1, 1000, MIB, INT64_C(1) << 40 };
	struct decimal d;
	struct span rest;

	if (!decimal_parse(text, &d, &rest))
		return;
	assert(rest.len < text.len);
	assert(d.decimals >= 0 && d.decimals <= 18);
	for (int i = 0; i < 4; i++) {
		int64_t bytes = decimal_bytes(d, units[i]), quantum = decimal_quantum(d, units[i]);
		wide scaled = (wide)d.mantissa * units[i], power = 1;

		assert(quantum >= 1);
		for (int n = 0; n < d.decimals; n++)
			power *= 10;
		if (quantity_known(bytes)) /* |bytes − scaled / power| ≤ ½ */
			assert(2 * ((wide)bytes * power - scaled) <= power &&
			       2 * (scaled - (wide)bytes * power) <= power);
		else
			assert(scaled / power >= INT64_MAX || scaled / power <= INT64_MIN + 1);
	}
}

static void check_shape(struct span text)
{
	struct shape shape;
	wide numel = 1;

	if (!shape_parse(text, &shape))
		return;
	assert(shape.rank >= 0 && shape.rank <= SHAPE_MAX_RANK);
	for (int i = 0; i < shape.rank; i++) {
		assert(shape.dim[i] >= 0);
		if (numel <= INT64_MAX)
			numel *= shape.dim[i];
	}
	if (quantity_known(shape.numel))
		assert(numel == shape.numel);
}

static void check_sums(const uint8_t *data)
{
	int64_t a, b;
	wide sum, product;

	memcpy(&a, data, sizeof(a));
	memcpy(&b, data + sizeof(a), sizeof(b));
	if (!quantity_known(a) || !quantity_known(b)) {
		assert(!quantity_known(quantity_add(a, b)) && !quantity_known(quantity_mul(a, b)));
		return;
	}
	sum = (wide)a + b;
	product = (wide)a * b;
	assert(quantity_known(quantity_add(a, b)) ? quantity_add(a, b) == sum
						  : sum > INT64_MAX || sum <= INT64_MIN);
	assert(quantity_known(quantity_mul(a, b)) ? quantity_mul(a, b) == product
						  : product > INT64_MAX || product <= INT64_MIN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size), out[SIZE_TEXT];
	struct span span = { (const char *)data, size };
	int64_t bytes;

	check_decimal(span);
	check_shape(span);
	assert(dtype_size(span) >= 0 && unit_bytes(span) >= 0);
	if (size_parse(text, &bytes) == 0) {
		assert(bytes >= 0);
		for (int style = 0; style < SIZE_STYLES; style++) {
			assert(strlen(size_format(out, bytes, (enum size_style)style)) < SIZE_TEXT);
			size_format_change(out, -bytes, (enum size_style)style);
		}
	}
	if (size >= 16)
		check_sums(data);
	free(text);
	return 0;
}
