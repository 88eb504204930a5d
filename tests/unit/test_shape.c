#include <criterion/criterion.h>

#include "base/shape.h"
#include "base/units.h"

static const struct {
	const char *text;
	int rank; /* -1: not a tuple */
	int64_t numel, first, last;
} shapes[] = {
	{ "()", 0, 1, 0, 0 },
	{ "( )", 0, 1, 0, 0 },
	{ "(512,)", 1, 512, 512, 512 },
	{ "(0, 3)", 2, 0, 0, 3 },
	/* 64 * 3 * 7 * 7 = 9408 */
	{ "(64, 3, 7, 7)", 4, 9408, 64, 7 },
	{ " (64,3) ", 2, 192, 64, 3 },
	{ "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2)", 32, 2, 1, 2 },
	/* 33 sizes */
	{ "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2)", -1, 0, 0, 0 },
	/* 2^31 * 2^31 * 2 = 2^63 */
	{ "(2147483648, 2147483648, 2)", 3, QUANTITY_UNKNOWN, INT64_C(2147483648), 2 },
	{ "(2147483648, 2147483648)", 2, INT64_C(4611686018427387904), INT64_C(2147483648),
	  INT64_C(2147483648) },
	{ "", -1, 0, 0, 0 },
	{ "(", -1, 0, 0, 0 },
	{ ")", -1, 0, 0, 0 },
	{ "64, 3", -1, 0, 0, 0 },
	{ "(64, 3", -1, 0, 0, 0 },
	{ "[64, 3]", -1, 0, 0, 0 },
	{ "(64 3)", -1, 0, 0, 0 },
	{ "(,)", -1, 0, 0, 0 },
	{ "(64,,3)", -1, 0, 0, 0 },
	{ "(-1, 3)", -1, 0, 0, 0 },
	{ "(+1, 3)", -1, 0, 0, 0 },
	{ "(5., 3)", -1, 0, 0, 0 },
	{ "(5.0,)", -1, 0, 0, 0 },
	{ "(a, b)", -1, 0, 0, 0 },
	{ "(64, 3) x", -1, 0, 0, 0 },
	{ "((64, 3))", -1, 0, 0, 0 },
};

Test(shape, reads_tuples_and_nothing_else)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		const char *text = shapes[i].text;
		struct shape shape;

		cr_expect_eq(shape_parse(span_of(text), &shape), shapes[i].rank >= 0, "%s", text);
		if (shapes[i].rank < 0)
			continue;
		cr_assert_eq(shape.rank, shapes[i].rank, "%s", text);
		cr_expect_eq(shape.numel, shapes[i].numel, "%s", text);
		if (!shape.rank)
			continue;
		cr_expect_eq(shape.dim[0], shapes[i].first, "%s", text);
		cr_expect_eq(shape.dim[shape.rank - 1], shapes[i].last, "%s", text);
	}
	cr_expect_not(shape_parse(SPAN_NONE, &(struct shape){ 0 }));
}

/* Bits of each type as its name has them; bool, half and long as torch documents them. */
static const struct {
	const char *dtype;
	int size;
} sizes[] = {
	{ "torch.float32", 4 },
	{ "float32", 4 },
	{ "torch.float64", 8 },
	{ "torch.float16", 2 },
	{ "torch.bfloat16", 2 },
	{ "torch.half", 2 },
	{ "torch.int64", 8 },
	{ "torch.long", 8 },
	{ "torch.int16", 2 },
	{ "torch.uint8", 1 },
	{ "torch.bool", 1 },
	{ "torch.complex64", 8 },
	{ "torch.complex128", 16 },
	{ "torch.float8_e4m3fn", 1 },
	{ "torch.qint32", 4 },
	{ "torch.", 0 },
	{ "", 0 },
	{ "torch.float33", 0 },
	{ "Torch.float32", 0 },
	{ "torch.torch.float32", 0 },
};

Test(shape, knows_the_sizes_of_dtypes)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		cr_expect_eq(dtype_size(span_of(sizes[i].dtype)), sizes[i].size, "%s",
			     sizes[i].dtype);
}
