#ifndef CMD_IMPORT_TALLY_H
#define CMD_IMPORT_TALLY_H

#include "cmd/import_log.h"

/*
 * A sink between replay and the store that counts what passes, for import's report.
 */
struct tally {
	struct import_result *result;
	struct point_sink next;
	VEC(int64_t) visits; /* by position index */
	VEC(const struct device *) devices; /* by index */
	VEC(bool) processes;
	const struct position *loop;
};

void tally_init(struct tally *tally, struct import_result *result, struct point_sink next);
struct point_sink tally_sink(struct tally *tally);
/* Copies what the result keeps; call it while replay is open. */
void tally_finish(struct tally *tally);
void tally_release(struct tally *tally);

#endif
