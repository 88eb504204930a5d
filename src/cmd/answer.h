#ifndef CMD_ANSWER_H
#define CMD_ANSWER_H

#include "base/arena.h"
#include "base/units.h"
#include "model/finding.h"
#include "model/timeline.h"

/*
 * A run's answer in a few words, for titles: "+100.3 MiB an iteration at train.py:105, from the 2nd
 * on".  The numbers are those of `memlog leaks`.  Texts live in the arena; names that a log made
 * long lose their middle.
 */

/* The finding that the verdict rests on; NULL: nothing grows, or it cannot be told. */
const struct finding *answer_finding(const struct analysis *analysis);

const char *answer_text(struct arena *arena, const struct timeline *timeline,
			const struct analysis *analysis, enum size_style units);

/* What growth is counted in; "iteration" where the log has no other word. */
const char *answer_unit(const char *unit);

/* "+1.50 % of the card an iteration": growth of a finding that is in percent. */
const char *answer_share(struct arena *arena, const struct finding *finding);

/* "+100.3 MiB an iteration", with "(100.2 MiB to 100.4 MiB)" where the range shows. */
const char *answer_rate(struct arena *arena, double estimate, double low, double high,
			const char *unit, enum size_style units);

/* ", 1.7 GiB full in 12 iterations", or "" where no end is in sight. */
const char *answer_forecast(struct arena *arena, const struct analysis *analysis,
			    enum size_style units);

/* "train.py:105", a label. */
const char *answer_site(struct arena *arena, const struct site *site);

/* "python3 2301 on GPU 0", "GPU 1". */
const char *answer_subject(struct arena *arena, const struct subject *subject);

/* At most `columns` columns of any text from a log. */
const char *answer_short(struct arena *arena, const char *text, int columns);

#endif
