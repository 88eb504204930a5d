#include <math.h>
#include <stdlib.h>

#include "analysis/joint.h"
#include "base/alloc.h"

bool has_processes(const struct timeline *t)
{
	for (size_t i = 0; i < t->subjects; i++)
		if (t->subject[i].is_process)
			return true;
	return false;
}

bool same_device(const struct subject *a, const struct subject *b)
{
	return a->device >= 0 && b->device >= 0 ? a->device == b->device
						: a->uuid && text_equal(a->uuid, b->uuid);
}

struct samples samples_of(const struct timeline *t, const struct subject *s)
{
	struct samples out = { xcalloc(t->points + 1, sizeof(*out.time)),
			       xcalloc(t->points + 1, sizeof(*out.value)), 0 };

	for (size_t i = 0; t->time && i < t->points; i++) {
		if (t->time[i] == TIME_UNKNOWN || !quantity_known(s->used.value[i]))
			continue;
		out.time[out.n] = t->time[i];
		out.value[out.n++] = (double)s->used.value[i];
	}
	return out;
}

void samples_release(struct samples *s)
{
	free(s->time);
	free(s->value);
}

/* What a monitor would see of the base: the device's total, or what the allocator has ever held. */
static double *base_curve(const struct timeline *t, bool *shape)
{
	static const enum level order[] = { LEVEL_DEVICE, LEVEL_RESERVED, LEVEL_ALLOCATED,
					    LEVEL_VISIBLE };
	double *curve = xcalloc(t->points + 1, sizeof(*curve)), most = 0;
	const struct series *s = NULL;

	for (size_t l = 0; l < sizeof(order) / sizeof(*order) && !s; l++)
		if (t->level[order[l]].value)
			s = &t->level[order[l]];
	*shape = s != &t->level[LEVEL_DEVICE];
	for (size_t i = 0; i < t->points; i++) {
		curve[i] = s && quantity_known(s->value[i]) ? (double)s->value[i] : NAN;
		if (!*shape || isnan(curve[i]))
			continue;
		most = fmax(most, curve[i]);
		curve[i] = most;
	}
	return curve;
}

static void try_fit(struct joint *j, const double *curve, const struct curve *timed,
		    struct align_fit fit)
{
	struct alignment at;

	if (!align_points(&at, &j->base->arena, curve, j->base->points, j->base->started, timed,
			  fit) ||
	    (j->how && at.cost >= j->at.cost))
		return;
	j->at = at;
	j->how = fit.shape ? "by the form of the curve" : "by the curve of the device's memory";
}

/* An old tracker's total counts what the driver keeps, a monitor's may not. */
static void try_subject(struct joint *j, const double *curve, bool shape,
			const struct timeline *part, const struct subject *s)
{
	struct samples samples = samples_of(part, s);
	struct curve timed = { samples.time, samples.value, samples.n };
	double reserved = quantity_known(s->reserved) ? (double)s->reserved : NAN;

	try_fit(j, curve, &timed, (struct align_fit){ shape, reserved });
	if (!shape)
		try_fit(j, curve, &timed, (struct align_fit){ false, 0 });
	samples_release(&samples);
}

/* All processes of a device together rise and fall as the device does, by some constant below it. */
static void try_sum(struct joint *j, const double *curve, const struct timeline *part,
		    const struct subject *first)
{
	struct series sum = { .value = xcalloc(part->points + 1, sizeof(int64_t)) };
	struct subject all = { .used = sum, .reserved = QUANTITY_UNKNOWN };

	for (size_t i = 0; i < part->points; i++) {
		sum.value[i] = QUANTITY_UNKNOWN;
		for (size_t k = 0; k < part->subjects; k++) {
			const struct subject *s = &part->subject[k];
			int64_t used = s->is_process && same_device(s, first) ? s->used.value[i]
									      : QUANTITY_UNKNOWN;

			if (quantity_known(used))
				sum.value[i] = quantity_known(sum.value[i])
						       ? quantity_add(sum.value[i], used)
						       : used;
		}
	}
	try_subject(j, curve, false, part, &all);
	free(sum.value);
}

/* A monitor of processes alone: each device once. */
static void try_sums(struct joint *j, const double *curve, const struct timeline *part)
{
	for (size_t i = 0; i < part->subjects; i++)
		if (!part->subject[i].is_process)
			return;
	for (size_t i = 0; i < part->subjects; i++) {
		bool met = false;

		for (size_t k = 0; k < i; k++)
			met |= same_device(&part->subject[k], &part->subject[i]);
		if (!met)
			try_sum(j, curve, part, &part->subject[i]);
	}
}

static void find_times_by_curve(struct joint *j)
{
	bool shape, processes = false;
	double *curve = base_curve(j->base, &shape);

	for (size_t p = 0; p < j->n; p++)
		processes |= has_processes(&j->parts[p]);
	for (size_t p = 0; p < j->n; p++) {
		for (size_t i = 0; i < j->parts[p].subjects; i++) {
			const struct subject *s = &j->parts[p].subject[i];

			if (s->is_process == (shape && processes) && s->used.value &&
			    !s->used.percent)
				try_subject(j, curve, shape, &j->parts[p], s);
		}
		if (!shape)
			try_sums(j, curve, &j->parts[p]);
	}
	free(curve);
}

void find_times(struct joint *j)
{
	if (j->base->time) {
		j->at.time = j->base->time;
		j->how = "by time stamps";
		return;
	}
	find_times_by_curve(j);
}
