#ifndef BASE_ERROR_H
#define BASE_ERROR_H

/*
 * Why an operation failed.  The lowest layer that knows the facts writes the sentence (what, where,
 * what was expected, what to do), upper layers pass -1 on untouched, and main() prints it once.
 *
 * Each function records the text and returns -1, so that a caller can write
 * `return error_set("...")`.  They differ in the exit code that main() derives.
 */

enum error_kind {
	ERROR_TROUBLE, /* database, disk, gnuplot: exit 4 */
	ERROR_USAGE,   /* the command line: exit 2 */
	ERROR_INPUT,   /* a log or grammar that cannot be read: exit 3 */
	ERROR_INTERRUPTED, /* told to stop: exit 130 */
};

/* What is said may quote error_text(), the error before. */
int error_set(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int error_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int error_input(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int error_interrupted(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The text of the latest error; valid until the next one is set. */
const char *error_text(void);
enum error_kind error_kind(void);

#endif
