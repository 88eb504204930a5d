#include <criterion/criterion.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "feed.h"

/*
 * Traps of tracker reports that come from second writers, killed programs, locales, web pages and
 * what stands between the lines.  test_tracker_traps.c has those of the tool itself.
 */

#define MIB_ROW(op, n, mem) ROW(op, n, "(1024, 256)", mem, TENSOR, "float32")

Test(trap, 15_two_headers_of_one_second_are_two_writers)
{
	struct feed f;

	feed_text(&f, HEAD HEAD AT(1, "0.0    ", "0.0    ") MIB_ROW("+", "1", "1.0")
			      AT(2, "1.0    ", "1.0    ") AT(1, "0.0    ", "0.0    "));
	cr_assert_eq(feed_count(&f, "second-writer"), 1);
	cr_expect_eq(feed_note(&f, "second-writer")->line, 3);
	/* A damaged run is never judged by its rows. */
	cr_expect_not_null(f.runs.at[f.runs.len - 1].damage);
	feed_release(&f);
}

Test(trap, 16_a_row_that_comes_twice_is_a_second_writer)
{
	struct feed f;

	feed_text(&f, HEAD MIB_ROW("+", "1", "1.0") AT(1, "1.0    ", "1.0    ")
			      MIB_ROW("+", "1", "1.0") AT(2, "1.0    ", "1.0    "));
	cr_assert_eq(feed_count(&f, "second-writer"), 1);
	cr_expect_eq(feed_note(&f, "second-writer")->line, 7);
	cr_expect_not_null(f.runs.at[0].damage);
	feed_release(&f);
	/* So is one that goes with another count than it had. */
	feed_text(&f, HEAD MIB_ROW("+", "1", "1.0") AT(1, "1.0    ", "1.0    ")
			      MIB_ROW("-", "2", "2.0") AT(2, "1.0    ", "1.0    "));
	cr_expect_eq(feed_count(&f, "second-writer"), 1);
	cr_expect_not_null(f.runs.at[0].damage);
	feed_release(&f);
	/* A report whose beginning is not there may free what it never told of. */
	feed_text(&f, MIB_ROW("-", "2", "2.0") AT(2, "0.0    ", "0.0    "));
	cr_expect_eq(feed_count(&f, "second-writer"), 0);
	cr_expect_eq(feed_count(&f, "row-unknown"), 1);
	feed_release(&f);
}

Test(trap, 16_a_lost_row_shows_in_the_total)
{
	struct feed f;

	feed_text(&f, HEAD MIB_ROW("+", "1", "1.0") AT(1, "3.0    ", "3.0    ")
			      AT(2, "3.0    ", "3.0    "));
	cr_assert_eq(feed_count(&f, "total-disagrees"), 1, "told once, not at each point");
	cr_expect_eq(feed_note(&f, "total-disagrees")->line, 5);
	cr_expect_not_null(f.runs.at[0].damage);
	feed_release(&f);
}

Test(trap, 18_rows_without_their_place_are_left_out)
{
	struct feed f;

	feed_text(&f, HEAD MIB_ROW("+", "1", "1.0") AT(1, "1.0    ", "1.0    ")
			      MIB_ROW("+", "2", "2.0") MIB_ROW("-", "1", "1.0"));
	cr_assert_eq(f.points.len, 1);
	cr_expect_eq(f.points.at[0].visible, MIB);
	cr_expect_eq(feed_count(&f, "truncated"), 1);
	cr_expect_eq(feed_note(&f, "truncated")->line, 7);
	cr_expect_not_null(f.runs.at[0].truncated);
	cr_expect_null(f.runs.at[0].damage, "what came before is whole");
	feed_release(&f);
}

Test(trap, 18_rows_cut_off_by_a_second_header_stay_out_of_its_run)
{
	struct feed f;

	feed_text(&f, HEAD MIB_ROW("+", "1", "1.0") AT(1, "1.0    ", "1.0    ")
			      MIB_ROW("+", "2", "2.0")
		      "GPU Memory Track | 11-Feb-25-10:00:00 | Total Tensor Used Memory:0.0    Mb Total "
		      "Allocated Memory:0.0    Mb\n\n" AT(1, "0.0    ", "0.0    "));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[1].rows, 0);
	cr_expect_eq(feed_note(&f, "truncated")->run, 0);
	feed_release(&f);
}

