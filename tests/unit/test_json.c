#include <criterion/criterion.h>

#include <math.h>

#include "model/view.h"
#include "render/render.h"

static void assert_json(const struct view *view, const char *expected)
{
	struct render_options options = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(renderer_find("json")->render(view, out, &options), 0);
	fclose(out);
	cr_assert_str_eq(text, expected);
	free(text);
}

Test(json, prints_the_document_with_its_order)
{
	struct view view = VIEW_INIT;
	struct doc *root = view.doc = doc_object(&view.arena);

	doc_set_text(root, "schema", "memlog.leaks/1");
	doc_set_int(root, "b", INT64_MAX);
	doc_set_int(root, "a", INT64_MIN + 1);
	doc_set_int(root, "unknown", QUANTITY_UNKNOWN);
	doc_set_real(root, "tenth", 0.1);
	doc_set_real(root, "nan", NAN);
	doc_set_real(root, "inf", -INFINITY);
	doc_set_bool(root, "yes", true);
	doc_set(root, "none", doc_array(&view.arena));
	doc_add_int(doc_set(root, "some", doc_array(&view.arena)), 7);
	assert_json(&view, "{\n"
			   " \"schema\": \"memlog.leaks/1\",\n"
			   " \"b\": 9223372036854775807,\n"
			   " \"a\": -9223372036854775807,\n"
			   " \"unknown\": null,\n"
			   " \"tenth\": 0.1,\n"
			   " \"nan\": null,\n"
			   " \"inf\": null,\n"
			   " \"yes\": true,\n"
			   " \"none\": [],\n"
			   " \"some\": [\n"
			   "  7\n"
			   " ]\n"
			   "}\n");
	view_release(&view);
}

Test(json, survives_any_bytes)
{
	struct view view = VIEW_INIT;
	struct doc *root = view.doc = doc_object(&view.arena);

	doc_set_text(root, "esc", "\033[31m \"quoted\" \\ 中");
	doc_set_text(root, "bad",
		     "a\xff"
		     "b");
	doc_set_int(root, "k\xfe", 1);
	assert_json(&view, "{\n"
			   " \"esc\": \"\\u001B[31m \\\"quoted\\\" \\\\ 中\",\n"
			   " \"bad\": \"a\xef\xbf\xbd"
			   "b\",\n"
			   " \"k\xef\xbf\xbd\": 1\n"
			   "}\n");
	view_release(&view);
}

Test(json, makes_rows_of_the_first_table)
{
	struct view view = VIEW_INIT;
	struct table *t = view_table(&view, "runs");

	table_column(t, "id", CELL_INT);
	table_column(t, "name", CELL_TEXT);
	table_column(t, "time", CELL_TIME);
	table_column(t, "rate", CELL_REAL);
	table_column(t, "id", CELL_BYTES);
	table_row(t);
	cell_int(t, 1);
	cell_text(t, "a\"b");
	cell_int(t, 0);
	cell_real(t, 0.1);
	cell_int(t, 1024);
	table_row(t);
	cell_int(t, 2);
	cell_null(t);
	cell_null(t);
	cell_real(t, NAN);
	cell_int(t, QUANTITY_UNKNOWN);
	assert_json(
		&view,
		"{\n"
		" \"schema\": \"memlog.runs/1\",\n"
		" \"runs\": [\n"
		"  {\"id\": 1, \"name\": \"a\\\"b\", \"time\": \"1970-01-01T00:00:00Z\", "
		"\"rate\": 0.1, \"id:2\": 1024},\n"
		"  {\"id\": 2, \"name\": null, \"time\": null, \"rate\": null, \"id:2\": null}\n"
		" ]\n"
		"}\n");
	view_release(&view);
}

Test(json, is_a_document_even_when_empty)
{
	struct view view = VIEW_INIT;

	assert_json(&view, "{}\n");
	table_column(view_table(&view, "runs"), "id", CELL_INT);
	assert_json(&view, "{\n \"schema\": \"memlog.runs/1\",\n \"runs\": []\n}\n");
	view_release(&view);
}
