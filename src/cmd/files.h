#ifndef CMD_FILES_H
#define CMD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/policy.h"
#include "base/strbuf.h"

/*
 * The small text files that commands read and write beside the database: policies and baselines.
 */

/* Appends the file's bytes; -1 with an input error, also if it is larger than `most`. */
int file_read(const char *path, size_t most, struct strbuf *out);

bool file_exists(const char *path);
/* Something to read back: no device, no pipe. */
bool file_is_regular(const char *path);

/* Reads and parses a policy file. */
int policy_load(struct policy *out, const char *path);

/*
 * The day that suppressions are measured against, in nanoseconds since 1970 UTC: `option`
 * ("2027-01-31") if it is not NULL, else $SOURCE_DATE_EPOCH, else now.
 */
int today_read(const char *option, int64_t *today);

#endif
