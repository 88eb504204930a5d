#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/sandbox.h"

/*
 * Inside a child, for a sandbox is for good.  The child tells by its exit code: 0, or the number of
 * the first thing that was otherwise than it should be; NO_SANDBOX where this kernel has none.
 */
enum { NO_SANDBOX = 99 };

static char folder[] = "/tmp/memlog-sandbox-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[sizeof(folder) + 32];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void make(const char *name)
{
	int fd = open(in_folder(name), O_CREAT | O_WRONLY, 0600);

	cr_assert(fd >= 0 && write(fd, "text", 4) == 4);
	close(fd);
}

static void set_up(void)
{
	cr_assert(mkdtemp(folder));
	make("read.txt");
	make("write.db");
	make("other.txt");
	cr_assert_eq(mkdir(in_folder("logs"), 0700), 0);
	make("logs/a.txt");
	cr_assert_eq(symlink("../other.txt", in_folder("logs/link.txt")), 0);
}

static void tear_down(void)
{
	static const char *const names[] = { "read.txt", "write.db", "other.txt", "logs/a.txt",
					     "logs/link.txt" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(in_folder(names[i]));
	rmdir(in_folder("logs"));
	rmdir(folder);
}

static int enter(void)
{
	char read[64], write[64], logs[64], missing[64];
	struct sandbox_path paths[] = {
		{ read, false }, { write, true }, { logs, false }, { missing, false }
	};

	snprintf(read, sizeof(read), "%s", in_folder("read.txt"));
	snprintf(write, sizeof(write), "%s", in_folder("write.db"));
	snprintf(logs, sizeof(logs), "%s", in_folder("logs"));
	snprintf(missing, sizeof(missing), "%s", in_folder("missing.txt"));
	return sandbox_enter(paths, sizeof(paths) / sizeof(*paths));
}

static int in_child(int (*body)(void))
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(enter() < 0 ? NO_SANDBOX : body());
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFEXITED(status), "the child died of signal %d", WTERMSIG(status));
	return WEXITSTATUS(status);
}

/* Opened, or refused for this reason. */
static int opens(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static const struct {
	const char *name;
	int flags, result;
} files[] = {
	{ "read.txt", O_RDONLY, 0 },
	{ "write.db", O_RDWR, 0 },
	{ "logs/a.txt", O_RDONLY, 0 },
	{ "missing.txt", O_RDONLY, ENOENT },
	{ "read.txt", O_WRONLY, EACCES },
	{ "logs/a.txt", O_RDWR, EACCES },
	{ "other.txt", O_RDONLY, EACCES },
	{ "logs/link.txt", O_RDONLY, EACCES },
	{ "new.txt", O_WRONLY | O_CREAT, EACCES },
	{ "write.db", O_RDWR | O_TRUNC, EPERM },
};

static int opens_what_it_may(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (opens(in_folder(files[i].name), files[i].flags) != files[i].result)
			return (int)i + 1;
	return opens("/etc/passwd", O_RDONLY) == EACCES ? 0 : 50;
}

static int changes_nothing(void)
{
	char name[] = "true", *const program[] = { name, NULL };

	if (!unlink(in_folder("write.db")) || errno != EACCES)
		return 1;
	if (!chmod(in_folder("other.txt"), 0777) || errno != EPERM)
		return 2;
	if (!truncate(in_folder("other.txt"), 0) || errno != EPERM)
		return 3;
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
		return 4;
	if (socket(AF_UNIX, SOCK_DGRAM, 0) >= 0 || errno != EPERM)
		return 5;
	execv("/bin/true", program);
	return errno == EPERM ? 0 : 6;
}

static void expect_held(int (*body)(void))
{
	int code = in_child(body);

	if (code == NO_SANDBOX)
		cr_skip_test("this kernel has no Landlock or takes no filter");
	cr_expect_eq(code, 0, "the first to go wrong: %d", code);
}

Test(sandbox, opens_what_was_named_and_nothing_else, .init = set_up, .fini = tear_down)
{
	expect_held(opens_what_it_may);
}

Test(sandbox, changes_no_other_file_and_reaches_no_network_or_program, .init = set_up,
     .fini = tear_down)
{
	expect_held(changes_nothing);
}
