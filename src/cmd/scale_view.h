#ifndef CMD_SCALE_VIEW_H
#define CMD_SCALE_VIEW_H

#include "analysis/scale.h"
#include "model/view.h"

/*
 * What memory follows, as sentences, as rows and as memlog.scale/1.
 */

struct scale_question {
	int64_t capacity; /* or unknown */
	int64_t predict;  /* a count whose peak is asked for; 0: none */
	bool all;         /* every tensor */
};

void scale_doc(struct doc *root, const struct scale *scale, const struct scale_run *runs, size_t n,
	       const struct scale_question *question);
void scale_table(struct view *view, const struct scale *scale, const struct scale_run *runs,
		 size_t n);
void scale_text(struct view *view, const struct scale *scale, const struct scale_run *runs,
		size_t n, const struct scale_question *question);

#endif
