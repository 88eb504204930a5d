#ifndef CMD_DIFF_VIEW_H
#define CMD_DIFF_VIEW_H

#include "analysis/diff.h"
#include "model/view.h"

/*
 * Two runs side by side, as sentences and tables, and as memlog.diff/1.
 */

void diff_text(struct view *view, const struct diff *diff, bool all);
/* Tables alone, for csv. */
void diff_tables(struct view *view, const struct diff *diff);
void diff_doc(struct doc *root, const struct diff *diff);

#endif
