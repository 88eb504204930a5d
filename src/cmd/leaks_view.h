#ifndef CMD_LEAKS_VIEW_H
#define CMD_LEAKS_VIEW_H

#include "analysis/policy.h"
#include "cmd/leaks_history.h"
#include "model/finding.h"
#include "model/timeline.h"
#include "model/view.h"

/*
 * An analysis as sentences for a tired person, and as memlog.leaks/1 for machines.
 */

struct leaks_style {
	bool all; /* every row and note, not the first few */
	enum size_style units;
	const char *next;               /* command to suggest, or NULL */
	const struct policy *policy;    /* what is to be ignored; never NULL */
	int64_t today;                  /* for its expiry */
	const struct leak_since *since; /* by finding */
};

/* The suppression that hides the finding; NULL: it counts. */
const struct suppression *leaks_ignored(const struct leaks_style *style,
					const struct finding *finding);
/* Is the verdict "leak", and some leak not ignored? */
bool leaks_count(const struct analysis *analysis, const struct leaks_style *style);

/* Adds one run's paragraphs to the view. */
void leaks_text(struct view *view, const struct timeline *timeline, const struct analysis *analysis,
		const struct leaks_style *style);

/* Adds one run to the document's array. */
void leaks_doc(struct doc *runs, const struct timeline *timeline, const struct analysis *analysis,
	       const struct leaks_style *style);

/* One finding a row, for csv. */
void leaks_table_columns(struct table *table);
void leaks_table_rows(struct table *table, const struct timeline *timeline,
		      const struct analysis *analysis);


/* "(64, 10) float32"; in the arena. */
const char *row_text(struct arena *arena, const char *shape, const char *dtype);
/* The count history, shortened in the middle: "1 2 3 4 … 39 40". */
const char *history_text(struct arena *arena, const int64_t *history, size_t n);

#endif
