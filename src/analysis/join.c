#include "analysis/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/joint.h"
#include "analysis/stats.h"
#include "base/alloc.h"

/* A sample further than so many of the monitor's steps from a point says nothing of it. */
enum { STEPS_AWAY = 3 };
/* Monitors are asked to look every second or so; slower ones are trusted as far as their step. */
static const int64_t shortest_reach = 2 * SECOND;
/* Rounding of the two totals that the driver's share is the difference of. */
static const int64_t reserved_tolerance = 4 * MIB;

/* ---- which log is what ---- */

static bool has_tensors(const struct timeline *t)
{
	return t->rows > 0 || t->level[LEVEL_VISIBLE].value;
}

size_t join_base(const struct timeline *const *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (has_tensors(t[i]))
			return i;
	for (size_t i = 0; i < n; i++)
		if (has_processes(t[i]) && t[i]->time)
			return i;
	return 0;
}

/* Some tables name a card by its number, others by its uuid: any log may tie the two. */
static int64_t number_in(const struct timeline *t, const char *uuid)
{
	for (size_t i = 0; i < t->subjects; i++)
		if (t->subject[i].device >= 0 && t->subject[i].uuid &&
		    !strcmp(t->subject[i].uuid, uuid))
			return t->subject[i].device;
	return -1;
}

static int64_t device_number(const struct joint *j, const struct subject *s)
{
	int64_t number = s->device;

	if (number < 0 && s->uuid)
		number = number_in(j->base, s->uuid);
	for (size_t p = 0; p < j->n && number < 0 && s->uuid; p++)
		number = number_in(&j->parts[p], s->uuid);
	return number;
}

/* ---- putting a series at the base's points ---- */

static int64_t usual_step(const struct samples *s)
{
	double *gap = xcalloc(s->n + 1, sizeof(*gap));
	int64_t step;

	for (size_t i = 1; i < s->n; i++)
		gap[i - 1] = (double)(s->time[i] - s->time[i - 1]);
	step = s->n > 1 ? (int64_t)stats_median(gap, s->n - 1) : 0;
	free(gap);
	return step;
}

/* The sample nearest in time to each point, unless it is too far. */
static void place_by_time(const struct joint *j, const struct samples *s, int64_t *value)
{
	int64_t reach = STEPS_AWAY * usual_step(s);
	size_t k = 0;

	reach = reach > shortest_reach ? reach : shortest_reach;
	for (size_t i = 0; i < j->base->points; i++) {
		int64_t t = j->at.time[i];

		if (t == TIME_UNKNOWN || !s->n)
			continue;
		while (k > 0 && s->time[k] > t)
			k--;
		while (k + 1 < s->n && llabs(s->time[k + 1] - t) <= llabs(s->time[k] - t))
			k++;
		if (llabs(s->time[k] - t) <= reach && !quantity_known(value[i]))
			value[i] = (int64_t)s->value[k];
	}
}

/* A card or process that another log shows too is one; its first log goes first. */
static struct subject *subject_like(struct joint *j, const struct subject *s)
{
	for (size_t i = 0; i < j->subject.len; i++) {
		struct subject *have = &j->subject.at[i];

		if (have->is_process == s->is_process && same_device(have, s) &&
		    (!s->is_process || (s->pid >= 0 && have->pid == s->pid)) &&
		    have->used.percent == s->used.percent)
			return have;
	}
	return NULL;
}

static char *copy(struct joint *j, const char *text)
{
	return arena_text(&j->base->arena, span_of(text));
}

static struct subject *add_subject(struct joint *j, const struct subject *s)
{
	struct arena *arena = &j->base->arena;
	struct subject *new = vec_push(&j->subject);
	int64_t *value = arena_alloc(arena, j->base->points * sizeof(*value));

	*new = *s;
	new->uuid = copy(j, s->uuid);
	new->device_name = copy(j, s->device_name);
	new->process = copy(j, s->process);
	for (size_t i = 0; i < j->base->points; i++)
		value[i] = QUANTITY_UNKNOWN;
	new->used.value = value;
	new->used.joined = true;
	return new;
}

/* A sample may catch a process while its context loads: two alike make a fact. */
static int64_t first_plateau(const struct samples *s)
{
	for (size_t i = 0; i + 1 < s->n; i++)
		if (s->value[i] > 0 && s->value[i + 1] - s->value[i] == 0)
			return (int64_t)s->value[i];
	return QUANTITY_UNKNOWN;
}

static void join_subject(struct joint *j, const struct timeline *part, const struct subject *s)
{
	struct samples samples = samples_of(part, s);
	struct subject wanted = *s, *have;

	wanted.device = device_number(j, s);
	have = subject_like(j, &wanted);
	if (!have)
		have = add_subject(j, &wanted);
	if (!quantity_known(have->total))
		have->total = s->total;
	if (!quantity_known(have->reserved))
		have->reserved = s->reserved;
	if (!quantity_known(have->start))
		have->start = first_plateau(&samples);
	place_by_time(j, &samples, have->used.value);
	samples_release(&samples);
}

/* ---- levels of logs without time stamps: by steps ---- */

/* The position most often visited, and how often. */
static int32_t busiest(const struct timeline *t, size_t *visits)
{
	size_t *count = xcalloc(t->sites + 1, sizeof(*count));
	int32_t best = -1;

	*visits = 0;
	for (size_t i = 0; i < t->points; i++)
		if (t->position[i] >= 0 && ++count[t->position[i]] > *visits) {
			*visits = count[t->position[i]];
			best = t->position[i];
		}
	free(count);
	return best;
}

