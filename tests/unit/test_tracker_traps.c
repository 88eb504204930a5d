#include <criterion/criterion.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "feed.h"

/*
 * What tracker reports do to naive readers, one test a trap: numbers, rows and blocks.
 * test_tracker_damage.c has the damage done by killed programs, second writers and web pages.
 */

static int64_t mb(double n)
{
	return (int64_t)(n * 1000 * 1000 + 0.5);
}

static int64_t mib(double n)
{
	return (int64_t)(n * 1024 * 1024 + 0.5);
}

Test(trap, 01_blanks_before_the_unit_may_be_two_or_none)
{
	struct feed f;

	feed_text(&f, HEAD_2018 AT_2018(13, "696.5  ") AT_2018(14, "12345.7"));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].used, mb(696.5));
	cr_expect_eq(f.points.at[1].used, mb(12345.7));
	feed_release(&f);
}

Test(trap, 02_a_long_location_glues_to_the_label)
{
	struct feed f;

	/* 62 characters from the module to the line number: no blank is left before "Total". */
	feed_text(&f, HEAD_2018 "\nAt project.training.distributed.loops run_one_epoch: line "
				"1234Total Used Memory:12.0   Mb\n\n");
	cr_assert_eq(f.points.len, 1);
	cr_expect_eq(f.points.at[0].code_line, 1234);
	cr_expect_str_eq(f.points.at[0].function, "run_one_epoch");
	cr_expect_eq(f.points.at[0].used, mb(12));
	feed_release(&f);
}

static const struct {
	const char *row;
	int64_t bytes;
} shapes[] = {
	{ ROW("+", "1", "()", "7.6293", TENSOR, "float64"), 8 },
	{ ROW("+", "3", "()", "1.1444", TENSOR, "float32"), 12 },
	{ ROW("+", "1", "(512,)", "0.0019", TENSOR, "float32"), 512 * 4 },
	{ ROW("+", "1", "(0, 3)", "0.0", TENSOR, "float32"), 0 },
};

static void check_shape(size_t i)
{
	struct strbuf text = STRBUF_INIT;
	struct feed f;

	strbuf_addf(&text, "%s%s%s", HEAD, shapes[i].row, AT(1, "0.0    ", "0.0    "));
	feed_text(&f, text.buf);
	cr_assert_eq(f.points.len, 1);
	cr_assert_eq(f.points.at[0].rows, 1, "%s", shapes[i].row);
	cr_expect_eq(f.points.at[0].visible, shapes[i].bytes, "%s", shapes[i].row);
	feed_release(&f);
	strbuf_release(&text);
}

Test(trap, 03_an_empty_tuple_is_one_element)
{
	check_shape(0);
	check_shape(1);
}

Test(trap, 04_a_trailing_comma_is_one_dimension_and_zero_is_a_size)
{
	check_shape(2);
	check_shape(3);
}

Test(trap, 05_a_scalar_prints_as_megabytes_and_takes_four_bytes)
{
	struct feed f;

	/* 4 / 1024² = 3.814697265625e-06, of which six characters are printed. */
	feed_text(&f, HEAD ROW("+", "1", "()", "3.8146", TENSOR, "float32")
			      AT(1, "0.0    ", "0.0    "));
	cr_expect_eq(f.points.at[0].visible, 4);
	cr_expect_eq(feed_count(&f, "printed-size-disagrees"), 1);
	cr_expect_eq(feed_note(&f, "printed-size-disagrees")->line, 3);
	cr_expect_null(f.runs.at[0].damage, "a lossy print is no damage");
	feed_release(&f);
}

/* str(n / unit)[:6], and what shape and dtype say. */
static const struct {
	const char *row;
	int64_t bytes;
	bool flagged; /* the print, taken as a number, would be far off */
} prints[] = {
	/* 12 / 10^6 = 1.2e-05. */
	{ ROW_2018("+", "1", "(3,)", "1.2e-0", TENSOR), 12, true },
	/* No whole number of bytes prints so; it was seen all the same. */
	{ ROW_2018("+", "1", "(1, 256)", "1.024e", TENSOR), 1024, true },
	/* 3086419750 · 4 = 12345679000 */
	{ ROW_2018("+", "1", "(3086419750,)", "12345.", TENSOR), INT64_C(12345679000), false },
	{ ROW_2018("+", "1", "()", "4e-06", TENSOR), 4, false },
};

