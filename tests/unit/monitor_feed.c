#include "monitor_feed.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "grammar/match.h"
#include "replay/replay.h"

struct feed {
	struct strbuf out;
	const struct feed_options *options;
	struct matcher *matcher;
	struct replay *replay;
	struct record *record;
};

static void add_size(struct strbuf *out, const char *name, int64_t bytes)
{
	if (!quantity_known(bytes))
		return;
	if (bytes % MIB)
		strbuf_addf(out, " %s %" PRId64 "B", name, bytes);
	else
		strbuf_addf(out, " %s %" PRId64, name, bytes / MIB);
}

static void add_device(struct strbuf *out, const struct device *d)
{
	while (d && d->same_as)
		d = d->same_as;
	if (!d)
		strbuf_adds(out, "  gpu?");
	else if (d->number >= 0)
		strbuf_addf(out, "  gpu%" PRId64, d->number);
	else
		strbuf_addf(out, "  %s", d->bus ? d->bus : d->uuid);
	if (d && d->instance)
		strbuf_addf(out, "/mig%s", d->instance);
}

static void add_sample(struct strbuf *out, const struct sample *s)
{
	add_device(out, s->device);
	if (s->process && s->process->pid >= 0)
		strbuf_addf(out, " pid %" PRId64, s->process->pid);
	if (s->process && s->process->name)
		strbuf_addf(out, " %s", s->process->name);
	if (s->none)
		strbuf_adds(out, " used none");
	else if (s->percent_only)
		strbuf_addf(out, " used %.2f %% step %.2f %%", (double)s->used / 100,
			    (double)s->quantum / 100);
	else
		add_size(out, "used", s->used);
	add_size(out, "of", s->total);
	add_size(out, "free", s->free);
	add_size(out, "reserved", s->reserved);
	strbuf_addc(out, '\n');
}

static int on_run(void *context, int64_t line)
{
	(void)context;
	(void)line;
	return 0;
}

static int on_point(void *context, const struct point *p)
{
	struct feed *f = context;
	char time[TIME_TEXT];

	strbuf_addf(&f->out, "@%" PRId64, p->line);
	if (p->time != TIME_UNKNOWN)
		strbuf_addf(&f->out, " %s", time_format(time, p->time, p->time_resolution));
	if (p->position && p->position->label)
		strbuf_addf(&f->out, " label '%s'", p->position->label);
	if (p->position && p->position->code_line)
		strbuf_addf(&f->out, " at %s:%" PRId64,
			    p->position->file ? p->position->file : p->position->module,
			    p->position->code_line);
	if (p->step >= 0)
		strbuf_addf(&f->out, " step %" PRId64, p->step);
	add_size(&f->out, "visible", p->visible);
	add_size(&f->out, "allocated", p->allocated);
	add_size(&f->out, "reserved", p->reserved);
	strbuf_addc(&f->out, '\n');
	for (size_t i = 0; i < p->nsamples; i++)
		add_sample(&f->out, &p->samples[i]);
	return 0;
}

static int on_note(void *context, const struct note *note)
{
	struct feed *f = context;

	strbuf_addf(&f->out, "# %s", note->code);
	if (f->options && f->options->notes)
		strbuf_addf(&f->out, ": %s", note->text);
	strbuf_addc(&f->out, '\n');
	return 0;
}

static int on_event(void *context, const struct event *e)
{
	struct feed *f = context;

	strbuf_addf(&f->out, "! %s", e->code);
	if (e->device >= 0)
		strbuf_addf(&f->out, " gpu%" PRId64, e->device);
	add_size(&f->out, "requested", e->requested);
	add_size(&f->out, "of", e->capacity);
	add_size(&f->out, "free", e->free);
	add_size(&f->out, "limit", e->limit);
	add_size(&f->out, "allocated", e->allocated);
	add_size(&f->out, "reserved", e->reserved);
	add_size(&f->out, "process", e->process_used);
	strbuf_addc(&f->out, '\n');
	return 0;
}

static int on_end(void *context, const struct run_end *end)
{
	(void)context;
	(void)end;
	return 0;
}

static void take(struct feed *f, int rc)
{
	for (; rc > 0; rc = matcher_more(f->matcher, f->record, NULL))
		cr_assert(replay_record(f->replay, f->record) == 0);
	cr_assert(rc == 0, "%s", error_text());
}

static void feed_lines(struct feed *f, struct span log)
{
	struct line line = { SPAN_NONE, 0 };

	while (log.len) {
		line.text = span_split(log, '\n', &log);
		line.number++;
		if (span_trim(line.text).len) {
			take(f, matcher_line(f->matcher, &line, f->record, NULL));
			continue;
		}
		matcher_end(f->matcher);
		take(f, matcher_more(f->matcher, f->record, NULL));
		replay_blank(f->replay);
	}
	matcher_end(f->matcher);
	take(f, matcher_more(f->matcher, f->record, NULL));
}

char *feed_monitor(const char *log, const struct feed_options *options)
{
	struct feed f = { .out = STRBUF_INIT, .options = options };
	struct point_sink sink = { &f, on_run, on_point, on_note, on_event, on_end };
	struct match_options match = { .zone = ZONE_UTC };
	struct grammars *grammars;

	if (options && options->columns)
		match.columns = options->columns;
	if (options && options->tz)
		cr_assert(zone_parse(options->tz, &match.zone) == 0);
	f.record = xcalloc(1, sizeof(*f.record));
	cr_assert(grammars_load(&grammars, NULL) == 0, "%s", error_text());
	cr_assert(matcher_open(&f.matcher, grammars, &match) == 0, "%s", error_text());
	replay_open(&f.replay, &sink);
	feed_lines(&f, span_of(log));
	cr_assert(replay_finish(f.replay) == 0);
	replay_close(f.replay);
	matcher_close(f.matcher);
	grammars_free(grammars);
	free(f.record);
	return strbuf_detach(&f.out);
}

void expect_monitor_with(const char *log, const struct feed_options *options, const char *expected)
{
	char *got = feed_monitor(log, options);

	cr_expect(!strcmp(got, expected), "the log\n%s\ngives\n%s\nnot\n%s", log, got, expected);
	free(got);
}

void expect_monitor(const char *log, const char *expected)
{
	expect_monitor_with(log, NULL, expected);
}
