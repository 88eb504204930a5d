#include "grammar/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Far above what any sane pattern needs on a line of a megabyte, and over within a second. */
enum {
	LIMIT_MATCH = 10 * 1000 * 1000,
	LIMIT_DEPTH = 20 * 1000,
	LIMIT_HEAP_KIB = 16 * 1024,
};

struct regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	bool jit, anchored;
	uint8_t first[32];
	/* For regex_stop(): the text, which may have NULs, and the code once it was asked for. */
	char *pattern;
	size_t pattern_len;
	pcre2_code *stops;
};

static void set_all(uint8_t bits[32])
{
	memset(bits, 0xff, 32);
}

/* PCRE2 computes starting bytes for unanchored patterns only: ask it about the rest of "^rest". */
static void find_first_bytes(struct regex *regex, struct span pattern)
{
	uint32_t type = 0, unit = 0;
	const uint8_t *bitmap = NULL;
	pcre2_code *code;
	PCRE2_SIZE at;
	int error;

	set_all(regex->first);
	if (pattern.len && pattern.ptr[0] == '^')
		pattern = span_skip(pattern, 1);
	code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, PCRE2_UTF | PCRE2_DUPNAMES,
			     &error, &at, NULL);
	if (!code)
		return;
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODETYPE, &type);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODEUNIT, &unit);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTBITMAP, &bitmap);
	if (type == 1 && unit < 0x80) {
		/* Either case: the pattern may be caseless. */
		memset(regex->first, 0, sizeof(regex->first));
		for (int b = 0; b < 256; b++)
			if (b == (int)unit ||
			    ((b ^ (int)unit) == 0x20 && (b | 0x20) >= 'a' && (b | 0x20) <= 'z'))
				regex->first[b / 8] |= (uint8_t)(1 << b % 8);
	} else if (type == 0 && bitmap) {
		memcpy(regex->first, bitmap, sizeof(regex->first));
	}
	pcre2_code_free(code);
}

int regex_compile(struct regex **out, struct span pattern, bool anchored, size_t *offset)
{
	uint32_t options = PCRE2_UTF | PCRE2_DUPNAMES | (anchored ? PCRE2_ANCHORED : 0);
	struct regex *regex;
	PCRE2_SIZE at = 0;
	pcre2_code *code;
	uint32_t groups;
	int error;

	code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, options, &error, &at, NULL);
	if (!code && error == PCRE2_ERROR_HEAP_FAILED)
		out_of_memory();
	if (!code) {
		PCRE2_UCHAR text[160];

		pcre2_get_error_message(error, text, sizeof(text));
		*offset = at;
		return error_input("%s", (const char *)text);
	}
	pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
	if (groups >= REGEX_MAX_GROUPS) {
		pcre2_code_free(code);
		*offset = 0;
		return error_input("more than %d groups", REGEX_MAX_GROUPS - 1);
	}
	regex = xcalloc(1, sizeof(*regex));
	regex->code = code;
	regex->anchored = anchored;
	regex->jit = !pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	regex->data = pcre2_match_data_create_from_pattern(code, NULL);
	regex->context = pcre2_match_context_create(NULL);
	if (!regex->data || !regex->context)
		out_of_memory();
	pcre2_set_match_limit(regex->context, LIMIT_MATCH);
	pcre2_set_depth_limit(regex->context, LIMIT_DEPTH);
	pcre2_set_heap_limit(regex->context, LIMIT_HEAP_KIB);
	regex->pattern = xmalloc(pattern.len);
	regex->pattern_len = pattern.len;
	memcpy(regex->pattern, pattern.ptr, pattern.len);
	find_first_bytes(regex, pattern);
	*out = regex;
	return 0;
}

void regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_match_data_free(regex->data);
	pcre2_match_context_free(regex->context);
	pcre2_code_free(regex->code);
	pcre2_code_free(regex->stops);
	free(regex->pattern);
	free(regex);
}

static int run(const struct regex *regex, struct span subject)
{
	PCRE2_SPTR text = (PCRE2_SPTR)(subject.len ? subject.ptr : "");

	if (regex->jit) {
		int rc = pcre2_jit_match(regex->code, text, subject.len, 0, 0, regex->data,
					 regex->context);

		if (rc != PCRE2_ERROR_JIT_STACKLIMIT)
			return rc;
	}
	return pcre2_match(regex->code, text, subject.len, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
			   regex->data, regex->context);
}

