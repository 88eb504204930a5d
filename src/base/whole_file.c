#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

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

int whole_file_write(const char *path, struct span bytes)
{
	char *temporary = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC), rc = -1;

	if (fd < 0) {
		error_set("%s: cannot write here: %s", path, strerror(errno));
		goto done;
	}
	rc = write_all(fd, bytes) || usual_mode(fd) ? -1 : 0;
	if (close(fd) || rc || rename(temporary, path)) {
		rc = error_set("%s: cannot write: %s", path, strerror(errno));
		unlink(temporary);
	}
done:
	free(temporary);
	return rc;
}
