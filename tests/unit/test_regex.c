#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "grammar/regex.h"

static struct regex *compiled(const char *pattern, bool anchored)
{
	struct regex *regex = NULL;
	size_t offset;

	cr_assert_eq(regex_compile(&regex, span_of(pattern), anchored, &offset), 0, "%s: %s",
		     pattern, error_text());
	return regex;
}

static const struct {
	const char *pattern;
	bool anchored;
	const char *subject;
	int found;
	const char *whole; /* group 0 */
} finds[] = {
	{ "b+", false, "abbc", 1, "bb" },
	{ "b+", true, "abbc", 0, NULL },
	{ "^a", true, "abc", 1, "a" },
	{ "^$", true, "", 1, "" },
	{ "x*", false, "", 1, "" },
	{ "^(?i)At", true, "aT 3", 1, "aT" },
	/* A character is a character, not a byte. */
	{ "^.月", true, "9月", 1, "9月" },
	{ "^.$", true, "显", 1, "显" },
};

Test(regex, finds)
{
	for (size_t i = 0; i < sizeof(finds) / sizeof(*finds); i++) {
		struct regex *regex = compiled(finds[i].pattern, finds[i].anchored);
		struct regex_match match;

		cr_expect_eq(regex_find(regex, span_of(finds[i].subject), NULL), finds[i].found);
		cr_assert_eq(regex_find(regex, span_of(finds[i].subject), &match), finds[i].found,
			     "%s", finds[i].pattern);
		if (finds[i].found)
			cr_expect(span_is(match.group[0], finds[i].whole), "%s", finds[i].pattern);
		regex_free(regex);
	}
}

Test(regex, groups_that_took_no_part_are_no_text)
{
	struct regex *regex = compiled("^(a)?(b)?(c)", true);
	struct regex_match match;

	cr_assert_eq(regex_find(regex, SPAN_LITERAL("bc"), &match), 1);
	cr_assert_eq(match.groups, 4);
	cr_expect_null(match.group[1].ptr);
	cr_expect(span_is(match.group[2], "b"));
	regex_free(regex);
}

static const struct {
	const char *pattern;
	size_t offset; /* where PCRE2 sees the trouble */
} broken[] = {
	{ "^a(b", 4 },
	{ "^[a", 3 },
	{ "^(?<1x>a)", 4 },
	{ "a\\", 2 },
};

Test(regex, says_where_a_pattern_is_broken)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct regex *regex = NULL;
		size_t offset = 99;

		cr_assert_eq(regex_compile(&regex, span_of(broken[i].pattern), true, &offset), -1,
			     "%s", broken[i].pattern);
		cr_expect_eq(offset, broken[i].offset, "%s: %zu", broken[i].pattern, offset);
		cr_expect_gt(strlen(error_text()), 0);
	}
}

Test(regex, refuses_more_groups_than_a_match_holds)
{
	struct strbuf pattern = STRBUF_INIT;
	struct regex *regex;
	size_t offset;

	for (int i = 0; i < REGEX_MAX_GROUPS; i++)
		strbuf_adds(&pattern, "(a)");
	cr_expect_eq(regex_compile(&regex, strbuf_span(&pattern), true, &offset), -1);
	pattern.len -= 3;
	cr_assert_eq(regex_compile(&regex, strbuf_span(&pattern), true, &offset), 0);
	regex_free(regex);
	strbuf_release(&pattern);
}

/* Each backtracks exponentially on a's without an end. */
static const char *const hostile[] = { "^(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "^(.*a){20}$" };

Test(regex, a_hostile_pattern_gives_up, .timeout = 60)
{
	char subject[64];

	memset(subject, 'a', sizeof(subject));
	subject[sizeof(subject) - 1] = '!';
	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		struct regex *regex = compiled(hostile[i], true);
		int rc = regex_find(regex, (struct span){ subject, sizeof(subject) }, NULL);

		/* PCRE2 may be clever enough to see that there is no match. */
		cr_expect_leq(rc, 0, "%s", hostile[i]);
		if (rc < 0)
			cr_expect_not_null(strstr(error_text(), "gives up"));
		else
			cr_expect_gt(i, 0, "the first one must pass its limits");
		regex_free(regex);
	}
}