int regex_find(const struct regex *regex, struct span subject, struct regex_match *match)
{
	const PCRE2_SIZE *ends;
	unsigned char byte = subject.len ? (unsigned char)subject.ptr[0] : 0;
	int rc;

	/* Most lines are turned down here, before PCRE2 is asked. */
	if (regex->anchored && subject.len && !(regex->first[byte / 8] & 1 << byte % 8))
		return 0;
	rc = run(regex, subject);

	if (rc == PCRE2_ERROR_NOMATCH)
		return 0;
	/* Not the pattern's fault: a line must not be lost to it. */
	if (rc == PCRE2_ERROR_NOMEMORY)
		out_of_memory();
	if (rc < 0) {
		PCRE2_UCHAR text[160];

		pcre2_get_error_message(rc, text, sizeof(text));
		return error_input("the pattern gives up: %s; make it simpler", (const char *)text);
	}
	if (!match)
		return 1;
	match->groups = (size_t)rc;
	ends = pcre2_get_ovector_pointer(regex->data);
	for (int i = 0; i < rc; i++)
		match->group[i] = ends[2 * i] == PCRE2_UNSET
					  ? SPAN_NONE
					  : (struct span){ subject.ptr + ends[2 * i],
							   ends[2 * i + 1] - ends[2 * i] };
	return 1;
}

int regex_begins(const struct regex *regex, struct span subject)
{
	return pcre2_match(regex->code, (PCRE2_SPTR)(subject.len ? subject.ptr : ""), subject.len,
			   0, PCRE2_PARTIAL_HARD | PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, regex->data,
			   regex->context) == PCRE2_ERROR_PARTIAL;
}

/* The item of the pattern that an attempt came to last, and where in the subject that was. */
struct farthest {
	size_t item;
	struct regex_stop *stop;
};

static int see_item(pcre2_callout_block *block, void *context)
{
	size_t item = block->pattern_position, taken = block->current_position;
	struct farthest *f = context;

	if (item < f->item)
		return 0;
	if (item > f->item)
		f->stop->most = f->stop->least = taken;
	f->item = item;
	f->stop->most = taken > f->stop->most ? taken : f->stop->most;
	f->stop->least = taken < f->stop->least ? taken : f->stop->least;
	return 0;
}

/* Without the short cuts that would not even begin.  It was compiled before, so it can be again. */
static pcre2_code *with_callouts(const struct regex *regex)
{
	uint32_t options = PCRE2_UTF | PCRE2_DUPNAMES | PCRE2_AUTO_CALLOUT |
			   PCRE2_NO_START_OPTIMIZE | (regex->anchored ? PCRE2_ANCHORED : 0);
	pcre2_code *code;
	PCRE2_SIZE at;
	int error;

	code = pcre2_compile((PCRE2_SPTR)regex->pattern, regex->pattern_len, options, &error, &at,
			     NULL);
	if (!code)
		out_of_memory();
	return code;
}

void regex_stop(struct regex *regex, struct span subject, struct regex_stop *out)
{
	PCRE2_SPTR text = (PCRE2_SPTR)(subject.len ? subject.ptr : "");
	pcre2_match_context *context = pcre2_match_context_copy(regex->context);
	struct regex_stop stop = { 0, 0, SPAN_NONE };
	struct farthest farthest = { 0, &stop };

	if (!context)
		out_of_memory();
	if (!regex->stops)
		regex->stops = with_callouts(regex);
	pcre2_set_callout(context, see_item, &farthest);
	if (pcre2_match(regex->stops, text, subject.len, 0, PCRE2_NO_UTF_CHECK, regex->data,
			context) >= 0)
		stop = (struct regex_stop){ 0, 0, SPAN_NONE };
	else
		stop.wanted = span_skip((struct span){ regex->pattern, regex->pattern_len },
					farthest.item);
	*out = stop;
	pcre2_match_context_free(context);
}

void regex_names(const struct regex *regex, void (*fn)(void *, const char *, unsigned),
		 void *context)
{
	uint32_t count = 0, size = 0;
	PCRE2_SPTR table = NULL;

	pcre2_pattern_info(regex->code, PCRE2_INFO_NAMECOUNT, &count);
	pcre2_pattern_info(regex->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(regex->code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < count; i++, table += size)
		fn(context, (const char *)table + 2, (unsigned)(table[0] << 8 | table[1]));
}

void regex_first_bytes(const struct regex *regex, uint8_t bits[32])
{
	memcpy(bits, regex->first, sizeof(regex->first));
}
