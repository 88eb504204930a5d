#include <criterion/criterion.h>

#include <locale.h>

#include "model/view.h"
#include "render/render.h"
#include "render/text.h"

static char *render(const struct view *view, struct render_options options)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert_eq(renderer_find("table")->render(view, out, &options), 0);
	fclose(out);
	return text;
}

#define assert_shows(view, options, expected) \
	do { \
		char *shown = render(view, (struct render_options)options); \
		cr_assert_str_eq(shown, expected); \
		free(shown); \
	} while (0)
#define OPTIONS(...) \
	{ \
		__VA_ARGS__ \
	}

Test(renderers, are_found_by_name)
{
	char *names = renderer_names();

	cr_assert_str_eq(names, "table, json, csv, markdown");
	cr_assert_str_eq(renderer_find("csv")->name, "csv");
	cr_assert_null(renderer_find("yaml"));
	free(names);
}

Test(terminal, wraps_at_blanks_with_indent_and_hang)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 2)->hang = 4;
	view_text(&view, TONE_PLAIN, "why   the outputs of a forward pass are kept, and each");
	view_text(&view, TONE_PLAIN, " keeps its graph alive");
	assert_shows(&view, OPTIONS(.width = 30),
		     "  why   the outputs of a\n"
		     "      forward pass are kept,\n"
		     "      and each keeps its graph\n"
		     "      alive\n");
	view_release(&view);
}

Test(terminal, does_not_wrap_without_width)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	for (int i = 0; i < 50; i++)
		view_text(&view, TONE_PLAIN, "0123456789 ");
	char *shown = render(&view, (struct render_options){ 0 });

	cr_assert_eq(strlen(shown), 50 * 11);
	free(shown);
	view_release(&view);
}

Test(terminal, breaks_between_wide_characters_but_not_before_closing_punctuation)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "显存在每次迭代之后增长，原因未知");
	assert_shows(&view, OPTIONS(.width = 22),
		     "显存在每次迭代之后增\n"
		     "长，原因未知\n");
	view_release(&view);
}

Test(terminal, keeps_a_long_word_whole)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "at /a/very/long/path/to/the/file/train.py now");
	assert_shows(&view, OPTIONS(.width = 20),
		     "at\n/a/very/long/path/to/the/file/train.py\nnow\n");
	view_release(&view);
}

Test(terminal, separates_blocks_unless_tight)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "one");
	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "two");
	view_paragraph(&view, 0)->tight = true;
	view_text(&view, TONE_PLAIN, "three");
	assert_shows(&view, OPTIONS(.width = 80), "one\n\ntwo\nthree\n");
	view_release(&view);
}

Test(terminal, colours_only_when_asked)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "run ");
	view_text(&view, TONE_BAD, "LEAK");
	view_text(&view, TONE_PLAIN, " x");
	assert_shows(&view, OPTIONS(.width = 80), "run LEAK x\n");
	assert_shows(&view, OPTIONS(.width = 80, .color = true), "run \033[1;31mLEAK\033[0m x\n");
	view_release(&view);
}

Test(terminal, shows_what_a_log_tries_to_hide)
{
	static const struct {
		const char *log, *shown;
	} cases[] = {
		{ "\033[2J\033]0;x\a", "\\x1b[2J\\x1b]0;x\\x07\n" },
		{ "a\nb\r\tc", "a\\x0ab\\x0d\\x09c\n" },
		{ "\xc2\x9b"
		  "31m",
		  "\\x9b31m\n" },
		{ "x\u202ecba", "x\\u202ecba\n" },
		{ "bad \xff\xfe", "bad \\xff\\xfe\n" },
		{ "\xc0\x9b", "\\xc0\\x9b\n" }, /* an overlong form is no UTF-8 */
		{ "100% %s %n", "100% %s %n\n" },
		{ "", "\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct view view = VIEW_INIT;

		view_paragraph(&view, 0);
		view_text(&view, TONE_PLAIN, "%s", cases[i].log);
		assert_shows(&view, OPTIONS(.width = 80), cases[i].shown);
		view_release(&view);
	}
}

static void fill(struct table *t)
{
	table_column(t, "name", CELL_TEXT);
	table_column(t, "points", CELL_INT);
	table_column(t, "allocated", CELL_BYTES);
	table_column(t, "change", CELL_CHANGE);
	table_column(t, "time", CELL_TIME);
	table_row(t);
	cell_text(t, "训练 run");
	cell_int(t, 42);
	cell_int(t, 105169723);
	cell_int(t, 4096);
	cell_int(t, INT64_C(1796000000130000000));
	table_row(t);
	cell_text(t, "b\\x1b\033");
	cell_int(t, 7);
	cell_int(t, QUANTITY_UNKNOWN);
	cell_int(t, -4096);
	cell_null(t);
}

Test(terminal, lays_out_tables)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "runs");

	fill(t);
	t->indent = 2;
	assert_shows(&view, OPTIONS(.width = 100),
		     "  name       points  allocated    change  time\n"
		     "  训练 run       42  100.3 MiB  +4.0 KiB  2026-11-30T00:53:20.130Z\n"
		     "  b\\x1b\\x1b       7          -  -4.0 KiB  -\n");
	t->headless = true;
	view.units = SIZE_BYTES;
	assert_shows(&view, OPTIONS(.width = 100),
		     "  训练 run   42  105169723 B  +4096 B  2026-11-30T00:53:20.130Z\n"
		     "  b\\x1b\\x1b   7            -  -4096 B  -\n");
	view_release(&view);
}

Test(terminal, cuts_text_in_its_middle_but_never_numbers)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "sites");

	table_column(t, "site", CELL_TEXT);
	table_column(t, "bytes", CELL_BYTES);
	table_row(t);
	cell_text(t, "/home/someone/projects/vision/train.py:105");
	cell_int(t, 1024);
	assert_shows(&view, OPTIONS(.width = 30),
		     "site                     bytes\n"
		     "/home/some…ain.py:105  1.0 KiB\n");
	/* Below readability the table is wider than asked for. */
	assert_shows(&view, OPTIONS(.width = 10),
		     "site                bytes\n"
		     "/home/so….py:105  1.0 KiB\n");
	view_release(&view);
}

Test(terminal, keeps_columns_of_empty_text)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "rows");

	table_column(t, "a", CELL_TEXT);
	table_column(t, "tag", CELL_TEXT);
	table_column(t, "n", CELL_INT);
	table_row(t);
	cell_text(t, "x");
	cell_text(t, "");
	cell_int(t, 1);
	assert_shows(&view, OPTIONS(.width = 80), "a  tag  n\nx       1\n");
	view_release(&view);
}

Test(terminal, leaves_out_tables_without_rows)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "no runs");
	table_column(view_table(&view, "runs"), "id", CELL_INT);
	assert_shows(&view, OPTIONS(.width = 80), "no runs\n");
	view_release(&view);
}

Test(text, shorten_counts_columns)
{
	static const struct {
		const char *text;
		int columns;
		const char *expected;
	} cases[] = {
		{ "abcdef", 6, "abcdef" },     { "abcdef", 5, "ab…ef" },   { "abcdef", 1, "…" },
		{ "中文字符", 8, "中文字符" }, { "中文字符", 5, "中…符" }, { "", 3, "" },
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf sb = STRBUF_INIT;

		text_shorten(&sb, span_of(cases[i].text), cases[i].columns);
		cr_assert_str_eq(sb.buf, cases[i].expected);
		cr_assert_leq(text_width(strbuf_span(&sb)), cases[i].columns);
		strbuf_release(&sb);
	}
}
