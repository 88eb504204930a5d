#include "model/finding.h"

const char *const verdict_names[VERDICTS] = {
	[VERDICT_LEAK] = "leak",
	[VERDICT_SUSPECT] = "suspect",
	[VERDICT_CLEAN] = "clean",
	[VERDICT_UNDECIDED] = "undecided",
};

const char *const finding_kind_names[FINDING_KINDS] = {
	[FINDING_LEAK] = "leak",
	[FINDING_SUSPECT] = "suspect",
	[FINDING_NOTE] = "note",
};

const char *const growth_level_names[GROWTH_LEVELS] = {
	[GROWTH_VISIBLE] = "visible",     [GROWTH_HIDDEN] = "hidden",
	[GROWTH_ALLOCATED] = "allocated", [GROWTH_CACHED] = "cached",
	[GROWTH_OUTSIDE] = "outside",     [GROWTH_PROCESS] = "process",
	[GROWTH_DEVICE] = "device",
};

void analysis_release(struct analysis *analysis)
{
	struct arena arena = analysis->arena;

	arena_release(&arena);
	*analysis = (struct analysis){ .arena = ARENA_INIT };
}
