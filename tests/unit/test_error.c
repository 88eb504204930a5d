#include <criterion/criterion.h>

#include "base/error.h"

Test(error, set_returns_minus_one_and_keeps_the_text)
{
	cr_assert_eq(error_set("%s: %d", "a", 1), -1);
	cr_assert_str_eq(error_text(), "a: 1");
	cr_assert_eq(error_kind(), ERROR_TROUBLE);
}

Test(error, kind_follows_the_function)
{
	cr_assert_eq(error_usage("x"), -1);
	cr_assert_eq(error_kind(), ERROR_USAGE);
	cr_assert_eq(error_input("y"), -1);
	cr_assert_eq(error_kind(), ERROR_INPUT);
}

Test(error, may_quote_the_text_before)
{
	error_set("the pattern gives up");
	error_input("rule %s: %s", "a", error_text());
	cr_expect_str_eq(error_text(), "rule a: the pattern gives up");
}