/* The last block cut at every byte, up to the "b" of its last "Mb". */
Test(trap, 19_a_killed_program_loses_its_last_line_only)
{
	const char *whole = HEAD MIB_ROW("+", "1", "1.0") AT(1, "1.0    ", "1.0    ");
	const char *last = MIB_ROW("+", "2", "2.0") MIB_ROW("-", "1", "1.0")
		AT(2, "2.0    ", "2.0    ");
	struct strbuf text = STRBUF_INIT;

	for (size_t cut = 1; cut <= strlen(last) - strlen("b\n\n"); cut++) {
		struct feed f;

		strbuf_clear(&text);
		strbuf_adds(&text, whole);
		strbuf_add(&text, last, cut);
		feed_bytes(&f, text.buf, text.len);
		cr_assert_eq(f.points.len, 1, "cut at %zu", cut);
		cr_expect_eq(f.points.at[0].visible, MIB);
		cr_expect_null(f.runs.at[0].damage);
		feed_release(&f);
	}
	strbuf_release(&text);
}

/* 2018-09-12 21:48:45 UTC: 17786 days are 1536710400 s; 78525 s more. */
#define SEPTEMBER_2018 INT64_C(1536788925)

static const struct {
	const char *time;
	int64_t seconds; /* -1: not known */
} times[] = {
	{ "12-Sep-18-21:48:45", SEPTEMBER_2018 },
	{ "12-9月-18-21:48:45", SEPTEMBER_2018 },
	{ "12- 9月-18-21:48:45", SEPTEMBER_2018 },
	{ "12-sept.-18-21:48:45", SEPTEMBER_2018 },
	{ "12-сен-18-21:48:45", SEPTEMBER_2018 },
	/* 184 days before: March has 31 days to go less 12, … 31+30+31+30+31+31 = 184. */
	{ "12-Mär-18-21:48:45", SEPTEMBER_2018 - INT64_C(184) * 86400 },
	{ "12-foo-18-21:48:45", -1 },
	{ "??", -1 },
};

static void check_time(const char *time, int64_t seconds)
{
	struct strbuf text = STRBUF_INIT;
	struct feed f;

	strbuf_addf(&text, "GPU Memory Track | %s | Total Used Memory:1.0    Mb\n\n%s", time,
		    AT_2018(13, "696.5  "));
	feed_text(&f, text.buf);
	cr_expect_eq(f.unmatched, 0, "%s", time);
	cr_assert_eq(f.points.len, 1, "%s", time);
	cr_expect_eq(f.runs.at[0].started, seconds < 0 ? TIME_UNKNOWN : seconds * SECOND, "%s",
		     time);
	feed_release(&f);
	strbuf_release(&text);
}

Test(trap, 24_months_come_in_the_language_of_the_machine)
{
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		check_time(times[i].time, times[i].seconds);
}

Test(trap, 25_years_have_two_digits_and_windows_has_no_colons)
{
	check_time("12-Sep-18-21-48-45", SEPTEMBER_2018);
	/* 18 years of 365 days and 5 leap days (2020 … 2036) later. */
	check_time("12-Sep-36-21:48:45", SEPTEMBER_2018 + (18 * 365 + INT64_C(5)) * 86400);
}

Test(trap, 26_the_readme_header_is_one_of_2021)
{
	struct feed f;

	feed_text(&f, "GPU Memory Track | 30-Apr-21-20:25:29 | Total Tensor Used Memory:0.0    Mb Total "
		      "Used Memory:0.0    Mb\n\n\nAt main.py line 31: train                 Total "
		      "Tensor Used Memory:0.5    Mb Total Used Memory:1.5    Mb\n\n");
	cr_expect_eq(f.unmatched, 0);
	cr_assert_eq(f.points.len, 1);
	cr_expect_eq(f.points.at[0].visible, MIB / 2);
	cr_expect_eq(f.points.at[0].allocated, MIB * 3 / 2);
	cr_expect_str_eq(f.runs.at[0].dialect, "gpu-mem-track-2021");
	feed_release(&f);
}

Test(trap, 27_a_place_without_its_function)
{
	struct feed f;

	feed_text(&f, "At __main__ : line 13 Total Used Memory:696.5 Mb\n");
	cr_assert_eq(f.points.len, 1);
	cr_expect_eq(f.points.at[0].code_line, 13);
	cr_expect_str_eq(f.points.at[0].module, "__main__");
	cr_expect_null(f.points.at[0].function);
	feed_release(&f);
}

Test(trap, 28_a_row_without_its_class)
{
	struct feed f;

	/* 7 · 512 · 512 · 3 · 3 · 4 = 66060288 */
	feed_text(&f, HEAD_2018 AT_2018(12, "1.0    ")
		      "+ | 7 * Size:(512, 512, 3, 3) | Memory: 66.060 M |\n" AT_2018(13, "67.0   "));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[1].visible, 66060288);
	cr_assert_eq(f.points.at[1].rows, 1);
	cr_expect_null(f.points.at[1].row[0].class_name);
	feed_release(&f);
}