Test(trap, 06_prints_that_are_no_numbers_are_accepted)
{
	for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		struct strbuf text = STRBUF_INIT;
		struct feed f;

		strbuf_addf(&text, "%s%s%s%s", HEAD_2018, AT_2018(12, "1.0    "), prints[i].row,
			    AT_2018(13, "1.0    "));
		feed_text(&f, text.buf);
		cr_assert_eq(f.unmatched, 0, "%s", prints[i].row);
		cr_expect_eq(f.points.at[1].visible, prints[i].bytes, "%s", prints[i].row);
		cr_expect_eq(feed_count(&f, "printed-size-disagrees"), prints[i].flagged, "%s",
			     prints[i].row);
		feed_release(&f);
		strbuf_release(&text);
	}
}

Test(trap, 07_digits_lost_before_the_point_are_told)
{
	struct feed f;

	/* 308641950 · 4000 = 1234567800000 bytes = 1234567.8 MB, cut to "123456". */
	feed_text(&f, HEAD_2018 AT_2018(12, "1.0    ")
			      ROW_2018("+", "1000", "(308641950,)", "123456", TENSOR)
				      AT_2018(13, "1.0    "));
	cr_expect_eq(f.points.at[1].visible, INT64_C(1234567800000));
	cr_assert_eq(feed_count(&f, "lost-digits"), 1);
	cr_expect_eq(feed_note(&f, "lost-digits")->line, 6);
	feed_release(&f);
}

/* 512 · 512 · 3 · 3 · 4 = 9437184 bytes = 9 MiB. */
#define CONV "(512, 512, 3, 3)"
#define SEVEN_CONVS HEAD ROW("+", "7", CONV, "63.0", PARAMETER, "float32") AT(1, "63.0   ", "63.0   ")

Test(trap, 08_counts_are_joint_over_classes)
{
	struct feed f;

	feed_text(&f, SEVEN_CONVS ROW("+", "8", CONV, "72.0", PARAMETER, "float32")
			      ROW("+", "8", CONV, "72.0", TENSOR, "float32")
				      ROW("-", "7", CONV, "63.0", PARAMETER, "float32")
					      AT(2, "72.0   ", "72.0   "));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].visible, mib(63));
	cr_expect_eq(f.points.at[1].visible, mib(72), "one tensor more, not 81 MiB");
	cr_expect_eq(f.notes.len, 0);
	feed_release(&f);
}

Test(trap, 09_the_order_of_rows_means_nothing)
{
	const char *orders[] = {
		SEVEN_CONVS ROW("+", "8", CONV, "72.0", PARAMETER, "float32")
			ROW("+", "8", CONV, "72.0", TENSOR, "float32")
				ROW("+", "2", "(1024, 1024)", "8.0", TENSOR, "float32")
					ROW("-", "7", CONV, "63.0", PARAMETER, "float32")
						AT(2, "80.0   ", "80.0   "),
		SEVEN_CONVS ROW("+", "2", "(1024, 1024)", "8.0", TENSOR, "float32")
			ROW("+", "8", CONV, "72.0", TENSOR, "float32")
				ROW("+", "8", CONV, "72.0", PARAMETER, "float32")
					ROW("-", "7", CONV, "63.0", PARAMETER, "float32")
						AT(2, "80.0   ", "80.0   "),
	};

	for (int i = 0; i < 2; i++) {
		struct feed f;

		feed_text(&f, orders[i]);
		cr_expect_eq(f.points.at[1].visible, mib(80));
		cr_expect_eq(f.points.at[1].rows, 3);
		cr_expect_eq(feed_row(&f, 1, "(1024, 1024)")->count, 2);
		cr_expect_eq(f.notes.len, 0);
		feed_release(&f);
	}
}

