#ifndef MODEL_GATE_H
#define MODEL_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/timeline.h"

/*
 * What the gate decided: the one noun that analysis fills, the command completes and every reporter
 * renders.  It owns its texts and outlives the timelines that it was judged from.
 *
 *	struct gate_result result = GATE_RESULT_INIT;
 *	struct gate_rule *r = gate_add(&result);	// valid until the next gate_add()
 *	gate_result_release(&result);
 */

/* In order of weight: the worst rule decides. */
enum gate_outcome { GATE_PASS, GATE_WARN, GATE_UNDECIDED, GATE_FAIL, GATE_OUTCOMES };
extern const char *const gate_outcome_names[GATE_OUTCOMES]; /* "pass", "warn", … */

enum gate_measure {
	GATE_NOTHING,    /* a matter of yes or no */
	GATE_BYTES,      /* bytes */
	GATE_BYTES_RATE, /* bytes an iteration */
	GATE_COUNT_RATE, /* tensors an iteration */
};

struct gate_tensor {
	const char *shape, *dtype; /* dtype NULL: not printed */
	double count, bytes;       /* an iteration */
};

/* One rule judged on one run. */
struct gate_rule {
	const char *rule;   /* "max-growth" */
	const char *option; /* that asked for it: "--max-growth hidden:1KiB" */
	const char *run;
	const char *source; /* log of the run, or NULL */
	enum gate_outcome outcome;
	enum gate_measure measure;
	int64_t limit; /* QUANTITY_UNKNOWN: none */
	bool measured_known;
	double measured, low, high;
	const char *level;       /* that was measured, or NULL */
	const char *unit;        /* what one iteration is, or NULL */
	const struct site *site; /* or NULL */
	const char *where;       /* site as text, or NULL */
	const char *path;        /* its file as the repository names it, or NULL */
	const char *cause;       /* of the finding that explains it, or NULL; so the next ones */
	const char *fingerprint; /* that recognises the finding in other runs */
	const struct gate_tensor *tensor;
	size_t tensors;
	const char *because; /* a sentence */
	const char *advice;
	const char *why;   /* a sentence with the numbers */
	const char *again; /* the command that reproduces it */
};

struct gate_result {
	struct arena arena;
	struct gate_rule *rule; /* in the order in which they were judged */
	size_t rules, room;
	const char **note; /* sentences that change no outcome: suppressions, a baseline to lower */
	size_t notes, note_room;
	enum gate_outcome undecided_means;
};

#define GATE_RESULT_INIT \
	{ \
		.arena = ARENA_INIT, .undecided_means = GATE_UNDECIDED \
	}

struct gate_rule *gate_add(struct gate_result *result);
void gate_note(struct gate_result *result, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void gate_result_release(struct gate_result *result);

/* What an outcome means after --on-undecided. */
enum gate_outcome gate_settled(const struct gate_result *result, enum gate_outcome outcome);
/* The settled outcome of the whole; of no rule at all it is GATE_UNDECIDED: nothing was judged. */
enum gate_outcome gate_outcome(const struct gate_result *result);
/* Rules that settle as `outcome`. */
size_t gate_count(const struct gate_result *result, enum gate_outcome outcome);

/* Indices of all rules, worst first, else in their order; result->rules of them, in the arena. */
const size_t *gate_by_weight(struct arena *arena, const struct gate_result *result);

#endif
