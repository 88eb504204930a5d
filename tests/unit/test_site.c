/* How places are written. */
#include <criterion/criterion.h>

#include <string.h>

#include "model/doc.h"
#include "model/site.h"

Test(site, says_what_the_log_says)
{
	static const struct {
		struct site site;
		const char *text;
	} rows[] = {
		{ { "/srv/job/train.py", 105, "step" }, "train.py:105 in step" },
		{ { "C:\\job\\train.py", 105, "step" }, "train.py:105 in step" },
		{ { "/srv/a\\b.py", 1, "<module>" }, "a\\b.py:1" },
		{ { "train.py", 7 }, "train.py:7" },
		{ { "train.py", 0, "step" }, "train.py in step" },
		{ { "train.py" }, "train.py" },
		{ { .code_line = 12, .function = "f", .module = "pkg.mod" }, "pkg.mod:12 in f" },
		{ { .code_line = 12 }, "line 12" },
		{ { "train.py", 7, "step", NULL, "after epoch #" }, "after epoch #" },
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_assert_str_eq(site_text(&arena, &rows[i].site), rows[i].text);
	cr_assert_str_eq(site_text(&arena, NULL), "an unnamed place");
	cr_assert_null(site_copy(&arena, NULL));
	arena_release(&arena);
}
