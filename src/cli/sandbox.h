#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes away, for good, what a fault in a parser could be made to misuse.  From then on the process
 * opens the files and folders that it names here and what the C library itself reads (/usr, /lib,
 * the time zone, /proc/self); no other file, to read, write, make or remove; no network; it runs no
 * program and changes no file's rights or times.  What is open already stays open.
 *
 * Files: Landlock (Linux 5.13 or newer).  The rest: seccomp.  Threads that run already are not
 * held, so call it before they begin.
 */
struct sandbox_path {
	const char *path; /* what is not there is left out */
	bool writes;      /* else it is read, with all below it where it is a folder */
};

/* -1 and an error where the kernel cannot do all of it: then some of it may be in force. */
int sandbox_enter(const struct sandbox_path *paths, size_t n);

#endif