Test(regex, recursion_without_end_gives_up, .timeout = 60)
{
	struct strbuf subject = STRBUF_INIT;
	struct regex *regex = compiled("^(\\((?1)*\\))+$", true);

	for (int i = 0; i < 200000; i++)
		strbuf_addc(&subject, '(');
	cr_expect_leq(regex_find(regex, strbuf_span(&subject), NULL), 0);
	regex_free(regex);
	strbuf_release(&subject);
}

static const struct {
	const char *pattern, *subject;
	size_t most, least;
	const char *wanted;
} stops[] = {
	{ "^abc$", "abd", 2, 2, "c$" },
	{ "^abc$", "xbc", 0, 0, "abc$" },
	{ "^abc$", "abcd", 3, 3, "$" },
	{ "^显存 \\d$", "显存 x", 7, 7, "\\d$" },
	{ "^At (\\w+)2: x", "At 121 x", 5, 5, ": x" },
	{ "^(\\w+)\\d: x", "a12 x", 3, 2, ": x" }, /* the digit is 2, then 1 */
	{ "^At (.*) line (\\d+)$", "At a b line x", 12, 12, "\\d+)$" },
	{ "^At (.*) line (\\d+)$", "At a b", 5, 5, "line (\\d+)$" },
	{ "^(.*)x", "abc", 3, 0, "x" },
	{ "^(.*)c", "abc", 0, 0, "" },
	/* The last character is missing: no short cut sees that first. */
	{ "^(\\d++) M$", "12 ", 3, 3, "M$" },
};

/* The farthest that attempts came into the pattern, and what was wanted there. */
Test(regex, stop_is_where_a_rule_wanted_something_else)
{
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		struct regex *regex = compiled(stops[i].pattern, true);
		struct regex_stop stop;

		regex_stop(regex, span_of(stops[i].subject), &stop);
		cr_expect_eq(stop.most, stops[i].most, "%s on %s: %zu", stops[i].pattern,
			     stops[i].subject, stop.most);
		cr_expect_eq(stop.least, stops[i].least, "%s on %s: %zu", stops[i].pattern,
			     stops[i].subject, stop.least);
		cr_expect(span_is(stop.wanted, stops[i].wanted), "%s on %s: %.*s", stops[i].pattern,
			  stops[i].subject, SPAN_ARG(stop.wanted));
		regex_free(regex);
	}
}

Test(regex, stop_knows_patterns_with_nul)
{
	static const char pattern[] = "^(a\0b)c";
	struct regex_stop stop;
	struct regex *regex;
	size_t at;

	cr_assert_eq(
		regex_compile(&regex, (struct span){ pattern, sizeof(pattern) - 1 }, true, &at), 0);
	regex_stop(regex, (struct span){ "a\0bd", 4 }, &stop);
	cr_expect_eq(stop.most, 3);
	cr_expect(span_is(stop.wanted, "c"));
	regex_free(regex);
}

static void collect(void *context, const char *name, unsigned group)
{
	strbuf_addf(context, "%s=%u ", name, group);
}

Test(regex, names_of_groups)
{
	struct regex *regex = compiled("^(?<b>.)(.)(?<a>.)", true);
	struct strbuf names = STRBUF_INIT;

	regex_names(regex, collect, &names);
	cr_expect_str_eq(names.buf, "a=3 b=1 ");
	strbuf_release(&names);
	regex_free(regex);
}

static const struct {
	const char *pattern, *may, *may_not; /* bytes that a match may begin with; cannot */
} starts[] = {
	{ "^At ", "A", "B+ " },     { "^[+-] ", "+-", "AB " }, { "^(?i)at", "aA", "b " },
	{ "^(?:a|b)c", "ab", "c" }, { "^x?y", "xy", "z" },     { "^x*$", "xyz ", "" },
	{ "^↳", "\xe2", "" },
};

Test(regex, first_bytes_leave_out_no_match)
{
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		struct regex *regex = compiled(starts[i].pattern, true);
		uint8_t bits[32];

		regex_first_bytes(regex, bits);
		for (const char *c = starts[i].may; *c; c++)
			cr_expect(bits[(uint8_t)*c / 8] >> (uint8_t)*c % 8 & 1, "%s: %c",
				  starts[i].pattern, *c);
		for (const char *c = starts[i].may_not; *c; c++)
			cr_expect_not(bits[(uint8_t)*c / 8] >> (uint8_t)*c % 8 & 1, "%s: %c",
				      starts[i].pattern, *c);
		regex_free(regex);
	}
}
