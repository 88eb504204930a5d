#ifndef CMD_GATE_OUTPUT_H
#define CMD_GATE_OUTPUT_H

#include "cmd/gate_options.h"
#include "model/gate.h"

/*
 * From a judged result to the reports that were asked for.
 */

/* Checks --report and --path-map before anything is judged; -1 with a usage error. */
int gate_output_check(const struct gate_options *o);

/* Adds to each rule its path in the repository and the command that reproduces it. */
void gate_output_complete(struct gate_result *result, const struct gate_options *o);

/*
 * Writes all reports; where none goes to stdout, --format's does.  A report that cannot be written
 * whole is an error: it must not look like a pass.
 */
int gate_output(const struct gate_result *result, const struct gate_options *o);

#endif
