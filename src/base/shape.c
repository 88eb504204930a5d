#include "base/shape.h"

#include <ctype.h>

#include "base/units.h"

bool shape_parse(struct span text, struct shape *shape)
{
	struct decimal number;
	struct span digits;

	*shape = (struct shape){ .numel = 1 };
	text = span_trim(text);
	if (text.len < 2 || text.ptr[0] != '(' || text.ptr[text.len - 1] != ')')
		return false;
	text = span_trim((struct span){ text.ptr + 1, text.len - 2 });
	while (text.len) {
		/* A number is more than digits may be: "+5", "5." and "5.0" are no sizes. */
		digits = text;
		if (shape->rank == SHAPE_MAX_RANK || !decimal_parse(text, &number, &text) ||
		    !isdigit((unsigned char)digits.ptr[0]) ||
		    memchr(digits.ptr, '.', digits.len - text.len))
			return false;
		shape->dim[shape->rank++] = number.mantissa;
		shape->numel = quantity_mul(shape->numel, number.mantissa);
		text = span_trim(text);
		if (!text.len)
			break;
		if (text.ptr[0] != ',')
			return false;
		text = span_trim(span_skip(text, 1));
	}
	return true;
}

/* torch's dtypes and their aliases; the quantised ones and the float8 family count one byte. */
static const struct {
	const char *name;
	int size;
} dtypes[] = {
	{ "float32", 4 },
	{ "float", 4 },
	{ "float64", 8 },
	{ "double", 8 },
	{ "float16", 2 },
	{ "half", 2 },
	{ "bfloat16", 2 },
	{ "int64", 8 },
	{ "long", 8 },
	{ "int32", 4 },
	{ "int", 4 },
	{ "int16", 2 },
	{ "short", 2 },
	{ "int8", 1 },
	{ "uint8", 1 },
	{ "uint16", 2 },
	{ "uint32", 4 },
	{ "uint64", 8 },
	{ "bool", 1 },
	{ "complex32", 4 },
	{ "chalf", 4 },
	{ "complex64", 8 },
	{ "cfloat", 8 },
	{ "complex128", 16 },
	{ "cdouble", 16 },
	{ "float8_e4m3fn", 1 },
	{ "float8_e5m2", 1 },
	{ "float8_e4m3fnuz", 1 },
	{ "float8_e5m2fnuz", 1 },
	{ "float8_e8m0fnu", 1 },
	{ "quint8", 1 },
	{ "qint8", 1 },
	{ "qint32", 4 },
};

int dtype_size(struct span dtype)
{
	if (span_starts(dtype, "torch."))
		dtype = span_skip(dtype, 6);
	for (size_t i = 0; i < sizeof(dtypes) / sizeof(*dtypes); i++)
		if (span_is(dtype, dtypes[i].name))
			return dtypes[i].size;
	return 0;
}
