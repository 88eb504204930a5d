#include "grammar/match.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/utf8.h"
#include "grammar/ask.h"

static void forget_lines(struct matcher *m)
{
	struct wrapped *w = &m->wrapped;

	for (size_t i = 0; i < w->lines.len; i++)
		free(w->lines.at[i].text);
	for (size_t i = 0; i < m->queue.len; i++)
		free(m->queue.at[i].text);
	vec_clear(&w->lines);
	vec_clear(&m->queue);
	w->dialect = NULL;
}

static void state_reset(struct matcher *m)
{
	for (size_t i = 0; i < m->grammars->len; i++) {
		m->state[i].section = -1;
		m->state[i].carried = 0;
		m->state[i].table.rule = NULL;
	}
	strbuf_clear(&m->label);
	forget_lines(m);
	m->matched = m->unmatched = 0;
}

/* A header the user gave for logs that have none: the first table that knows it. */
static int open_columns(struct matcher *m)
{
	struct span header = span_of(m->options.columns);

	if (utf8_valid(header.ptr, header.len) < header.len)
		return error_usage("--columns '%s': is not UTF-8", m->options.columns);
	for (size_t i = 0; i < m->len; i++) {
		const struct dialect *d = m->grammars->dialect[m->order[i]];

		for (size_t r = 0; r < d->rules; r++) {
			int rc;

			if (!d->rule[r].is_table || !d->rule[r].default_header)
				continue;
			rc = regex_find(d->rule[r].match, header, NULL);
			if (!rc)
				continue;
			if (rc > 0)
				rc = table_read_header(&m->state[d->index].table, &d->rule[r],
						       header);
			if (rc)
				return rc < 0 ? -1 : 0;
		}
	}
	return error_usage("--columns '%s': no table has such columns; give names as in "
			   "nvidia-smi --help-query-gpu, like timestamp,index,memory.used",
			   m->options.columns);
}

int matcher_open(struct matcher **out, const struct grammars *grammars,
		 const struct match_options *options)
{
	struct matcher *m = xcalloc(1, sizeof(*m));

	m->grammars = grammars;
	m->options = *options;
	m->state = xcalloc(grammars->len, sizeof(*m->state));
	m->order = xcalloc(grammars->len, sizeof(*m->order));
	m->label = m->lent = m->repaired = (struct strbuf)STRBUF_INIT;
	m->wrapped.text = m->wrapped.first = (struct strbuf)STRBUF_INIT;
	for (size_t i = 0; i < grammars->len; i++) {
		m->state[i].table.joined = (struct strbuf)STRBUF_INIT;
		for (int f = 0; f < FIELD_COUNT; f++)
			m->state[i].text[f] = (struct strbuf)STRBUF_INIT;
		if (!options->only || !strcmp(options->only, grammars->dialect[i]->name))
			m->order[m->len++] = (int)i;
	}
	state_reset(m);
	if (!m->len) {
		matcher_close(m);
		return error_usage("there is no dialect '%s'; see memlog formats", options->only);
	}
	if (options->columns && open_columns(m) < 0) {
		matcher_close(m);
		return -1;
	}
	*out = m;
	return 0;
}

void matcher_close(struct matcher *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->grammars->len; i++) {
		table_close(&m->state[i].table);
		for (int f = 0; f < FIELD_COUNT; f++)
			strbuf_release(&m->state[i].text[f]);
	}
	strbuf_release(&m->label);
	strbuf_release(&m->lent);
	strbuf_release(&m->repaired);
	forget_lines(m);
	strbuf_release(&m->wrapped.text);
	strbuf_release(&m->wrapped.first);
	vec_release(&m->wrapped.lines);
	vec_release(&m->queue);
	free(m->current);
	free(m->state);
	free(m->order);
	free(m);
}

