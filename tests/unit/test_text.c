#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "base/vec.h"

Test(span, compares_texts_and_no_text)
{
	cr_expect(span_equal(SPAN_LITERAL("ab"), span_of("ab")));
	cr_expect_not(span_equal(SPAN_LITERAL("ab"), SPAN_LITERAL("abc")));
	cr_expect_not(span_equal(SPAN_LITERAL("ab"), SPAN_LITERAL("aB")));
	cr_expect(span_equal(SPAN_NONE, SPAN_EMPTY_TEXT));
	cr_expect(span_is(SPAN_LITERAL("a\0b"), "a") == false);
	cr_expect_eq(span_of(NULL).ptr, NULL);
	cr_expect_eq(SPAN_LITERAL("a\0b").len, 3);
}

Test(span, starts_and_skips)
{
	cr_expect(span_starts(span_of("torch.int8"), "torch."));
	cr_expect(span_starts(span_of("torch."), "torch."));
	cr_expect_not(span_starts(span_of("torch"), "torch."));
	cr_expect(span_starts(SPAN_NONE, ""));
	cr_expect(span_is(span_skip(span_of("abc"), 1), "bc"));
	cr_expect(span_is(span_skip(span_of("abc"), 0), "abc"));
	cr_expect(span_is(span_skip(span_of("abc"), 9), ""));
	cr_expect_eq(span_skip(SPAN_NONE, 3).ptr, NULL);
}

static const struct {
	const char *in, *out;
} trims[] = {
	{ "", "" },     { "  ", "" }, { "a", "a" }, { " a b\t\r", "a b" }, { "\t\ra\n ", "a\n" },
	{ "\n", "\n" },
};

Test(span, trim_takes_blanks_off_both_ends)
{
	for (size_t i = 0; i < sizeof(trims) / sizeof(*trims); i++)
		cr_expect(span_is(span_trim(span_of(trims[i].in)), trims[i].out), "case %zu", i);
	cr_expect_eq(span_trim(SPAN_NONE).len, 0);
}

static const struct {
	const char *in, *first, *rest; /* rest NULL: no text */
} splits[] = {
	{ "a,b,c", "a", "b,c" }, { "a,", "a", "" }, { ",a", "", "a" },
	{ "abc", "abc", NULL },  { "", "", NULL },
};

Test(span, split_tells_an_empty_rest_from_none)
{
	for (size_t i = 0; i < sizeof(splits) / sizeof(*splits); i++) {
		struct span rest, first = span_split(span_of(splits[i].in), ',', &rest);

		cr_expect(span_is(first, splits[i].first), "%s", splits[i].in);
		cr_expect_eq(rest.ptr == NULL, splits[i].rest == NULL, "%s", splits[i].in);
		cr_expect(span_equal(rest, span_of(splits[i].rest)), "%s", splits[i].in);
	}
}

static const struct {
	const char *in, *first, *rest;
} words[] = {
	{ "set a b", "set", "a b" },
	{ "  one\t two  ", "one", "two" },
	{ "one", "one", "" },
	{ "", "", "" },
	{ "  ", "", "" },
};

Test(span, word_takes_the_first_word)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct span rest, first = span_word(span_of(words[i].in), &rest);

		cr_expect(span_is(first, words[i].first), "'%s'", words[i].in);
		cr_expect(span_is(rest, words[i].rest), "'%s'", words[i].in);
	}
}

Test(strbuf, grows_and_stays_terminated)
{
	struct strbuf sb = STRBUF_INIT;

	cr_expect_str_eq(sb.buf, "");
	strbuf_clear(&sb);
	strbuf_add(&sb, NULL, 0);
	strbuf_adds(&sb, "a");
	strbuf_addc(&sb, 'b');
	strbuf_addspan(&sb, SPAN_LITERAL("c"));
	strbuf_addspan(&sb, SPAN_NONE);
	strbuf_addf(&sb, "%d%s", 12, "");
	cr_expect_str_eq(sb.buf, "abc12");
	cr_expect_eq(sb.len, 5);
	strbuf_clear(&sb);
	cr_expect_str_eq(sb.buf, "");
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&sb, "%d", i % 10);
	cr_expect_eq(sb.len, 10000);
	cr_expect_eq(strlen(sb.buf), 10000);
	cr_expect_eq(sb.buf[9999], '9');
	strbuf_release(&sb);
	cr_expect_str_eq(sb.buf, "");
	strbuf_release(&sb);
}

