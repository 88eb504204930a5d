#ifndef ANALYSIS_POLICY_H
#define ANALYSIS_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"
#include "model/finding.h"

/*
 * The policy file of a repository, memlog.conf: options of `memlog gate`, a line each without
 * dashes, and the leaks that are known and may stay until a date.
 *
 *	# What a pull request must not do.
 *	no-leaks
 *	max-growth  visible:1KiB
 *	baseline    memlog.baseline
 *
 *	ignore
 *		cause   tensor-count
 *		at      train.py evaluate
 *		shape   (*, 10)
 *		reason  kept for the plot at the end of an epoch; issue 123
 *		until   2027-01-31
 *
 * A line that begins with blanks belongs to the "ignore" above it.  '#' at the start of a line
 * makes a comment; blank lines mean nothing.  An "ignore" needs a reason, a last day and at least
 * one of cause, at, shape and dtype; patterns may hold * for anything.
 *
 * `leaks --ignore FILE` reads the same file and leaves the options alone.
 */
struct policy_setting {
	const char *name, *value; /* value NULL: none */
	int64_t line;
};

struct suppression {
	const char *cause, *file, *function, *shape, *dtype; /* patterns; NULL: anything */
	const char *reason;
	const char *until; /* as written */
	int64_t last_day;  /* its first nanosecond */
	int64_t line;      /* of the file */
};

struct policy {
	struct arena arena;
	const char *file; /* as it was named, for messages */
	const struct policy_setting *setting;
	size_t settings;
	const struct suppression *ignore;
	size_t ignores;
};

#define POLICY_INIT \
	{ \
		.arena = ARENA_INIT \
	}

enum { POLICY_MAX_BYTES = 1 << 20 };

/* 0, or -1 with a usage error "FILE:LINE: …"; release in both cases. */
int policy_parse(struct policy *out, const char *file, struct span text);
void policy_release(struct policy *policy);

/*
 * The first suppression that fits the finding, expired or not; NULL if none does.  One that has not
 * expired goes before one that has.
 */
const struct suppression *policy_match(const struct policy *policy, const struct finding *finding,
				       int64_t today);

/* Its last day lies before the day of `today` (nanoseconds since 1970 UTC). */
bool suppression_expired(const struct suppression *suppression, int64_t today);

/* "tensor-count at train.py evaluate of (*, 10)"; in the arena. */
const char *suppression_text(struct arena *arena, const struct suppression *suppression);

/* Does `text` fit `pattern`, in which * stands for any characters?  A NULL text fits "*" alone. */
bool pattern_fits(const char *pattern, const char *text);

#endif
