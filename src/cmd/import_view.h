#ifndef CMD_IMPORT_VIEW_H
#define CMD_IMPORT_VIEW_H

#include "cmd/import_log.h"
#include "model/view.h"

/* What was taken of each log, as sentences and as memlog.import/1. */
void import_view(struct view *view, const struct import_result *results, size_t n);

#endif