/* Makes room for a line at `at` of the queue, and copies it there. */
static void enqueue(struct matcher *m, size_t at, struct span text, struct queued_line like)
{
	(void)vec_push(&m->queue);
	memmove(m->queue.at + at + 1, m->queue.at + at,
		(m->queue.len - 1 - at) * sizeof(*m->queue.at));
	like.text = xstrndup(text.ptr ? text.ptr : "", text.len);
	like.len = text.len;
	m->queue.at[at] = like;
}

static struct span queued_text(const struct queued_line *line)
{
	return (struct span){ line->text, line->len };
}

static void count_unknown(struct matcher *m, struct span text, const struct queued_line *line)
{
	struct line unknown = { text, line->number };

	if (line->part)
		return;
	m->unmatched++;
	if (m->options.unknown)
		m->options.unknown(m->options.context, &unknown);
}

static void enqueue_rest(struct matcher *m, size_t whole, int64_t number)
{
	/* Each piece must be shorter than the line it is of, or this would never end. */
	if (m->rest.len && m->rest.len < whole)
		enqueue(m, m->queue.len, m->rest, (struct queued_line){ .number = number, .part = true });
	m->rest = SPAN_NONE;
}

static void hold(struct matcher *m, struct span text, const struct queued_line *line)
{
	struct queued_line *held = vec_push(&m->wrapped.lines);

	*held = *line;
	held->text = xstrndup(text.ptr, text.len);
	held->len = text.len;
}

/* `line` without its text, which may be the caller's. */
static int read_line(struct matcher *m, struct span text, const struct queued_line *line,
		     struct record *record, struct match_result *result)
{
	int rc = ask_line(m, text, !line->whole, record, result);

	record->line = line->number;
	if (rc == ASK_TAKEN) {
		m->matched += !line->part;
		enqueue_rest(m, text.len, line->number);
	} else if (rc == ASK_BEGUN) {
		strbuf_clear(&m->wrapped.first);
		strbuf_addspan(&m->wrapped.first, text);
		hold(m, text, line);
	} else {
		count_unknown(m, text, line);
	}
	return rc == ASK_BEGUN ? ASK_UNKNOWN : rc;
}

/* The lines are asked one by one, in their order, before what waits already. */
static void give_up(struct matcher *m)
{
	struct wrapped *w = &m->wrapped;

	for (size_t i = w->lines.len; i > 0; i--) {
		struct queued_line *line = vec_push(&m->queue);

		*line = w->lines.at[i - 1];
		line->whole |= i == 1;
	}
	vec_clear(&w->lines);
	w->dialect = NULL;
}

/* Joins a line to the beginning that is held: behind a blank, or to the word that was cut. */
static int go_on(struct matcher *m, const struct queued_line *line, struct record *record,
		 struct match_result *result)
{
	static const char *const glue[] = { " ", "" };
	struct wrapped *w = &m->wrapped;
	struct span more = ask_without_margin(w->dialect, queued_text(line));
	size_t before = w->text.len;
	int rc = ASK_UNKNOWN;

	for (int i = 0; i < 2 && rc == ASK_UNKNOWN && !line->part; i++) {
		w->text.len = before;
		strbuf_adds(&w->text, glue[i]);
		strbuf_addspan(&w->text, more);
		rc = ask_wrapped(m, record, result);
	}
	if (rc == ASK_BEGUN && w->lines.len < w->rule->wrap) {
		hold(m, queued_text(line), line);
		return ASK_UNKNOWN;
	}
	if (rc != ASK_TAKEN) {
		hold(m, queued_text(line), line);
		give_up(m);
		return ASK_UNKNOWN;
	}
	record->line = w->lines.at[0].number;
	m->matched += (int64_t)w->lines.len + 1;
	for (size_t i = 0; i < w->lines.len; i++)
		free(w->lines.at[i].text);
	vec_clear(&w->lines);
	w->dialect = NULL;
	enqueue_rest(m, w->text.len, record->line);
	return ASK_TAKEN;
}

