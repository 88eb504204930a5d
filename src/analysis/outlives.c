/*
 * Memory that outlives a process: the list of processes has lost one, and the device still holds
 * what was its.  Needs both in one timeline: a log, or logs joined, that show processes and the
 * device's total.
 */
#include "analysis/detector.h"

/* So much of what the process held must still be there. */
static const double most_of_it = 0.75;
/* What processes take of a card at the least; less is noise. */
static const int64_t smallest = 64 * MIB;

static const struct subject *device_of(const struct timeline *t, const struct subject *process)
{
	for (size_t i = 0; i < t->subjects; i++)
		if (!t->subject[i].is_process && t->subject[i].device == process->device &&
		    process->device >= 0 && !t->subject[i].used.percent)
			return &t->subject[i];
	return NULL;
}

/* The last point that knows the process, and the last that knows the device after it. */
static bool find_end(const struct timeline *t, const struct subject *process,
		     const struct subject *device, size_t *last, size_t *after)
{
	bool seen = false;

	*after = 0;
	for (size_t i = 0; i < t->points; i++) {
		if (quantity_known(process->used.value[i])) {
			*last = i;
			seen = true;
		}
		if (quantity_known(device->used.value[i]))
			*after = i;
	}
	return seen && quantity_known(device->used.value[*last]) && *after > *last + 1;
}

/* What the processes on the device that are known at the point hold together. */
static int64_t listed(const struct timeline *t, const struct subject *device, size_t point)
{
	int64_t sum = 0;

	for (size_t i = 0; i < t->subjects; i++)
		if (t->subject[i].is_process && t->subject[i].device == device->device &&
		    quantity_known(t->subject[i].used.value[point]))
			sum += t->subject[i].used.value[point];
	return sum;
}

void outlives_detect(struct scene *scene)
{
	const struct timeline *t = scene->timeline;

	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i], *device;
		char size[SIZE_TEXT];
		size_t last, after;
		int64_t held, unlisted;
		struct finding *f;

		if (!s->is_process || !(device = device_of(t, s)) ||
		    !find_end(t, s, device, &last, &after))
			continue;
		held = s->used.value[last];
		/* More than nobody held before it went. */
		unlisted = device->used.value[after] - listed(t, device, after) -
			   (device->used.value[last] - listed(t, device, last));
		if (held < smallest || (double)unlisted < most_of_it * (double)held)
			continue;
		f = scene_report(scene, FINDING_NOTE, "outlives-process", ADVICE_OUTLIVES);
		f->subject = s;
		f->first_line = t->line[last];
		f->last_line = t->line[after];
		f->detail = arena_printf(scene->arena,
					 "process %lld is gone, and %s on device %lld that no "
					 "process has are left",
					 (long long)s->pid, size_format(size, unlisted, SIZE_IEC),
					 (long long)s->device);
	}
}
