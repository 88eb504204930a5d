#ifndef ANALYSIS_BASELINE_H
#define ANALYSIS_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "model/finding.h"
#include "model/timeline.h"

/*
 * What was accepted by review: the worst of the runs that it was made of.  As text it is small and
 * sorted, so that a change reads well as a diff:
 *
 *	memlog baseline 1
 *	# …
 *	growth | allocated | 0 | 3518 | 0 B an iteration, at most 3.4 KiB
 *	leak | tensor-count | train.py | evaluate | (*, 10) | torch.float32 | 5120 | 5120 | 5.0 KiB
 *… peak | allocated | 118384230 | 118436659 | 112.9 MiB
 *
 * The numbers are an estimate and the upper end of its interval ("-": unbounded), in bytes, an
 * iteration where it is a growth; what follows them is for people and is not read.  Runs are not
 * named: a tracker's report has the time in its name, and the next one another.
 */
enum baseline_kind { BASELINE_GROWTH, BASELINE_LEAK, BASELINE_PEAK, BASELINE_KINDS };

struct baseline_entry {
	enum baseline_kind kind;
	const char *key; /* the level, or the fingerprint's text */
	double value, high;
};

struct baseline {
	struct arena arena;
	const char *name;             /* the file or run, for messages */
	struct baseline_entry *entry; /* sorted by kind and key, none twice */
	size_t entries, room;
};

#define BASELINE_INIT \
	{ \
		.arena = ARENA_INIT \
	}

enum { BASELINE_MAX_BYTES = 1 << 20 };

/* 0, or -1 with an input error "NAME:LINE: …"; release in both cases. */
int baseline_parse(struct baseline *out, const char *name, struct span text);
void baseline_release(struct baseline *baseline);

/* Takes the run in: what is worse than an entry replaces it. */
void baseline_add(struct baseline *baseline, const struct timeline *timeline,
		  const struct analysis *analysis);

/* Appends the file's text. */
void baseline_write(const struct baseline *baseline, struct strbuf *out);

const struct baseline_entry *baseline_find(const struct baseline *baseline, enum baseline_kind kind,
					   const char *key);

/* How much more than a baseline's value still passes: the larger of a share and some bytes. */
struct tolerance {
	double share;
	int64_t bytes;
};

#define TOLERANCE_DEFAULT ((struct tolerance){ 0.05, 0 })

/* "5%", "1MiB", "0"; -1 with a usage error. */
int tolerance_parse(struct tolerance *out, const char *text);
double tolerance_above(struct tolerance tolerance, double value);

#endif