int matcher_more(struct matcher *m, struct record *record, struct match_result *result)
{
	struct match_result own;
	int rc = ASK_UNKNOWN;

	if (!result)
		result = &own;
	while (m->queue.len && rc == ASK_UNKNOWN) {
		struct queued_line line = m->queue.at[--m->queue.len];

		free(m->current);
		m->current = line.text;
		record_clear(record);
		*result = (struct match_result){ NULL, NULL, false };
		rc = m->wrapped.dialect
			     ? go_on(m, &line, record, result)
			     : read_line(m, queued_text(&line), &line, record, result);
	}
	return rc;
}

int matcher_line(struct matcher *m, const struct line *line, struct record *record,
		 struct match_result *result)
{
	struct queued_line one = { .number = line->number };
	struct match_result own;
	int rc;

	record_clear(record);
	if (!result)
		result = &own;
	*result = (struct match_result){ NULL, NULL, false };
	if (m->wrapped.dialect || m->queue.len) {
		enqueue(m, 0, line->text, one);
		return matcher_more(m, record, result);
	}
	rc = read_line(m, line->text, &one, record, result);
	record->line = line->number;
	return rc;
}

void matcher_end(struct matcher *m)
{
	if (m->wrapped.dialect)
		give_up(m);
}

void matcher_counts(const struct matcher *m, int64_t *matched, int64_t *unmatched)
{
	*matched = m->matched;
	*unmatched = m->unmatched;
}

int matcher_detect(struct matcher *m, const struct span *lines, size_t n)
{
	void (*unknown)(void *, const struct line *) = m->options.unknown;
	struct record *record = xcalloc(1, sizeof(*record));
	int64_t *score = xcalloc(m->grammars->len, sizeof(*score));
	size_t len = m->len;
	int rc = 0, *all = m->order;

	m->options.unknown = NULL;
	/* Each dialect alone: what it would take if there were no other. */
	for (size_t i = 0; i < len && rc >= 0; i++) {
		m->len = 1;
		m->order = &all[i];
		m->matched = 0;
		for (size_t l = 0; l < n && rc >= 0; l++) {
			struct line line = { lines[l], (int64_t)l + 1 };

			if (lines[l].len)
				rc = matcher_line(m, &line, record, NULL);
			else
				matcher_end(m);
			while (rc > 0 || (rc == 0 && m->queue.len))
				rc = matcher_more(m, record, NULL);
			/* A pattern that gives up on a line is told when the line is read. */
			rc = 0;
		}
		score[all[i]] = m->matched;
		forget_lines(m);
	}
	m->options.unknown = unknown;
	m->len = len;
	m->order = all;
	/* Insertion sort keeps the order of equals. */
	for (size_t i = 1; i < len; i++)
		for (size_t j = i; j && score[all[j]] > score[all[j - 1]]; j--) {
			int swap = all[j];

			all[j] = all[j - 1];
			all[j - 1] = swap;
		}
	free(score);
	free(record);
	state_reset(m);
	if (m->options.columns && rc >= 0)
		rc = open_columns(m);
	return rc < 0 ? -1 : 0;
}

/* The dialects that took most of the log stand first: another must come clearly nearer. */
enum { CLEARLY = 4 };

const struct rule *matcher_nearest(const struct matcher *m, struct span text,
				   const struct dialect **dialect, struct regex_stop *stop)
{
	const struct rule *best = NULL;

	*dialect = NULL;
	*stop = (struct regex_stop){ 0, 0, SPAN_NONE };
	for (size_t i = 0; i < m->len; i++) {
		const struct dialect *d = m->grammars->dialect[m->order[i]];

		for (size_t r = 0; r < d->rules; r++) {
			size_t lead = best && d != *dialect ? CLEARLY : 1;
			struct regex_stop here;

			regex_stop(d->rule[r].match, text, &here);
			if (here.least < stop->least + lead)
				continue;
			*stop = here;
			*dialect = d;
			best = &d->rule[r];
		}
	}
	return best;
}