Test(trap, 10_plus_rows_precede_the_minus_rows_they_cancel)
{
	struct feed f;

	feed_text(&f, SEVEN_CONVS ROW("+", "8", CONV, "72.0", PARAMETER, "float32")
			      ROW("-", "7", CONV, "63.0", PARAMETER, "float32")
				      AT(2, "72.0   ", "72.0   "));
	cr_expect_eq(f.points.at[1].visible, mib(72));
	cr_assert_eq(f.points.at[1].rows, 1);
	cr_expect_eq(f.points.at[1].row[0].count, 8);
	feed_release(&f);
}

static const struct {
	const char *what, *text;
	int64_t first, second; /* visible */
} sides[] = {
	{ "2018-09: after its rows",
	  HEAD_2018 AT_2018(12, "1.0    ") ROW_2018("+", "1", "(1000, 250)", "1.0", TENSOR)
		  AT_2018(13, "2.0    "),
	  0, 1000000 },
	{ "2021-04: after its rows",
	  HEAD AT(12, "0.0    ", "0.0    ") ROW("+", "1", "(1024, 256)", "1.0", TENSOR, "float32")
		  AT(13, "1.0    ", "1.0    "),
	  0, 1048576 },
	{ "2018-06: before its rows",
	  "At train step: line 41                            Total Used Memory:1181.4 Mb\n"
	  "+ train step: line 41                                (1024, 256)          1.00 M " TENSOR
	  "\nAt train step: line 42                            Total Used Memory:1182.4 Mb\n"
	  "+ train step: line 42                                (1024, 512)          2.00 M " TENSOR
	  "\n",
	  1048576, 3 * 1048576 },
	{ "where first: before its rows",
	  HEAD "At main.py line 12: train        Total Tensor Used Memory:1.0    Mb Total Allocated "
	       "Memory:1.0    Mb\n" ROW("+", "1", "(1024, 256)", "1.0", TENSOR, "float32")
	       "\nAt main.py line 13: train        Total Tensor Used Memory:3.0    Mb Total Allocated "
	       "Memory:3.0    Mb\n" ROW("+", "1", "(1024, 512)", "2.0", TENSOR, "float32") "\n",
	  1048576, 3 * 1048576 },
	{ "label: before its rows",
	  "GPU Memory Tracker\n\n190823141502 | @ __main__ <module>: line 21 | Total Used Memory: "
	  "1103.8MB\n+ |  1 * Size:(1000, 250) | Memory: 1.000MB | " TENSOR ", torch.float32\n\n"
	  "190823141503 | @ __main__ <module>: line 22 | Total Used Memory: 1103.8MB\n"
	  "+ |  1 * Size:(1000, 500) | Memory: 2.000MB | " TENSOR ", torch.float32\n\n",
	  1000000, 3000000 },
	{ "cuda or mps: before its rows",
	  "11-Feb-25-09:14:02\na: t.py line 1 in f\nTotal Tensor Memory: 1.0Mb\n"
	  "Allocated Tensor Memory: 1.0Mb\nTotal Cache Memory: 2.0Mb\n"
	  "+ |     1 * (1024, 256)          | 1.0    M | Tensor     |  float32 | cuda\n\n"
	  "11-Feb-25-09:14:03\na: t.py line 2 in f\nTotal Tensor Memory: 3.0Mb\n"
	  "Allocated Tensor Memory: 3.0Mb\nTotal Cache Memory: 4.0Mb\n"
	  "+ |     1 * (1024, 512)          | 2.0    M | Tensor     |  float32 | cuda\n",
	  1048576, 3 * 1048576 },
};

