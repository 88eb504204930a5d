#ifndef CMD_OVERHEAD_VIEW_H
#define CMD_OVERHEAD_VIEW_H

#include "analysis/first_use.h"
#include "analysis/overhead.h"
#include "analysis/roles.h"
#include "model/timeline.h"
#include "model/view.h"

/*
 * Intervals, ledger and roles of a run as sentences, as rows, and as memlog.overhead/1.
 */

void overhead_interval_doc(struct doc *intervals, const struct timeline *timeline,
			   const struct overhead_interval *in);
void overhead_interval_row(struct table *table, const struct timeline *timeline,
			   const struct overhead_interval *in);
/* `times`: how many intervals between the same places it spans; `ranked`: all reasons, not only the
 * likeliest. */
void overhead_interval_text(struct view *view, const struct timeline *timeline,
			    const struct overhead_interval *in, size_t times, bool ranked);

/* "2.0 GiB on the device at its peak, train.py:26: 1.0 GiB visible, 348.5 MiB context". */
void overhead_headline(struct view *view, const struct timeline *timeline,
		       const struct ledger *ledger, bool peak);
void overhead_ledger_doc(struct doc *run, const struct ledger *ledger);
void overhead_ledger_rows(struct table *table, const struct timeline *timeline,
			  const struct ledger *ledger);
void overhead_ledger_text(struct view *view, const struct ledger *ledger);

/* A device's ledger with a line that names it. */
void overhead_device_text(struct view *view, const struct timeline *timeline,
			  const struct subject *device, const struct ledger *ledger);

void overhead_roles_doc(struct doc *run, const struct roles *roles);
void overhead_roles_text(struct view *view, const struct roles *roles);

/* What stayed when tensors went, and went when the cache was emptied: the largest such amount. */
void overhead_cache_text(struct view *view, struct doc *run, const struct timeline *timeline);

/* The argument that several runs make together; an element of the document beside "runs". */
void overhead_argument(struct view *view, struct doc *root, const struct first_use *use);

#endif