static const char *const prefixes[] = {
	"# ", "> ", "    ", "> > ", "↳", "[rank0]: ",
	"2023-05-11 10:22:31.123 | INFO     | __main__:log:12 - ",
};

Test(trap, 29_prefixes_are_taken_off)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		struct strbuf text = STRBUF_INIT;
		struct feed f;

		strbuf_addf(&text,
			    "%sAt main.py line 18: train Total Tensor Used Memory:466.5 Mb Total "
			    "Allocated Memory:466.5 Mb\n",
			    prefixes[i]);
		feed_text(&f, text.buf);
		cr_assert_eq(f.points.len, 1, "%s", prefixes[i]);
		cr_expect_eq(f.points.at[0].code_line, 18);
		/* 466.5 · 1024² = 489160704 */
		cr_expect_eq(f.points.at[0].allocated, 489160704);
		feed_release(&f);
		strbuf_release(&text);
	}
}

Test(trap, 29_lists_and_diffs_are_no_rows)
{
	struct feed f;

	feed_text(&f, "+ item\n- item\n+ | a | b |\n- | 3 * 4 | 5 |\n+ Size:(3,) Memory: 3 M\n");
	cr_expect_eq(f.matched, 0);
	cr_expect_eq(f.unmatched, 5);
	cr_expect_eq(f.runs.len, 0);
	feed_release(&f);
}

Test(trap, 30_other_programs_allocate_memory_too)
{
	struct feed f;

	feed_text(&f, "Total allocated memory: 216576\nTotal Allocated Memory: 12.5 MB in 3 arenas\n");
	cr_expect_eq(f.matched, 0);
	feed_release(&f);
}

static const struct {
	const char *what, *text;
} repairs[] = {
	{ "CRLF", "GPU Memory Track | 11-Feb-25-09:14:02 | Total Tensor Used Memory:0.0    Mb Total "
		  "Allocated Memory:0.0    Mb\r\n\r\n+ | 1 * Size:(1024, 256)          | Memory: 1.0 M "
		  "| <class 'torch.Tensor'> | torch.float32\r\n\r\nAt main.py line 1: train Total "
		  "Tensor Used Memory:1.0    Mb Total Allocated Memory:1.0    Mb\r\n\r\n" },
	{ "BOM", "\xef\xbb\xbf" HEAD MIB_ROW("+", "1", "1.0") AT(1, "1.0    ", "1.0    ") },
	{ "NBSP", "+ |\u00a01 * Size:(1024,\u00a0256) | Memory:\u00a01.0 M | <class 'torch.Tensor'> | "
		  "torch.float32\nAt main.py line 1: train\u00a0Total Tensor Used Memory:1.0\u00a0Mb "
		  "Total Allocated Memory:1.0\u00a0Mb\n" },
	{ "full width", "+ ｜ 1 * Size：（1024， 256） ｜ Memory： 1.0 M ｜ <class 'torch.Tensor'> ｜ "
			"torch.float32\nAt main.py line 1： train Total Tensor Used Memory：1.0 Mb "
			"Total Allocated Memory：1.0 Mb\n" },
	{ "entities", "+ | 1 * Size:(1024, 256) | Memory: 1.0 M | &lt;class &#39;torch.Tensor&#39;&gt; "
		      "| torch.float32\nAt main.py line 1: train Total Tensor Used Memory:1.0 Mb Total "
		      "Allocated Memory:1.0 Mb\n" },
	{ "quotes", "+ | 1 * Size:(1024, 256) | Memory: 1.0 M | <class ‘torch.Tensor’> | "
		    "torch.float32\nAt main.py line 1: train Total Tensor Used Memory:1.0 Mb Total "
		    "Allocated Memory:1.0 Mb\n" },
};

Test(trap, 31_what_pages_and_editors_do_is_undone)
{
	for (size_t i = 0; i < sizeof(repairs) / sizeof(*repairs); i++) {
		struct feed f;

		feed_text(&f, repairs[i].text);
		cr_expect_eq(f.unmatched, 0, "%s: %s", repairs[i].what, f.first_unmatched);
		cr_assert_eq(f.points.len, 1, "%s", repairs[i].what);
		cr_expect_eq(f.points.at[0].visible, MIB, "%s", repairs[i].what);
		cr_expect_eq(f.points.at[0].allocated, MIB, "%s", repairs[i].what);
		cr_assert_eq(f.points.at[0].rows, 1, "%s", repairs[i].what);
		cr_expect_str_eq(f.points.at[0].row[0].class_name, "torch.Tensor", "%s",
				 repairs[i].what);
		feed_release(&f);
	}
}