Test(trap, 11_rows_belong_to_the_place_after_or_before_them_by_dialect)
{
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		struct feed f;

		feed_text(&f, sides[i].text);
		cr_assert_eq(f.points.len, 2, "%s: %zu points", sides[i].what, f.points.len);
		cr_expect_eq(f.unmatched, 0, "%s: %s", sides[i].what, f.first_unmatched);
		cr_expect_eq(f.points.at[1].visible, sides[i].second, "%s", sides[i].what);
		cr_expect_eq(f.points.at[0].visible, sides[i].first, "%s: %lld", sides[i].what,
			     (long long)f.points.at[0].visible);
		feed_release(&f);
	}
}

Test(trap, 12_the_side_is_told_by_blank_lines_not_by_the_first_row)
{
	struct feed f;

	/* An upstream report whose first place has no rows, as nearly all have. */
	feed_text(&f, HEAD AT(12, "0.0    ", "0.0    ") AT(13, "0.0    ", "0.0    ")
			      ROW("+", "1", "(1024, 256)", "1.0", TENSOR, "float32")
				      AT(14, "1.0    ", "1.0    "));
	cr_assert_eq(f.points.len, 3);
	cr_expect_eq(f.points.at[1].rows, 0);
	cr_expect_eq(f.points.at[2].rows, 1);
	cr_expect_eq(f.points.at[2].code_line, 14);
	feed_release(&f);
	/* The same without its blank lines, as web pages print it. */
	feed_text(&f, "At main.py line 13: f Total Tensor Used Memory:0.0 Mb Total Allocated "
		      "Memory:0.0 Mb\n" ROW("+", "1", "(1024, 256)", "1.0", TENSOR, "float32")
		      "At main.py line 14: f Total Tensor Used Memory:1.0 Mb Total Allocated "
		      "Memory:1.0 Mb\n");
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].rows, 0);
	cr_expect_eq(f.points.at[1].rows, 1);
	feed_release(&f);
}

Test(trap, 13_the_header_is_no_point)
{
	struct feed f;

	feed_text(&f, HEAD AT(1, "0.0    ", "0.0    ") AT(2, "0.0    ", "0.0    ")
			      AT(3, "0.0    ", "0.0    ") AT(4, "0.0    ", "0.0    ")
				      AT(5, "0.0    ", "0.0    "));
	cr_expect_eq(f.runs.len, 1);
	cr_expect_eq(f.points.len, 5);
	feed_release(&f);
}

Test(trap, 14_a_second_header_is_a_new_run_with_nothing_alive)
{
	struct feed f;

	feed_text(&f, SEVEN_CONVS
		  "GPU Memory Track | 11-Feb-25-10:00:00 | Total Tensor Used Memory:9.0    Mb Total "
		  "Allocated Memory:9.0    Mb\n\n" ROW("+", "1", CONV, "9.0", PARAMETER, "float32")
			  AT(1, "9.0    ", "9.0    "));
	cr_assert_eq(f.runs.len, 2);
	cr_expect_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[1].run, 1);
	cr_expect_eq(f.points.at[1].visible, mib(9));
	cr_expect_eq(f.notes.len, 0, "%s", f.notes.len ? f.notes.at[0].text : "");
	/* 46 minutes lie between 09:14:02 and 10:00:00, less two seconds. */
	cr_expect_eq(f.runs.at[1].started - f.runs.at[0].started, (46 * 60 - 2) * SECOND);
	feed_release(&f);
}

Test(trap, 17_a_report_without_rows_is_valid)
{
	struct feed f;

	feed_text(&f, HEAD AT(1, "1.0    ", "2.0    ") AT(2, "3.0    ", "4.5    "));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].visible, mib(1));
	cr_expect_eq(f.points.at[1].visible, mib(3));
	cr_expect_eq(f.points.at[1].allocated, mib(4.5));
	cr_expect_not(f.runs.at[0].rows);
	cr_expect_null(f.runs.at[0].damage);
	cr_expect_eq(f.notes.len, 0);
	feed_release(&f);
}

