#ifndef TESTS_FUZZ_FEED_LOG_H
#define TESTS_FUZZ_FEED_LOG_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "grammar/grammar.h"
#include "grammar/match.h"
#include "ingest/lines.h"
#include "ingest/source.h"

/*
 * What the harnesses of logs share: bytes -> lines -> records of the built-in dialects.
 * `take` is called for each line with the result of matcher_line(), or FEED_BLANK.
 */
enum { FEED_BLANK = 2, FEED_DETECT = 400 };

typedef void feed_take(void *context, int rc, const struct line *line, const struct record *record);

/* Loaded once: it takes longer than many inputs together. */
static inline const struct grammars *feed_log_grammars(void)
{
	static struct grammars *grammars;

	if (!grammars)
		assert(grammars_load(&grammars, NULL) == 0);
	return grammars;
}

static inline void feed_log_lines(struct matcher *m, const struct line *line, size_t n,
				  feed_take *take, void *context)
{
	struct record *record = xcalloc(1, sizeof(*record));
	struct span first[FEED_DETECT];
	size_t detect = n < FEED_DETECT ? n : FEED_DETECT;

	for (size_t i = 0; i < detect; i++)
		first[i] = line[i].text;
	if (matcher_detect(m, first, detect) == 0)
		for (size_t i = 0; i < n; i++)
			take(context,
			     span_trim(line[i].text).len ? matcher_line(m, &line[i], record, NULL)
							 : FEED_BLANK,
			     &line[i], record);
	free(record);
}

static inline void feed_log(const uint8_t *data, size_t size, feed_take *take, void *context)
{
	struct match_options options = { .zone = ZONE_UTC };
	struct arena arena = ARENA_INIT;
	VEC(struct line) all = VEC_INIT;
	struct source *source;
	struct matcher *m;
	struct lines *lines;
	struct line line;

	assert(source_open_memory(&source, data, size) == 0);
	assert(lines_open(&lines, source, NULL) == 0);
	assert(matcher_open(&m, feed_log_grammars(), &options) == 0);
	while (lines_next(lines, &line) > 0) {
		line.text.ptr = arena_text(&arena, line.text);
		*vec_push(&all) = line;
	}
	feed_log_lines(m, all.at, all.len, take, context);
	matcher_close(m);
	lines_close(lines);
	source_close(source);
	vec_release(&all);
	arena_release(&arena);
}

#endif
