#include <criterion/criterion.h>

#include <time.h>

#include "base/units.h"
#include "cli/progress.h"

/* What a progress wrote; `late` pretends that its first second is over. */
static char *written(bool enabled, bool late, const char *what, int64_t done, int64_t total)
{
	struct progress p;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	progress_init(&p, out, enabled);
	if (late)
		p.next = 0;
	progress_update(&p, what, done, total);
	progress_update(&p, what, done, total); /* too soon */
	progress_finish(&p);
	fclose(out);
	return text;
}

Test(progress, is_silent_for_quick_jobs_and_off_terminals)
{
	char *quick = written(true, false, "run.txt", 1, 2), *off = written(false, true, "x", 1, 2);

	cr_assert_str_eq(quick, "");
	cr_assert_str_eq(off, "");
	free(quick);
	free(off);
}

Test(progress, draws_once_and_erases)
{
	char *text = written(true, true, "run.txt", 512 * MIB, GIB);

	cr_assert_str_eq(text, "\r\033[Krun.txt  512.0 MiB of 1.0 GiB, 50%\r\033[K");
	free(text);
}

Test(progress, shows_harmless_names_and_unknown_totals)
{
	char *text =
		written(true, true, "a\033[31m/0123456789012345678901234567890123456789", 10, -1);

	cr_assert_str_eq(text, "\r\033[K...0123456789012345678901234567890123456789  10 B\r\033[K");
	free(text);
	text = written(true, true, "a\033b", 10, -1);
	cr_assert_str_eq(text, "\r\033[Ka?b  10 B\r\033[K");
	free(text);
}