Test(trap, 20_without_a_dtype_elements_are_four_bytes)
{
	struct feed f;

	/* 10,000,000 int64 are 80 MB; the tool prints 40 and means it. */
	feed_text(&f, HEAD_2018 AT_2018(12, "1.0    ") ROW_2018("+", "1", "(10000000,)", "40.0", TENSOR)
			      AT_2018(13, "9.0    "));
	cr_expect_eq(f.points.at[1].visible, 40000000);
	cr_expect_eq(f.runs.at[0].printed_unit, 1000000);
	cr_expect_eq(f.notes.len, 0);
	feed_release(&f);
}

Test(trap, 21_int16_is_two_bytes_but_eight_thirds_in_the_total)
{
	struct feed f;

	/* 3145728 · 8/3 = 8388608 = 8 MiB is printed; 3145728 · 2 = 6 MiB are there. */
	feed_text(&f, HEAD ROW("+", "1", "(1024, 3072)", "8.0", TENSOR, "int16")
			      AT(1, "8.0    ", "6.0    "));
	cr_expect_eq(f.points.at[0].visible, mib(6));
	cr_expect_eq(feed_count(&f, "total-disagrees"), 0);
	cr_expect_null(f.runs.at[0].damage);
	feed_release(&f);
	/* The same total is wrong for float16, which the tool counts rightly. */
	feed_text(&f, HEAD ROW("+", "1", "(1024, 3072)", "6.0", TENSOR, "float16")
			      AT(1, "8.0    ", "6.0    "));
	cr_expect_eq(feed_count(&f, "total-disagrees"), 1);
	cr_expect_not_null(f.runs.at[0].damage);
	feed_release(&f);
}

Test(trap, 22_the_unit_changes_with_the_generation)
{
	struct feed f;

	feed_text(&f, HEAD_2018 AT_2018(12, "1.0    ") ROW_2018("+", "1", "(1000, 5000)", "20.0", TENSOR)
			      AT_2018(13, "25.0   ") HEAD AT(1, "0.0    ", "0.0    ")
				      ROW("+", "1", "(1024, 5120)", "20.0", TENSOR, "float32")
					      AT(2, "20.0   ", "25.0   "));
	cr_assert_eq(f.runs.len, 2);
	cr_assert_eq(f.points.len, 4);
	cr_expect_eq(f.points.at[1].used, mb(25));
	cr_expect_eq(f.points.at[3].allocated, mib(25));
	cr_expect_str_eq(f.runs.at[0].dialect, "gpu-mem-track-2018");
	cr_expect_str_eq(f.runs.at[1].dialect, "gpu-mem-track-2021");
	cr_expect_eq(f.runs.at[0].printed_unit, 1000000);
	cr_expect_eq(f.runs.at[1].printed_unit, 1048576);
	cr_expect_eq(f.notes.len, 0);
	feed_release(&f);
}

Test(trap, 22_the_unit_is_measured_where_the_label_lies)
{
	struct feed f;

	/* A patched tracker: 2021-04 lines in powers of 1000.  10 · 1000 · 100 · 4 = 4 MB. */
	feed_text(&f, HEAD ROW("+", "10", "(1000, 100)", "4.0", TENSOR, "float32")
			      AT(1, "4.0    ", "5.0    "));
	cr_expect_eq(f.points.at[0].visible, mb(4));
	cr_expect_eq(f.points.at[0].allocated, mb(5));
	cr_expect_eq(feed_count(&f, "unit-measured"), 1);
	cr_expect_null(f.runs.at[0].damage);
	feed_release(&f);
}

Test(trap, 23_one_block_may_mix_units)
{
	struct feed f;

	feed_text(&f, "Message: after forward\n" ROW_2018("+", "4", "(1024, 1024)", "16.0", PARAMETER)
			      AT_2018(21, "1103.8 "));
	cr_assert_eq(f.points.len, 1);
	cr_expect_eq(f.points.at[0].used, mb(1103.8));
	cr_expect_eq(f.points.at[0].visible, mib(16));
	cr_expect_eq(f.runs.at[0].printed_unit, 1048576);
	cr_expect_eq(f.notes.len, 0, "%s", f.notes.len ? f.notes.at[0].text : "");
	feed_release(&f);
}
