/* Who holds the database: asked of the kernel, for messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/span.h"
#include "store/db.h"

/* "1: POSIX  ADVISORY  WRITE 4711 fd:01:131090 1073741824 1073742335": the process, or 0. */
static long holder_in(const char *line, const char *file)
{
	enum { PROCESS = 4, FILE_ID = 5 };
	struct span rest = span_of(line), word;
	long pid = 0;

	for (int i = 0; i <= FILE_ID; i++) {
		word = span_word(rest, &rest);
		if (i == PROCESS)
			pid = strtol(word.ptr ? word.ptr : "0", NULL, 10);
	}
	return span_is(word, file) && pid > 0 && pid != (long)getpid() ? pid : 0;
}

static long find_holder(const char *file)
{
	FILE *locks = fopen("/proc/locks", "re");
	char *line = NULL;
	size_t room = 0;
	long pid = 0;

	while (locks && !pid && getline(&line, &room, locks) > 0)
		pid = holder_in(line, file);
	if (locks)
		fclose(locks);
	free(line);
	return pid;
}

/*
 * Not by fcntl(): closing the file that it needs would drop all of our own locks on the database.
 */
char *database_holder(const char *path)
{
	char file[64], name[64] = "", of[64];
	struct stat st;
	FILE *comm;
	long pid;

	if (stat(path, &st))
		return xstrdup("another process");
	snprintf(file, sizeof(file), "%02x:%02x:%lu", major(st.st_dev), minor(st.st_dev),
		 (unsigned long)st.st_ino);
	pid = find_holder(file);
	if (!pid)
		return xstrdup("another process");
	snprintf(of, sizeof(of), "/proc/%ld/comm", pid);
	comm = fopen(of, "re");
	if (comm && fgets(name, sizeof(name), comm))
		name[strcspn(name, "\n")] = '\0';
	if (comm)
		fclose(comm);
	return xasprintf("process %ld%s%s%s", pid, *name ? " (" : "", name, *name ? ")" : "");
}
