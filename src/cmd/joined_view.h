#ifndef CMD_JOINED_VIEW_H
#define CMD_JOINED_VIEW_H

#include "model/timeline.h"
#include "model/view.h"

/*
 * Which logs a run was read from, and how well they are aligned.  Nothing for a run of one log.
 */
void joined_text(struct view *view, const struct timeline *timeline);
/* Sets "joined" in the run's document: an array, or null. */
void joined_doc(struct doc *run, const struct timeline *timeline);

#endif
