#include "model/finding.h"

#include <string.h>

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

const struct cause causes[] = {
	{ "tensor-count", true },   { "tensor-size", true },    { "graph-retained", true },
	{ "model-copies", true },   { "hidden", true },         { "outside-allocator", true },
	{ "process-growth", true }, { "device-growth", true },  { "other-process", false },
	{ "cache", false },         { "fragmentation", false }, { "context", false },
	{ "batch-scaling", false }, { "warm-up", false },       { "step", false },
	{ "sawtooth", false },      { "plateau", false },       { "peak-counter", false },
	{ "oom", false },           { "outlives-process", false }, { NULL, false },
};

const struct cause *cause_find(const char *name)
{
	for (const struct cause *c = causes; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

const char *cause_list(struct arena *arena)
{
	const char *list = "";

	for (const struct cause *c = causes; c->name; c++)
		list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "", c->name);
	return list;
}

void analysis_release(struct analysis *analysis)
{
	struct arena arena = analysis->arena;

	arena_release(&arena);
	*analysis = (struct analysis){ .arena = ARENA_INIT };
}
