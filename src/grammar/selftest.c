#include "grammar/selftest.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "grammar/convert.h"
#include "grammar/match.h"

struct run {
	struct selftest *test;
	const struct grammars *grammars;
	const struct dialect *dialect;
	const struct rule *rule;
	struct record *record;
};

static void fail(struct run *run, int file_line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fail(struct run *run, int file_line, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	char *message = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&message, fmt, ap) < 0)
		message = NULL;
	va_end(ap);
	strbuf_addf(&text, "%s:%d: rule %s: %s",
		    strcmp(run->dialect->origin, "built in") ? run->dialect->origin
							     : run->dialect->name,
		    file_line, run->rule->name, message ? message : "");
	free(message);
	run->test->failed++;
	run->test->failure(run->test->context, text.buf);
	strbuf_release(&text);
}

/* The record of the sample after its given lines; which rule took it.  The matcher lends the record
 * its texts: close it after looking at them. */
static int feed(struct run *run, const struct rule_sample *sample, struct matcher **out,
		struct match_result *result)
{
	struct match_options options = { .zone = ZONE_UTC, .only = run->dialect->name };
	const struct texts *given = &sample->given;
	struct matcher *matcher;
	struct line line = { SPAN_NONE, 1 };
	int rc = 0;

	*out = NULL;
	if (matcher_open(&matcher, run->grammars, &options) < 0)
		return -1;
	*out = matcher;
	for (size_t i = 0; i < given->len && rc >= 0; i++, line.number++) {
		line.text = span_of(given->at[i]);
		rc = matcher_line(matcher, &line, run->record, NULL);
		while (rc > 0)
			rc = matcher_more(matcher, run->record, NULL);
	}
	line.text = sample->text;
	if (rc >= 0)
		rc = matcher_line(matcher, &line, run->record, result);
	/* Nothing comes below the sample that it could go on in. */
	matcher_end(matcher);
	if (!rc)
		rc = matcher_more(matcher, run->record, result);
	return rc;
}

/* Where the next " field=" begins, or the end. */
static size_t value_end(struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		size_t n = 0;

		if (s.ptr[i] != ' ')
			continue;
		while (i + 1 + n < s.len && s.ptr[i + 1 + n] != '=' && s.ptr[i + 1 + n] != ' ')
			n++;
		if (i + 1 + n < s.len && s.ptr[i + 1 + n] == '=' &&
		    field_by_name((struct span){ s.ptr + i + 1, n }) >= 0)
			return i;
	}
	return s.len;
}

static void check_expectation(struct run *run, const struct rule_sample *sample, struct span rest)
{
	struct strbuf got = STRBUF_INIT;

	while (rest.len) {
		struct span value, name = span_split(rest, '=', &value);
		int f = field_by_name(name);
		size_t n;

		if (f < 0 || !value.ptr) {
			fail(run, sample->expect_line, "there is no field '%.*s' to expect",
			     SPAN_ARG(name));
			break;
		}
		n = value_end(value);
		rest = span_trim(span_skip(value, n));
		value = span_trim((struct span){ value.ptr, n });
		strbuf_clear(&got);
		convert_back(&run->record->value[f], (enum field)f, &got);
		if (span_equal(value, strbuf_span(&got)))
			run->test->passed++;
		else
			fail(run, sample->expect_line, "expected %.*s=%.*s, read %s",
			     SPAN_ARG(name), SPAN_ARG(value), got.buf);
	}
	strbuf_release(&got);
}

static void show_stop(struct run *run, const struct rule_sample *sample)
{
	struct regex_stop stop;

	regex_stop(run->rule->match, sample->text, &stop);
	if (stop.most > 200)
		fail(run, sample->file_line, "the sample does not match after %zu bytes",
		     stop.most);
	else
		fail(run, sample->file_line, "the sample does not match:\n%.*s\n%*s^ %.*s",
		     SPAN_ARG(sample->text), (int)stop.most, "", SPAN_ARG(stop.wanted));
}

static int run_sample(struct run *run, const struct rule_sample *sample)
{
	struct match_result result;
	struct matcher *matcher;
	int rc = feed(run, sample, &matcher, &result);

	if (!rc) {
		show_stop(run, sample);
	} else if (rc > 0 && result.rule != run->rule) {
		fail(run, sample->file_line, "rule %s takes the sample before it",
		     result.rule->name);
	} else if (rc > 0) {
		run->test->passed++;
		for (size_t i = 0; i < sample->expect.len; i++)
			check_expectation(run, sample, span_of(sample->expect.at[i]));
	}
	matcher_close(matcher);
	return rc < 0 ? -1 : 0;
}

static int run_reject(struct run *run, const struct rule_sample *reject)
{
	struct match_result result;
	struct matcher *matcher;
	int rc = feed(run, reject, &matcher, &result);

	if (rc > 0 && result.rule == run->rule)
		fail(run, reject->file_line, "takes a line it must reject: %.*s",
		     SPAN_ARG(reject->text));
	else
		run->test->passed++;
	matcher_close(matcher);
	return rc < 0 ? -1 : 0;
}

int selftest_run(struct selftest *test, const struct grammars *grammars,
		 const struct dialect *dialect)
{
	struct run run = { test, grammars, dialect, NULL, xcalloc(1, sizeof(*run.record)) };
	int rc = 0;

	for (size_t r = 0; r < dialect->rules && !rc; r++) {
		run.rule = &dialect->rule[r];
		if (!run.rule->samples)
			fail(&run, run.rule->file_line, "no sample reaches this rule");
		for (size_t i = 0; i < run.rule->samples && !rc; i++)
			rc = run_sample(&run, &run.rule->sample[i]);
		for (size_t i = 0; i < run.rule->rejects && !rc; i++)
			rc = run_reject(&run, &run.rule->reject[i]);
	}
	free(run.record);
	return rc;
}
