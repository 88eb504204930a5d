#ifndef MODEL_SUBJECT_H
#define MODEL_SUBJECT_H

#include "base/arena.h"
#include "model/timeline.h"

/*
 * Devices and processes as people read them; in the arena.
 */

/*
 * What the log calls the card: the index, else its place, else as much of its UUID as people use.
 * NULL: nothing.
 */
const char *subject_device_text(struct arena *arena, const struct subject *subject);

/* "python3 932 on GPU 0", "GPU 0", "GPU 00000000:07:00.0". */
const char *subject_text(struct arena *arena, const struct subject *subject);

#endif
