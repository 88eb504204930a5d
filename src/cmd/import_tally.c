#include "cmd/import_tally.h"

void tally_init(struct tally *t, struct import_result *result, struct point_sink next)
{
	*t = (struct tally){ .result = result, .next = next };
}

void tally_release(struct tally *t)
{
	vec_release(&t->visits);
	vec_release(&t->devices);
	vec_release(&t->processes);
}

static int on_run_begin(void *context, int64_t line)
{
	struct tally *t = context;

	for (size_t i = 0; i < t->visits.len; i++)
		t->visits.at[i] = 0;
	return t->next.run_begin(t->next.context, line);
}

static void see_position(struct tally *t, const struct position *p)
{
	while (t->visits.len <= p->index)
		*vec_push(&t->visits) = 0;
	if (++t->visits.at[p->index] > t->result->iterations) {
		t->result->iterations = t->visits.at[p->index];
		t->loop = p;
	}
}

static void see_sample(struct tally *t, const struct sample *s)
{
	t->result->samples += quantity_known(s->used);
	if (s->device) {
		while (t->devices.len <= s->device->index)
			*vec_push(&t->devices) = NULL;
		t->devices.at[s->device->index] = s->device;
	}
	if (s->process) {
		while (t->processes.len <= s->process->index)
			*vec_push(&t->processes) = false;
		t->result->processes += !t->processes.at[s->process->index];
		t->processes.at[s->process->index] = true;
	}
}

static int on_point(void *context, const struct point *p)
{
	struct tally *t = context;
	struct import_result *r = t->result;

	r->points++;
	if (p->position)
		see_position(t, p->position);
	if (p->time != TIME_UNKNOWN) {
		if (r->first_time == TIME_UNKNOWN)
			r->first_time = p->time;
		r->last_time = p->time;
	}
	r->values += quantity_known(p->visible) || quantity_known(p->allocated) ||
		     quantity_known(p->reserved);
	for (size_t i = 0; i < p->nsamples; i++)
		see_sample(t, &p->samples[i]);
	return t->next.point(t->next.context, p);
}

static int on_note(void *context, const struct note *note)
{
	struct tally *t = context;
	struct import_result *r = t->result;
	size_t i = 0;

	while (i < r->note_counts.len && strcmp(r->note_counts.at[i].code, note->code))
		i++;
	if (i == r->note_counts.len)
		*vec_push(&r->note_counts) =
			(struct note_count){ arena_text(&r->arena, span_of(note->code)), 0 };
	r->note_counts.at[i].count++;
	*vec_push(&r->notes) = (struct note){ note->line, r->note_counts.at[i].code,
					      arena_text(&r->arena, span_of(note->text)) };
	return t->next.note(t->next.context, note);
}

static int on_event(void *context, const struct event *event)
{
	struct tally *t = context;

	t->result->events++;
	return t->next.event(t->next.context, event);
}

static int on_run_end(void *context, const struct run_end *end)
{
	struct tally *t = context;

	return t->next.run_end(t->next.context, end);
}

struct point_sink tally_sink(struct tally *t)
{
	return (struct point_sink){ t, on_run_begin, on_point, on_note, on_event, on_run_end };
}

/* Most telling lines first; equals in the order of the dialects. */
static void list_dialects(struct import_result *r)
{
	for (size_t n = 0; n < r->dialect_lines.len; n++) {
		struct dialect_lines *best = NULL;

		for (size_t i = 0; i < r->dialect_lines.len; i++) {
			struct dialect_lines *d = &r->dialect_lines.at[i];

			if (d->telling && (!best || d->telling > best->telling))
				best = d;
		}
		if (!best)
			return;
		*vec_push(&r->dialects) = arena_text(&r->arena, span_of(best->name));
		best->telling = 0;
	}
}

void tally_finish(struct tally *t)
{
	struct arena *arena = &t->result->arena;
	struct position *copy;

	list_dialects(t->result);
	/* Two names of one card may have been tied at last. */
	for (size_t i = 0; i < t->devices.len; i++)
		t->result->devices += t->devices.at[i] && !t->devices.at[i]->same_as;

	if (!t->loop)
		return;
	copy = arena_alloc(arena, sizeof(*copy));
	*copy = (struct position){
		.file = arena_text(arena, span_of(t->loop->file)),
		.code_line = t->loop->code_line,
		.function = arena_text(arena, span_of(t->loop->function)),
		.module = arena_text(arena, span_of(t->loop->module)),
		.label = arena_text(arena, span_of(t->loop->label)),
	};
	t->result->loop = copy;
}
