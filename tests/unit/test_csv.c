#include <criterion/criterion.h>

#include <math.h>

#include "model/view.h"
#include "render/render.h"

static void assert_csv(const struct view *view, const char *expected)
{
	struct render_options options = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(renderer_find("csv")->render(view, out, &options), 0);
	fclose(out);
	cr_assert_str_eq(text, expected);
	free(text);
}

Test(csv, quotes_what_needs_it)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "rows");
	static const char *const texts[] = { "plain", "a,b", "say \"x\"", "two\nlines",
					     " edge", "",    NULL,        "=1+2" };

	table_column(t, "id", CELL_INT);
	table_column(t, "te,xt", CELL_TEXT);
	for (int i = 0; i < 8; i++) {
		table_row(t);
		cell_int(t, i);
		cell_text(t, texts[i]);
	}
	assert_csv(&view, "id,\"te,xt\"\n"
			  "0,plain\n"
			  "1,\"a,b\"\n"
			  "2,\"say \"\"x\"\"\"\n"
			  "3,\"two\nlines\"\n"
			  "4,\" edge\"\n"
			  "5,\"\"\n"
			  "6,\n"
			  "7,=1+2\n");
	view_release(&view);
}

Test(csv, is_exact)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "rows");

	table_column(t, "bytes", CELL_BYTES);
	table_column(t, "change", CELL_CHANGE);
	table_column(t, "real", CELL_REAL);
	table_column(t, "time", CELL_TIME);
	table_row(t);
	cell_int(t, 105169723);
	cell_int(t, -512);
	cell_real(t, 0.1);
	cell_int(t, 1500000000);
	table_row(t);
	cell_int(t, QUANTITY_UNKNOWN);
	cell_null(t);
	cell_real(t, 1.0 / 3);
	cell_int(t, 2000000000);
	table_row(t);
	cell_int(t, 0);
	cell_int(t, 512);
	cell_real(t, NAN);
	cell_null(t);
	assert_csv(&view, "bytes,change,real,time\n"
			  "105169723,-512,0.1,1970-01-01T00:00:01.500Z\n"
			  ",,0.3333333333333333,1970-01-01T00:00:02.000Z\n"
			  "0,512,,\n");
	view_release(&view);
}

Test(csv, separates_tables_and_leaves_out_asides_and_text)
{
	struct view view = VIEW_INIT;
	struct table *t;

	view_paragraph(&view, 0);
	view_text(&view, TONE_BAD, "LEAK");
	table_column(view_table(&view, "a"), "a", CELL_INT);
	t = view_table(&view, "aside");
	t->omit_in_csv = true;
	table_column(t, "x", CELL_INT);
	t = view_table(&view, "b");
	table_column(t, "b", CELL_TEXT);
	table_row(t);
	cell_null(t);
	assert_csv(&view, "a\n\nb\n\"\"\n");
	view_release(&view);
}
