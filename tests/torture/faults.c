/*
 * LD_PRELOAD shim for scripts/torture: the Nth call of a kind fails, or all from the Nth on, or the
 * process dies there.  FAULT_KIND is alloc, read, write, sync or truncate, FAULT_AT the N (0: none),
 * FAULT_HOW once, always or kill, FAULT_ERRNO the errno, and FAULT_COUNT names a file for the calls
 * that were counted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { ALLOC, READ, WRITE, SYNC, TRUNCATE, KINDS };
enum how { ONCE, ALWAYS, KILL };

/* A preloaded library has nowhere else to keep what it counts. */
static struct {
	enum kind kind;
	enum how how;
	long at, seen;
	int error;
	int started;
} fault;

static int index_of(const char *name, const char *const *names, int n, int usual)
{
	for (int i = 0; name && i < n; i++)
		if (!strcmp(name, names[i]))
			return i;
	return usual;
}

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
	static const char *const kinds[] = { "alloc", "read", "write", "sync", "truncate" };
	static const char *const hows[] = { "once", "always", "kill" };

	fault.kind = (enum kind)index_of(getenv("FAULT_KIND"), kinds, KINDS, ALLOC);
	fault.how = (enum how)index_of(getenv("FAULT_HOW"), hows, 3, ONCE);
	fault.at = number("FAULT_AT");
	fault.error = (int)number("FAULT_ERRNO");
	fault.started = 1;
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("FAULT_COUNT");
	FILE *file;

	fault.started = 0;
	file = path ? fopen(path, "w") : NULL;
	if (!file)
		return;
	fprintf(file, "%ld\n", fault.seen);
	fclose(file);
}

static int fails(enum kind kind)
{
	if (!fault.started || kind != fault.kind)
		return 0;
	fault.seen++;
	if (!fault.at || fault.seen < fault.at || (fault.how == ONCE && fault.seen > fault.at))
		return 0;
	if (fault.how == KILL)
		kill(getpid(), SIGKILL);
	errno = kind == ALLOC ? ENOMEM : fault.error;
	return 1;
}

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);

void *malloc(size_t size)
{
	return fails(ALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(ALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *ptr, size_t size)
{
	return fails(ALLOC) ? NULL : __libc_realloc(ptr, size);
}

/* ---- files ---- */

/* ISO C has no conversion from an object's address to a function's. */
static void next(void *function, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

ssize_t pread64(int fd, void *data, size_t len, off64_t at)
{
	ssize_t (*real)(int, void *, size_t, off64_t);

	next(&real, "pread64");
	return fails(READ) ? -1 : real(fd, data, len, at);
}

ssize_t pread(int fd, void *data, size_t len, off_t at)
{
	return pread64(fd, data, len, at);
}

ssize_t read(int fd, void *data, size_t len)
{
	ssize_t (*real)(int, void *, size_t);

	next(&real, "read");
	return fails(READ) ? -1 : real(fd, data, len);
}

ssize_t pwrite64(int fd, const void *data, size_t len, off64_t at)
{
	ssize_t (*real)(int, const void *, size_t, off64_t);

	next(&real, "pwrite64");
	return fails(WRITE) ? -1 : real(fd, data, len, at);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	return pwrite64(fd, data, len, at);
}

ssize_t write(int fd, const void *data, size_t len)
{
	ssize_t (*real)(int, const void *, size_t);

	next(&real, "write");
	/* The message that tells of the failure still has to come out. */
	return fd > STDERR_FILENO && fails(WRITE) ? -1 : real(fd, data, len);
}

int fsync(int fd)
{
	int (*real)(int);

	next(&real, "fsync");
	return fails(SYNC) ? -1 : real(fd);
}

int fdatasync(int fd)
{
	int (*real)(int);

	next(&real, "fdatasync");
	return fails(SYNC) ? -1 : real(fd);
}

int ftruncate64(int fd, off64_t len)
{
	int (*real)(int, off64_t);

	next(&real, "ftruncate64");
	return fails(TRUNCATE) ? -1 : real(fd, len);
}

int ftruncate(int fd, off_t len)
{
	return ftruncate64(fd, len);
}
