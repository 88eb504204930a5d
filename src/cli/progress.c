#include "cli/progress.h"

#include <time.h>

#include "base/timestamp.h"
#include "base/units.h"

enum { NAME_BYTES = 40 };

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

void progress_init(struct progress *progress, FILE *err, bool enabled)
{
	*progress = (struct progress){ .err = err, .enabled = enabled };
	if (enabled)
		progress->next = now() + SECOND;
}

/* The end of a path tells more than its beginning; no byte may steer the terminal. */
static void print_name(FILE *out, const char *what)
{
	size_t len = strlen(what);

	if (len > NAME_BYTES) {
		what += len - NAME_BYTES;
		/* Not in the middle of a character. */
		while ((*what & 0xc0) == 0x80)
			what++;
		fputs("...", out);
	}
	for (; *what; what++)
		putc((unsigned char)*what < 0x20 || *what == 0x7f ? '?' : *what, out);
}

void progress_update(struct progress *progress, const char *what, int64_t done, int64_t total)
{
	char size[SIZE_TEXT];
	int64_t time;

	if (!progress->enabled)
		return;
	time = now();
	if (time < progress->next)
		return;
	progress->next = time + SECOND / 10;
	progress->shown = true;
	fputs("\r\033[K", progress->err);
	print_name(progress->err, what);
	fprintf(progress->err, "  %s", size_format(size, done, SIZE_IEC));
	if (total > 0 && done <= total)
		fprintf(progress->err, " of %s, %d%%", size_format(size, total, SIZE_IEC),
			(int)(100.0 * (double)done / (double)total));
	fflush(progress->err);
}

void progress_finish(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", progress->err);
	progress->shown = false;
	fflush(progress->err);
}
