#ifndef CMD_IMPORT_JOIN_H
#define CMD_IMPORT_JOIN_H

#include "cmd/import_log.h"

/*
 * Several logs named with one --run are one run: the log with tensors (else with processes) keeps
 * the name, the others are read into it.  Logs that cannot belong together, a second report with
 * tensors, stay runs of their own.
 *
 * Looks at what was imported just now, inside the import; names in the results follow.  *base is
 * the result whose run the others were joined to, or NULL.
 */
int import_join(struct store *store, struct import_result *results, size_t n,
		const struct import_result **base);

#endif
