#ifndef ANALYSIS_FINGERPRINT_H
#define ANALYSIS_FINGERPRINT_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/finding.h"

/*
 * What recognises one leak in several runs: its cause, its position without the line number, which
 * moves with every edit above it, and the tensor that is kept, without the batch dimension.
 *
 *	tensor-count | train.py | evaluate | (*, 10) | torch.float32
 *
 * A part that the log does not give is "-".  Parts are text from logs: what would break a line or a
 * part apart (control characters, '|', '\') is written \xNN.  So equal texts mean the same leak.
 */
enum fingerprint_part {
	FINGERPRINT_CAUSE,
	FINGERPRINT_FILE, /* base name; a module, or a label with # for each number in it */
	FINGERPRINT_FUNCTION,
	FINGERPRINT_SHAPE, /* with * for the first dimension, unless the tensor is a parameter */
	FINGERPRINT_DTYPE,
	FINGERPRINT_PARTS
};

struct fingerprint {
	const char *part[FINGERPRINT_PARTS]; /* as in the log; NULL: not given */
};

/* Texts live in the arena. */
void fingerprint_of(struct fingerprint *out, struct arena *arena, const struct finding *finding);
const char *fingerprint_text(struct arena *arena, const struct fingerprint *fingerprint);

/* The row that stands for a finding: its handle, else the largest; NULL if it has none. */
const struct tensor_row *finding_main_row(const struct finding *finding);
const char *finding_main_shape(const struct finding *finding);

/* Appends one part as it is written; NULL is "-". */
void fingerprint_escape(struct strbuf *out, const char *text);

/* "(64, 10)" is "(*, 10)"; of what is no shape, or has no dimension, the text itself. */
const char *shape_without_batch(struct arena *arena, const char *shape);

#endif