Test(strbuf, detach_gives_the_text_away)
{
	struct strbuf sb = STRBUF_INIT;
	char *empty = strbuf_detach(&sb), *text;

	strbuf_adds(&sb, "abc");
	text = strbuf_detach(&sb);
	cr_expect_str_eq(empty, "");
	cr_expect_str_eq(text, "abc");
	cr_expect_eq(sb.len, 0);
	strbuf_adds(&sb, "d");
	cr_expect_str_eq(text, "abc");
	strbuf_release(&sb);
	free(empty);
	free(text);
}

Test(strbuf, empty_buffers_do_not_share_what_is_added)
{
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

	strbuf_adds(&a, "x");
	cr_expect_str_eq(b.buf, "");
	strbuf_release(&a);
	cr_expect_str_eq(strbuf_empty, "");
}

Test(arena, memory_is_zeroed_aligned_and_stays)
{
	struct arena arena = ARENA_INIT;
	char *kept[200];

	for (size_t i = 0; i < 200; i++) {
		size_t size = i * 37 % 5000;
		unsigned char *p = arena_alloc(&arena, size);

		cr_expect_eq((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t n = 0; n < size; n++)
			cr_assert_eq(p[n], 0);
		memset(p, 0xff, size);
		kept[i] = arena_printf(&arena, "%zu", i);
	}
	for (size_t i = 0; i < 200; i++) {
		char want[16];

		snprintf(want, sizeof(want), "%zu", i);
		cr_expect_str_eq(kept[i], want);
	}
	/* More than a chunk, then less again. */
	memset(arena_alloc(&arena, 100000), 0xff, 100000);
	cr_expect_str_eq(arena_text(&arena, SPAN_LITERAL("after")), "after");
	arena_release(&arena);
	arena_release(&arena);
}

Test(arena, texts_are_terminated_copies)
{
	struct arena arena = ARENA_INIT;
	char source[] = "abcdef";
	char *copy = arena_text(&arena, (struct span){ source, 3 });

	source[0] = 'x';
	cr_expect_str_eq(copy, "abc");
	cr_expect_str_eq(arena_text(&arena, SPAN_EMPTY_TEXT), "");
	cr_expect_null(arena_text(&arena, SPAN_NONE));
	arena_release(&arena);
}

Test(intern, numbers_distinct_texts_in_order)
{
	enum { TEXTS = 5000 };
	struct intern table = INTERN_INIT;
	char text[16];
	bool added;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < TEXTS; i++) {
			snprintf(text, sizeof(text), "t%zu", i);
			cr_assert_eq(intern(&table, span_of(text), &added), i);
			cr_assert_eq(added, round == 0);
		}
	}
	cr_expect_eq(table.len, TEXTS);
	cr_expect(span_is(table.text[4321], "t4321"));
	cr_expect_eq(intern(&table, span_of("t7"), NULL), 7);
	intern_release(&table);
	intern_release(&table);
}

Test(intern, bytes_count_not_strings)
{
	struct intern table = INTERN_INIT;

	cr_expect_eq(intern(&table, SPAN_LITERAL("a\0b"), NULL), 0);
	cr_expect_eq(intern(&table, SPAN_LITERAL("a\0c"), NULL), 1);
	cr_expect_eq(intern(&table, SPAN_LITERAL("a"), NULL), 2);
	cr_expect_eq(intern(&table, SPAN_EMPTY_TEXT, NULL), 3);
	cr_expect_eq(intern(&table, SPAN_NONE, NULL), 3);
	cr_expect_eq(table.text[0].len, 3);
	intern_release(&table);
}

Test(vec, grows_and_keeps_items)
{
	VEC(int) numbers = VEC_INIT;

	for (int i = 0; i < 1000; i++)
		*vec_push(&numbers) = i;
	cr_expect_eq(numbers.len, 1000);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(numbers.at[i], i);
	vec_clear(&numbers);
	cr_expect_eq(numbers.len, 0);
	vec_reserve(&numbers, 5000);
	cr_expect_geq(numbers.cap, 5000);
	vec_reserve(&numbers, 10);
	cr_expect_geq(numbers.cap, 5000);
	vec_release(&numbers);
	cr_expect_null(numbers.at);
	cr_expect_eq(numbers.cap, 0);
}
