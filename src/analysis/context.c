/*
 * A process that holds memory on two devices and works on one of them: what it holds on the other,
 * small and constant, is its CUDA context, or a checkpoint that was loaded there.
 */
#include "analysis/detector.h"
#include "model/subject.h"

/* Less than this share of what the process has on its main device. */
static const double minor_share = 0.5;

static int64_t highest(const struct timeline *timeline, const struct subject *s)
{
	int64_t high = 0;

	for (size_t i = 0; i < timeline->points; i++)
		if (quantity_known(s->used.value[i]) && s->used.value[i] > high)
			high = s->used.value[i];
	return high;
}

/* The later half of what the log says of it is one value. */
static bool is_constant(const struct timeline *timeline, const struct subject *s)
{
	int64_t last = QUANTITY_UNKNOWN;
	size_t known = 0, same = 0;

	for (size_t i = timeline->points; i > 0; i--) {
		if (!quantity_known(s->used.value[i - 1]))
			continue;
		last = quantity_known(last) ? last : s->used.value[i - 1];
		same += s->used.value[i - 1] == last && same == known;
		known++;
	}
	return known > 0 && 2 * same >= known;
}

/* Where the process works, or NULL. */
static const struct subject *main_elsewhere(const struct timeline *timeline,
					    const struct subject *s)
{
	for (size_t i = 0; i < timeline->subjects; i++) {
		const struct subject *other = &timeline->subject[i];

		if (other == s || other->pid != s->pid || !other->used.value)
			continue;
		if ((double)highest(timeline, s) < minor_share * (double)highest(timeline, other))
			return other;
	}
	return NULL;
}

static const char *device_text(const struct scene *scene, const struct subject *s)
{
	const char *text = subject_device_text(scene->arena, s);

	return text ? text : "another device";
}

static const char *describe(const struct scene *scene, const struct subject *s,
			    const struct subject *other)
{
	char here[SIZE_TEXT], there[SIZE_TEXT];

	size_format(here, highest(scene->timeline, s), SIZE_IEC);
	size_format(there, highest(scene->timeline, other), SIZE_IEC);
	return arena_printf(scene->arena, "%s on %s belong to process %lld, which works on %s (%s)",
			    here, device_text(scene, s), (long long)s->pid,
			    device_text(scene, other), there);
}

void context_detect(struct scene *scene)
{
	const struct timeline *timeline = scene->timeline;

	for (size_t i = 0; i < timeline->subjects; i++) {
		const struct subject *s = &timeline->subject[i];
		struct finding *f;

		if (s->pid < 0 || !s->used.value || !main_elsewhere(timeline, s) ||
		    !is_constant(timeline, s))
			continue;
		f = scene_report(scene, FINDING_NOTE, "context", ADVICE_CONTEXT);
		f->subject = s;
		f->detail = describe(scene, s, main_elsewhere(timeline, s));
	}
}
