#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

/*
 * Allocation that cannot fail: out of memory, or a size that overflows, ends the program with one
 * line on stderr and exit code 4, so that no caller tests for it.  Release with free().
 */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *ptr, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);

/* Ends the program, for libraries that tell of it by a code of their own. */
_Noreturn void out_of_memory(void);

/* printf into a new string. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
