#include "model/timeline.h"

const char *const level_names[LEVELS] = {
	[LEVEL_VISIBLE] = "visible", [LEVEL_ALLOCATED] = "allocated", [LEVEL_RESERVED] = "reserved",
	[LEVEL_PROCESS] = "process", [LEVEL_DEVICE] = "device",
};

void timeline_release(struct timeline *timeline)
{
	struct arena arena = timeline->arena;

	arena_release(&arena);
	*timeline = (struct timeline){ .arena = ARENA_INIT };
}
