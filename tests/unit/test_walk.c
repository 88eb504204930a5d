#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "ingest/walk.h"

/* What each test finds, made by setup() in a folder of its own and removed in reverse. */
enum kind { FOLDER, PLAIN, LINK, PIPE };

static const struct {
	enum kind kind;
	const char *path, *target;
} tree[] = {
	{ FOLDER, "", NULL },
	{ PLAIN, "outside.log", NULL },
	{ FOLDER, "logs", NULL },
	{ PLAIN, "logs/b.log", NULL },
	{ PLAIN, "logs/a.log", NULL },
	{ PLAIN, "logs/.hidden.log", NULL },
	{ FOLDER, "logs/.git", NULL },
	{ PLAIN, "logs/.git/c.log", NULL },
	{ FOLDER, "logs/CVS", NULL },
	{ PLAIN, "logs/CVS/Entries", NULL },
	{ FOLDER, "logs/a", NULL },
	{ PLAIN, "logs/a/d.log", NULL },
	{ FOLDER, "logs/a/deep", NULL },
	{ PLAIN, "logs/a/deep/e.log", NULL },
	{ PIPE, "logs/pipe", NULL },
	{ LINK, "logs/1latest", "a.log" },
	{ LINK, "logs/link1", "../outside.log" },
	{ LINK, "logs/link2", "../outside.log" },
	{ LINK, "logs/lost", "nowhere" },
	{ LINK, "logs/round", ".." },
	{ FOLDER, "empty", NULL },
};
enum { ENTRIES = sizeof(tree) / sizeof(*tree) };

static char *made(const char *root, size_t i)
{
	char *path;

	cr_assert_geq(asprintf(&path, "%s/%s", root, tree[i].path), 0);
	return path;
}

static void make(const char *root)
{
	for (size_t i = 1; i < ENTRIES; i++) {
		char *path = made(root, i);
		int fd;

		switch (tree[i].kind) {
		case FOLDER:
			cr_assert_eq(mkdir(path, 0700), 0);
			break;
		case PLAIN:
			fd = open(path, O_CREAT | O_WRONLY, 0600);
			cr_assert_geq(fd, 0);
			close(fd);
			break;
		case LINK:
			cr_assert_eq(symlink(tree[i].target, path), 0);
			break;
		case PIPE:
			cr_assert_eq(mkfifo(path, 0600), 0);
			break;
		}
		free(path);
	}
}

static void clear(const char *root)
{
	for (size_t i = ENTRIES; i-- > 0;) {
		char *path = made(root, i);

		remove(path);
		free(path);
	}
	rmdir(root);
}

struct seen {
	struct strbuf paths;
	size_t root;
	int stop_after;
};

/* One path a line, without the root. */
static int see(const char *path, void *ctx)
{
	struct seen *seen = ctx;

	strbuf_addf(&seen->paths, "%s\n", strlen(path) > seen->root ? path + seen->root : path);
	return --seen->stop_after ? 0 : 7;
}

static const struct {
	const char *start, *found;
	int stop_after, result;
} cases[] = {
	/* "a.log" before "a/": a point is 0x2e, a slash 0x2f.  1latest and link2 are seen already.
	 */
	{ "/logs", "/logs/a.log\n/logs/a/d.log\n/logs/a/deep/e.log\n/logs/b.log\n/logs/link1\n", 0,
	  0 },
	{ "/logs/", "/logs/a.log\n/logs/a/d.log\n/logs/a/deep/e.log\n/logs/b.log\n/logs/link1\n", 0,
	  0 },
	{ "/logs", "/logs/a.log\n/logs/a/d.log\n", 2, 7 },
	{ "/logs/a.log", "/logs/a.log\n", 0, 0 },
	{ "/logs/.hidden.log", "/logs/.hidden.log\n", 0, 0 },
	{ "/logs/.git", "/logs/.git/c.log\n", 0, 0 },
	{ "/logs/1latest", "/logs/1latest\n", 0, 0 },
	{ "/logs/pipe", "/logs/pipe\n", 0, 0 },
	{ "/empty", "", 0, 0 },
};

Test(walk, finds_the_files_a_path_means)
{
	char root[] = "/tmp/test_walk.XXXXXX", start[128];

	cr_assert(mkdtemp(root));
	make(root);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seen seen = { STRBUF_INIT, strlen(root), cases[i].stop_after };

		snprintf(start, sizeof(start), "%s%s", root, cases[i].start);
		cr_expect_eq(walk(start, see, &seen), cases[i].result, "%s", cases[i].start);
		cr_expect_str_eq(seen.paths.buf, cases[i].found, "%s", cases[i].start);
		strbuf_release(&seen.paths);
	}
	clear(root);
}

Test(walk, stdin_is_itself)
{
	struct seen seen = { STRBUF_INIT, 8, 0 };

	cr_expect_eq(walk("-", see, &seen), 0);
	cr_expect_str_eq(seen.paths.buf, "-\n");
	strbuf_release(&seen.paths);
}

Test(walk, a_missing_path_is_an_input_error)
{
	struct seen seen = { STRBUF_INIT, 0, 0 };

	cr_expect_eq(walk("/tmp/test_walk.nowhere", see, &seen), -1);
	cr_expect_eq(error_kind(), ERROR_INPUT);
	cr_expect(strstr(error_text(), "/tmp/test_walk.nowhere: no such file"));
	cr_expect_eq(seen.paths.len, 0);
}
