#include <criterion/criterion.h>

#include "model/view.h"
#include "render/render.h"

static void assert_markdown(const struct view *view, const char *expected)
{
	struct render_options options = { .width = 20, .color = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(renderer_find("markdown")->render(view, out, &options), 0);
	fclose(out);
	cr_assert_str_eq(text, expected);
	free(text);
}

Test(markdown, makes_lists_of_indented_paragraphs)
{
	struct view view = VIEW_INIT;

	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "run ");
	view_text(&view, TONE_BAD, "LEAK");
	view_text(&view, TONE_PLAIN, "  +100.3 MiB an iteration");
	view_paragraph(&view, 2);
	view_text(&view, TONE_STRONG, "graph-retained  ");
	view_text(&view, TONE_DIM, "train.py:105 in output_append");
	view_paragraph(&view, 4)->tight = true;
	view_text(&view, TONE_PLAIN, "why   kept");
	view_paragraph(&view, 2);
	view_text(&view, TONE_PLAIN, "next");
	view_paragraph(&view, 0);
	view_text(&view, TONE_PLAIN, "end");
	assert_markdown(&view, "run **LEAK** +100.3 MiB an iteration\n"
			       "\n"
			       "- **graph-retained** train.py:105 in output_append\n"
			       "  - why   kept\n"
			       "\n"
			       "- next\n"
			       "\n"
			       "end\n");
	view_release(&view);
}

Test(markdown, makes_pipe_tables)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "runs");

	table_column(t, "name", CELL_TEXT);
	table_column(t, "size", CELL_BYTES);
	table_row(t);
	cell_text(t, "a|b");
	cell_int(t, 1024);
	table_row(t);
	cell_null(t);
	cell_null(t);
	assert_markdown(&view, "| name | size |\n"
			       "| --- | ---: |\n"
			       "| a\\|b | 1.0 KiB |\n"
			       "| - | - |\n");
	t->headless = true;
	assert_markdown(&view, "|  |  |\n"
			       "| --- | ---: |\n"
			       "| a\\|b | 1.0 KiB |\n"
			       "| - | - |\n");
	view_release(&view);
}

Test(markdown, lets_a_log_inject_nothing)
{
	static const struct {
		const char *log, *shown;
	} cases[] = {
		{ "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;\n" },
		{ "&lt;", "&amp;lt;\n" },
		{ "`code` | \\", "\\`code\\` \\| \\\\\n" },
		{ "![x](http://evil)", "!\\[x\\](http&#58;//evil)\n" },
		{ "*a* __init__ a_b ~~x~~", "\\*a\\* \\_\\_init\\_\\_ a_b \\~\\~x\\~\\~\n" },
		{ "a\n# heading", "a\\\\x0a# heading\n" },
		{ "# heading", "\\# heading\n" },
		{ "- item", "\\- item\n" },
		{ "---", "\\---\n" },
		{ "12. item", "12\\. item\n" },
		{ "    code", "code\n" },
		{ "> quote", "&gt; quote\n" },
		{ "\033[31m", "\\\\x1b\\[31m\n" },
		{ "$x$ %s", "\\$x\\$ %s\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct view view = VIEW_INIT;

		view_paragraph(&view, 0);
		view_text(&view, TONE_PLAIN, "%s", cases[i].log);
		assert_markdown(&view, cases[i].shown);
		view_release(&view);
	}
}
