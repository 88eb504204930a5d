#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/interrupt.h"

static int write_all(int fd, struct span bytes)
{
	while (bytes.len) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR)
			return -1;
		bytes = span_skip(bytes, n > 0 ? (size_t)n : 0);
	}
	return 0;
}

/* mkstemp() makes files that only the owner may read; this one gets the usual permissions. */
static int usual_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

static int replace(const char *path, struct span bytes)
{
	char *temporary = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC), rc = -1;

	if (fd < 0) {
		error_set("%s: cannot write here: %s", path, strerror(errno));
		goto done;
	}
	/* On the disk before it has the name: a power cut must not leave an empty file there. */
	rc = write_all(fd, bytes) || usual_mode(fd) || fsync(fd) ? -1 : 0;
	if (rc)
		error_set("%s: cannot write: %s", path, strerror(errno));
	if (close(fd) && !rc)
		rc = error_set("%s: cannot write: %s", path, strerror(errno));
	if (!rc && rename(temporary, path))
		rc = error_set("%s: cannot write: %s", path, strerror(errno));
	if (rc)
		unlink(temporary);
done:
	free(temporary);
	return rc;
}

/* A device or a pipe is written, not replaced. */
static int write_into(const char *path, struct span bytes)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), rc;

	if (fd < 0)
		return error_set("%s: cannot write: %s", path, strerror(errno));
	rc = write_all(fd, bytes);
	if (rc)
		error_set("%s: cannot write: %s", path, strerror(errno));
	close(fd);
	return rc;
}

int whole_file_write(const char *path, struct span bytes)
{
	struct stat st;
	sigset_t usual;
	int rc;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return write_into(path, bytes);
	/* Being stopped would leave the temporary file. */
	interrupt_hold(&usual);
	rc = replace(path, bytes);
	interrupt_release(&usual);
	return rc;
}