static void set_level_at(struct timeline *base, enum level l, size_t i, const struct series *from,
			 size_t k)
{
	struct series *s = &base->level[l];

	if (!quantity_known(from->value[k]))
		return;
	if (!s->value) {
		s->value = arena_alloc(&base->arena, base->points * sizeof(*s->value));
		for (size_t p = 0; p < base->points; p++)
			s->value[p] = QUANTITY_UNKNOWN;
		s->quantum = from->quantum;
		s->joined = true;
	}
	if (!quantity_known(s->value[i]))
		s->value[i] = from->value[k];
}

static bool join_by_steps(struct timeline *base, const struct timeline *part)
{
	size_t mine, theirs, k = 0;
	int32_t here = busiest(base, &mine), there = busiest(part, &theirs);

	if (here < 0 || there < 0 || mine < 2 || mine != theirs)
		return false;
	for (size_t i = 0; i < base->points; i++) {
		if (base->position[i] != here)
			continue;
		while (part->position[k] != there)
			k++;
		for (int l = LEVEL_ALLOCATED; l <= LEVEL_RESERVED; l++)
			if (part->level[l].value)
				set_level_at(base, (enum level)l, i, &part->level[l], k);
		k++;
	}
	return true;
}

static struct timeline_part join_part(struct joint *j, const struct timeline *part)
{
	struct timeline_part out = { .source = copy(j, part->source),
				     .dialect = copy(j, part->dialect) };

	if (part->time && j->at.time) {
		for (size_t i = 0; i < part->subjects; i++)
			if (part->subject[i].used.value)
				join_subject(j, part, &part->subject[i]);
		out.how = j->how;
		out.error = j->at.error;
	} else if (!part->time && join_by_steps(j->base, part)) {
		out.how = "by the steps that both show";
	}
	return out;
}

/* ---- the run's own process and device ---- */

/* What of a process's ups and downs the run's tensors do not share, in bytes. */
static double strangeness(const struct timeline *t, const struct series *inside,
			  const struct subject *s, size_t *known)
{
	double sum = 0, last = NAN;

	*known = 0;
	for (size_t i = 0; i < t->points; i++) {
		double beside;

		if (!quantity_known(s->used.value[i]) || !quantity_known(inside->value[i]))
			continue;
		beside = (double)(s->used.value[i] - inside->value[i]);
		sum += isnan(last) ? 0 : fabs(beside - last);
		last = beside;
		++*known;
	}
	return sum;
}

static struct subject *find_own(struct joint *j)
{
	const struct timeline *t = j->base;
	const struct series *inside = t->level[LEVEL_ALLOCATED].value ? &t->level[LEVEL_ALLOCATED]
								      : &t->level[LEVEL_VISIBLE];
	struct subject *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; inside->value && i < j->subject.len; i++) {
		struct subject *s = &j->subject.at[i];
		double strange;
		size_t known;

		if (!s->is_process || s->used.percent)
			continue;
		strange = strangeness(t, inside, s, &known);
		if (known * 2 < t->points || strange >= least)
			continue;
		best = s;
		least = strange;
	}
	return best;
}

static const struct subject *device_of(const struct joint *j, const struct subject *own)
{
	const struct subject *only = NULL;

	for (size_t i = 0; i < j->subject.len; i++) {
		const struct subject *s = &j->subject.at[i];

		if (s->is_process || s->used.percent)
			continue;
		if (own ? same_device(s, own) : true) {
			if (only && !own)
				return NULL;
			only = s;
		}
	}
	return only;
}

/* Before driver 510 and in old trackers the total counts what the driver keeps; find out. */
static bool counts_reserved(const struct timeline *t, const struct subject *device)
{
	double *gap = xcalloc(t->points + 1, sizeof(*gap)), middle;
	size_t n = 0;

	for (size_t i = 0; i < t->points; i++)
		if (quantity_known(t->level[LEVEL_DEVICE].value[i]) &&
		    quantity_known(device->used.value[i]))
			gap[n++] =
				(double)(t->level[LEVEL_DEVICE].value[i] - device->used.value[i]);
	middle = n ? stats_median(gap, n) : NAN;
	free(gap);
	return fabs(middle - (double)device->reserved) <= (double)reserved_tolerance;
}

static void set_levels(struct joint *j)
{
	struct timeline *t = j->base;
	struct subject *own = find_own(j);
	const struct subject *device = device_of(j, own);

	if (own) {
		own->own = true;
		t->level[LEVEL_PROCESS] = own->used;
		t->own_device = own->device;
	}
	if (!device)
		return;
	if (t->own_device < 0)
		t->own_device = device->device;
	if (!quantity_known(t->capacity))
		t->capacity = device->total;
	if (!t->level[LEVEL_DEVICE].value) {
		t->level[LEVEL_DEVICE] = device->used;
		return;
	}
	if (!quantity_known(device->reserved))
		return;
	t->driver_reserved = device->reserved;
	t->driver_in_device = counts_reserved(t, device);
}

void join_parts(struct timeline *base, const struct timeline *parts, size_t n)
{
	struct joint j = { .base = base, .parts = parts, .n = n };
	struct timeline_part *part = arena_alloc(&base->arena, (n + 1) * sizeof(*part));
	struct subject *subject;

	find_times(&j);
	for (size_t i = 0; i < base->subjects; i++) {
		struct subject *s = vec_push(&j.subject);

		*s = base->subject[i];
		s->device = device_number(&j, s);
	}
	for (size_t p = 0; p < n; p++)
		part[p] = join_part(&j, &parts[p]);
	set_levels(&j);
	subject = arena_alloc(&base->arena, (j.subject.len + 1) * sizeof(*subject));
	if (j.subject.len)
		memcpy(subject, j.subject.at, j.subject.len * sizeof(*subject));
	base->subject = subject;
	base->subjects = j.subject.len;
	base->part = part;
	base->parts = n;
	vec_release(&j.subject);
}
