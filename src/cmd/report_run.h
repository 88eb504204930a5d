#ifndef CMD_REPORT_RUN_H
#define CMD_REPORT_RUN_H

#include "cmd/loaded.h"
#include "model/page.h"

/* One run as a chapter of a report. */
struct report_chapter {
	struct page *page;
	struct store *store;
	const struct loaded_run *run;
	const char *id; /* of its heading */
	bool alone;     /* the report's answer is this run's */
};

/* 0, or -1 with an error from the store. */
int report_run(const struct report_chapter *chapter);

/* "LEAK", and how it is meant. */
const char *report_verdict(const struct analysis *analysis, enum tone *tone);

#endif
