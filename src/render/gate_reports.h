#ifndef RENDER_GATE_REPORTS_H
#define RENDER_GATE_REPORTS_H

#include "base/strbuf.h"
#include "render/report.h"

/*
 * The functions behind the rows of `gate_reporters`, each in a file of its own, and the words that
 * they share.  Private to report.c and gate_*.c.
 */
#define GATE_REPORT(name) \
	int report_##name(const struct gate_result *result, FILE *out, \
			  const struct render_options *options)
GATE_REPORT(text);     /* at most GATE_TEXT_LINES lines */
GATE_REPORT(github);   /* workflow commands, at most GATE_ANNOTATIONS of them */
GATE_REPORT(markdown); /* a job summary */
GATE_REPORT(junit);    /* a suite a run, a case a rule; the schema of Jenkins' xUnit plugin */
GATE_REPORT(sarif);    /* 2.1.0 */
GATE_REPORT(json);     /* memlog.gate/1 */
GATE_REPORT(csv);

enum { GATE_TEXT_LINES = 12, GATE_ANNOTATIONS = 10 };

/* Each appends to `out`; what stands in the log is as it is there, but for gate_story(). */

/* "512 B an iteration (0 B to 3.4 KiB)"; nothing if it was not measured. */
void gate_measured_text(struct strbuf *out, const struct gate_rule *rule);
/* "1.0 KiB"; nothing if the rule has no number. */
void gate_limit_text(struct strbuf *out, const struct gate_rule *rule);
/* "() float32 +1, (64, 10) float32 +1 and 3 more"; nothing without tensors. */
void gate_tensors_text(struct strbuf *out, const struct gate_rule *rule, size_t most);
/* All there is to say, a line each: why, tensors, reason, advice, command; fit for a terminal. */
void gate_story(struct strbuf *out, const struct gate_rule *rule);
/* "1 failed, 2 passed". */
void gate_tally(struct strbuf *out, const struct gate_result *result);

#endif
