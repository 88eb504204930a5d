#ifndef MODEL_SITE_H
#define MODEL_SITE_H

#include "base/arena.h"
#include "model/doc.h"
#include "model/timeline.h"

/*
 * Places as people and machines read them.
 */

/* What follows the last slash (or the last backslash of "C:\…"). */
const char *site_base_name(const char *path);

/* "train.py:105 in step", "pkg.mod:12 in f", a label, or "an unnamed place"; in the arena. */
const char *site_text(struct arena *arena, const struct site *site);

/* {"file": …, "line": …, "function": …}, or {"label": …}; null for NULL. */
struct doc *site_doc(struct arena *arena, const struct site *site);

/* A copy whose texts live in the arena too; NULL for NULL. */
const struct site *site_copy(struct arena *arena, const struct site *site);

#endif
