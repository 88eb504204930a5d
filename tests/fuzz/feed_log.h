#ifndef TESTS_FUZZ_FEED_LOG_H
#define TESTS_FUZZ_FEED_LOG_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/vec.h"
#include "grammar/grammar.h"
#include "grammar/match.h"
#include "ingest/lines.h"
#include "ingest/source.h"

/*
 * What the harnesses of logs share: bytes -> lines -> records of the built-in dialects, as an
 * import passes them on.  `take` is called for each record, for FEED_GAVE_UP where a pattern passed
 * its limits, and for FEED_BLANK; `line` is the last line read.
 */
enum { FEED_GAVE_UP = -1, FEED_RECORD = 1, FEED_BLANK = 2, FEED_DETECT = 400 };

typedef void feed_take(void *context, int what, int64_t line, const struct record *record);

/* Loaded once: it takes longer than many inputs together. */
static inline const struct grammars *feed_log_grammars(void)
{
	static struct grammars *grammars;

	if (!grammars)
		assert(grammars_load(&grammars, NULL) == 0);
	return grammars;
}

struct feed {
	struct matcher *matcher;
	struct record *record;
	feed_take *take;
	void *context;
	int explain; /* lines that nobody knows whose nearest rule is still to be asked for: it is
			slow */
};

static inline void feed_rest(const struct feed *f, int64_t line, int taken)
{
	do {
		if (taken)
			f->take(f->context, taken, line, f->record);
	} while ((taken = matcher_more(f->matcher, f->record, NULL)) != 0);
}

static inline void feed_line(const struct feed *f, const struct line *line)
{
	if (span_trim(line->text).len) {
		feed_rest(f, line->number, matcher_line(f->matcher, line, f->record, NULL));
		return;
	}
	matcher_end(f->matcher);
	feed_rest(f, line->number, 0);
	f->take(f->context, FEED_BLANK, line->number, f->record);
}

static inline void feed_log_lines(const struct feed *f, const struct line *line, size_t n)
{
	struct span first[FEED_DETECT] = { { NULL, 0 } };
	size_t detect = n < FEED_DETECT ? n : FEED_DETECT;

	for (size_t i = 0; i < detect; i++)
		first[i] = line[i].text;
	if (matcher_detect(f->matcher, first, detect) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		feed_line(f, &line[i]);
	matcher_end(f->matcher);
	feed_rest(f, n ? line[n - 1].number : 0, 0);
}

/* A line that nobody knew has a text and stands in the log; the nearest rule stopped inside it. */
static inline void feed_unknown(void *context, const struct line *line)
{
	struct feed *feed = context;
	const struct dialect *dialect;
	struct regex_stop stop;

	assert(line->number > 0 && line->text.len);
	if (feed->explain-- <= 0)
		return;
	if (matcher_nearest(feed->matcher, line->text, &dialect, &stop))
		assert(dialect && stop.wanted.ptr);
	assert(stop.least <= stop.most && stop.most <= line->text.len);
}

static inline void feed_log(const uint8_t *data, size_t size, feed_take *take, void *context)
{
	struct feed feed = { .take = take, .context = context, .explain = 3 };
	struct match_options options = { .zone = ZONE_UTC,
					 .unknown = feed_unknown,
					 .context = &feed };
	struct arena arena = ARENA_INIT;
	VEC(struct line) all = VEC_INIT;
	struct source *source;
	struct lines *lines;
	struct line line;

	assert(source_open_memory(&source, data, size) == 0);
	assert(lines_open(&lines, source, NULL) == 0);
	assert(matcher_open(&feed.matcher, feed_log_grammars(), &options) == 0);
	while (lines_next(lines, &line) > 0) {
		line.text.ptr = arena_text(&arena, line.text);
		*vec_push(&all) = line;
	}
	feed.record = xcalloc(1, sizeof(*feed.record));
	feed_log_lines(&feed, all.at, all.len);
	free(feed.record);
	matcher_close(feed.matcher);
	lines_close(lines);
	source_close(source);
	vec_release(&all);
	arena_release(&arena);
}

#endif
