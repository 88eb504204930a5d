#include "cli/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

/* Rights that headers may be too old for; the kernel's own number tells what it knows. */
enum {
	ACCESS_REFER = 1 << 13,
	ACCESS_TRUNCATE = 1 << 14,
	ACCESS_OF_FIRST_ABI = (1 << 13) - 1,
	ACCESS_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	ACCESS_WRITE =
		LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE,
	ACCESS_OF_FILES =
		LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE,
};

/* Read by the C library while it runs: modules of iconv, time zones, its own threads. */
static const struct sandbox_path system_paths[] = {
	{ "/usr", false },           { "/lib", false },         { "/lib64", false },
	{ "/etc/localtime", false }, { "/dev/urandom", false }, { "/proc/self", false },
};

/* What Landlock leaves open: the network, programs, and what is known of a file but its bytes. */
static const int denied_calls[] = {
	SCMP_SYS(socket),    SCMP_SYS(socketpair),  SCMP_SYS(io_uring_setup), SCMP_SYS(execve),
	SCMP_SYS(execveat),  SCMP_SYS(truncate),    SCMP_SYS(chmod),          SCMP_SYS(fchmodat),
	SCMP_SYS(chown),     SCMP_SYS(lchown),      SCMP_SYS(fchownat),       SCMP_SYS(utime),
	SCMP_SYS(utimes),    SCMP_SYS(utimensat),   SCMP_SYS(futimesat),      SCMP_SYS(setxattr),
	SCMP_SYS(lsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),   SCMP_SYS(openat2),
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static int allow(int rules, const struct sandbox_path *p, uint64_t handled)
{
	struct landlock_path_beneath_attr rule = { .allowed_access =
							   p->writes ? ACCESS_WRITE : ACCESS_READ };
	struct stat st;
	long rc;

	rule.parent_fd = open(p->path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return 0; /* reading it will say why */
	rule.allowed_access &= handled;
	if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed_access &= ACCESS_OF_FILES;
	rc = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
	return rc ? error_set("--sandbox: %s: %s", p->path, strerror(errno)) : 0;
}

static int allow_all(int rules, const struct sandbox_path *paths, size_t n, uint64_t handled)
{
	for (size_t i = 0; i < n; i++)
		if (allow(rules, &paths[i], handled) < 0)
			return -1;
	return 0;
}

static int close_files(const struct sandbox_path *paths, size_t n)
{
	struct landlock_ruleset_attr all = { .handled_access_fs = ACCESS_OF_FIRST_ABI };
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	int rules, rc;

	if (abi < 1)
		return error_set(
			"--sandbox: this kernel has no Landlock, which Linux has from 5.13 on "
			"where it is enabled; import without --sandbox");
	if (abi >= 2)
		all.handled_access_fs |= ACCESS_REFER;
	if (abi >= 3)
		all.handled_access_fs |= ACCESS_TRUNCATE;
	rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all.handled_access_fs), 0);
	if (rules < 0)
		return error_set("--sandbox: Landlock: %s", strerror(errno));
	rc = allow_all(rules, system_paths, COUNT(system_paths), all.handled_access_fs);
	if (!rc)
		rc = allow_all(rules, paths, n, all.handled_access_fs);
	if (!rc && syscall(SYS_landlock_restrict_self, rules, 0))
		rc = error_set("--sandbox: Landlock: %s", strerror(errno));
	close(rules);
	return rc;
}

static int close_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int rc = filter ? 0 : -ENOMEM;

	for (size_t i = 0; i < COUNT(denied_calls) && !rc; i++)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), denied_calls[i], 0);
	/* Landlock before Linux 6.2 does not see that opening cuts a file off. */
	if (!rc)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(openat), 1,
				      SCMP_A2(SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC));
	if (!rc)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(open), 1,
				      SCMP_A1(SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC));
	if (!rc)
		rc = seccomp_load(filter);
	seccomp_release(filter);
	return rc ? error_set("--sandbox: this kernel takes no seccomp filter (%s); import without "
			      "--sandbox",
			      strerror(-rc))
		  : 0;
}

int sandbox_enter(const struct sandbox_path *paths, size_t n)
{
	/* Without it, neither may be asked for. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return error_set("--sandbox: %s", strerror(errno));
	return close_files(paths, n) < 0 ? -1 : close_calls();
}
