#include "model/subject.h"

const char *subject_device_text(struct arena *arena, const struct subject *s)
{
	const char *name = s->device >= 0 ? arena_printf(arena, "GPU %lld", (long long)s->device)
			   : s->bus	  ? arena_printf(arena, "GPU %s", s->bus)
			   : s->uuid	  ? arena_printf(arena, "%.12s", s->uuid)
					  : NULL;

	return name && s->instance ? arena_printf(arena, "%s MIG %s", name, s->instance) : name;
}

/* Without the folders, of either system. */
static const char *program_name(const char *path)
{
	const char *name = path;

	for (const char *c = path; *c; c++)
		if ((*c == '/' || *c == '\\') && c[1])
			name = c + 1;
	return name;
}

const char *subject_text(struct arena *arena, const struct subject *s)
{
	const char *device = subject_device_text(arena, s), *name;

	if (!s->is_process)
		return device ? device : s->device_name ? s->device_name : "device";
	name = s->process ? program_name(s->process) : "process";
	if (s->pid >= 0)
		name = arena_printf(arena, "%s %lld", name, (long long)s->pid);
	return device ? arena_printf(arena, "%s on %s", name, device) : name;
}