static const struct {
	const char *place, *file;
	int64_t line;
} places[] = {
	{ "/data/a line 3: b/run.py line 88: step", "/data/a line 3: b/run.py", 88 },
	{ "C:\\Users\\a b\\run.py line 8: step", "C:\\Users\\a b\\run.py", 8 },
	{ "<ipython-input-5-0a1b2c3d4e5f> line 3: step", "<ipython-input-5-0a1b2c3d4e5f>", 3 },
};

Test(trap, 32_paths_may_look_like_places)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct strbuf text = STRBUF_INIT;
		struct feed f;

		strbuf_addf(&text,
			    "%s\nAt %s  Total Tensor Used Memory:0.0    Mb Total Allocated "
			    "Memory:0.0    Mb\n\n",
			    HEAD, places[i].place);
		feed_text(&f, text.buf);
		cr_assert_eq(f.points.len, 1, "%s", places[i].place);
		cr_expect_str_eq(f.points.at[0].file, places[i].file);
		cr_expect_eq(f.points.at[0].code_line, places[i].line);
		cr_expect_str_eq(f.points.at[0].function, "step");
		feed_release(&f);
		strbuf_release(&text);
	}
}

Test(trap, 33_classes_may_hold_angle_brackets)
{
	struct feed f;

	feed_text(&f, HEAD ROW("+", "1", "(1024, 256)", "1.0", "<class '__main__.f.<locals>.W'>",
			       "float32") AT(1, "1.0    ", "1.0    "));
	cr_assert_eq(f.points.at[0].rows, 1);
	cr_expect_str_eq(f.points.at[0].row[0].class_name, "__main__.f.<locals>.W");
	cr_expect_str_eq(f.points.at[0].row[0].dtype, "torch.float32");
	feed_release(&f);
}

Test(trap, 34_more_tensors_than_memory_is_a_note)
{
	struct feed f;

	feed_text(&f, HEAD MIB_ROW("+", "2", "2.0") AT(1, "2.0    ", "1.0    ")
			      AT(2, "2.0    ", "1.0    "));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].visible, 2 * MIB);
	cr_expect_eq(f.points.at[0].allocated, MIB);
	cr_expect_eq(feed_count(&f, "visible-exceeds-allocated"), 1, "once a run");
	cr_expect_null(f.runs.at[0].damage);
	feed_release(&f);
}

Test(trap, 38_nan_is_no_number)
{
	struct feed f;

	feed_text(&f, HEAD AT(1, "nan    ", "nan    ") AT(2, "1.0    ", "nan    "));
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].visible, QUANTITY_UNKNOWN);
	cr_expect_eq(f.points.at[0].allocated, QUANTITY_UNKNOWN);
	cr_expect_eq(f.points.at[1].visible, MIB);
	feed_release(&f);
	feed_text(&f, HEAD_2018 AT_2018(13, "nan    "));
	cr_assert_eq(f.points.len, 1);
	cr_expect_eq(f.points.at[0].used, QUANTITY_UNKNOWN);
	feed_release(&f);
}

/* A quadratic pattern would take hours here: 10^6 characters squared. */
Test(trap, 39_long_lines_and_long_files_pass, .timeout = 120)
{
	enum { BLOCKS = 50000, LONG = 1000 * 1000 };
	static const char *const starts[] = { "At ", "+ | 1 * Size:(", "GPU Memory Track | ", "", "> " };
	static const char fills[] = { ' ', '1', 'x', '(', ':' };
	struct strbuf text = STRBUF_INIT;
	struct feed f;

	strbuf_adds(&text, HEAD);
	for (int i = 0; i < BLOCKS; i++)
		strbuf_addf(&text, "%s", AT(1, "0.0    ", "0.0    "));
	for (int i = 0; i < 5; i++) {
		strbuf_adds(&text, starts[i]);
		for (int n = 0; n < LONG; n++)
			strbuf_addc(&text, fills[i]);
		strbuf_addc(&text, '\n');
	}
	strbuf_adds(&text, AT(2, "1.0    ", "1.0    "));
	/* 2 of the header, 3 a block, the long ones, 3 of the last */
	feed_bytes(&f, text.buf, text.len);
	cr_expect_eq(f.matched + f.unmatched + f.blank, 2 + 3 * BLOCKS + 5 + 3);
	cr_expect_eq(f.points.len, BLOCKS + 1);
	cr_expect_eq(f.points.at[BLOCKS].allocated, MIB);
	feed_release(&f);
	strbuf_release(&text);
}
