/* The words of a dialect file: grammar/README.md is their manual. */
#include <stdio.h>

#include "base/error.h"
#include "base/units.h"
#include "grammar/grammar_parser.h"

static void *grow(struct arena *arena, const void *old, size_t len, size_t size)
{
	char *copy = arena_alloc(arena, (len + 1) * size);

	if (len)
		memcpy(copy, old, len * size);
	return copy;
}

/* The arena has no realloc; the lists are short. */
#define APPEND(arena, array, len) \
	((array) = grow((arena), (array), (len), sizeof(*(array))), &(array)[(len)++])

static void add_text(struct parser *p, struct texts *list, struct span text)
{
	*APPEND(p->arena, list->at, list->len) = arena_text(p->arena, text);
}

static int compile(struct parser *p, struct regex **out, struct span pattern, bool anchored)
{
	size_t offset = 0;
	char message[200];

	if (!pattern.len)
		return parser_complain(p, pattern.ptr, "a pattern is missing");
	if (*out)
		return parser_complain(p, pattern.ptr, "given twice");
	if (regex_compile(out, pattern, anchored, &offset) == 0)
		return 0;
	snprintf(message, sizeof(message), "%s", error_text());
	return parser_complain(p, pattern.ptr + offset, message);
}

static int read_field(struct parser *p, struct span word, enum field *field)
{
	int f = field_by_name(word);

	if (f < 0)
		return parser_complain_of(p, word.ptr, "there is no field", word);
	*field = (enum field)f;
	return 0;
}

static int read_choice(struct parser *p, struct span word, const char *const *names, int count,
		       const char *what, int *out)
{
	char text[64];

	for (int i = 0; i < count; i++) {
		if (span_is(word, names[i])) {
			*out = i;
			return 0;
		}
	}
	snprintf(text, sizeof(text), "there is no %s", what);
	return parser_complain_of(p, word.ptr, text, word);
}

static int read_name(struct parser *p)
{
	p->d->name = arena_text(p->arena, p->value);
	return p->value.len ? 0 : parser_complain(p, p->value.ptr, "a name is missing");
}

static int read_about(struct parser *p)
{
	p->d->about = arena_text(p->arena, p->value);
	return 0;
}

/* A capture group's name is a field's, FIELD_unit, or in a rule "rest". */
struct capture_reader {
	struct parser *p;
	struct capture **list;
	size_t *len;
	unsigned *rest; /* NULL: such a group means nothing here */
	int rc;
};

static void read_capture(void *context, const char *name, unsigned group)
{
	struct capture_reader *reader = context;
	struct parser *p = reader->p;
	struct span word = span_of(name);
	bool is_unit = word.len > 5 && !strcmp(word.ptr + word.len - 5, "_unit");
	int f;

	if (reader->rest && span_is(word, "rest")) {
		*reader->rest = group;
		return;
	}
	if (is_unit)
		word.len -= 5;
	f = field_by_name(word);
	if (f < 0) {
		char text[128];

		snprintf(text, sizeof(text),
			 "the capture '%s' is no field; see memlog formats fields", name);
		reader->rc = parser_complain(p, p->value.ptr, text);
		return;
	}
	*APPEND(p->arena, *reader->list, *reader->len) =
		(struct capture){ group, (enum field)f, is_unit, 0 };
}

static int read_prefix(struct parser *p)
{
	struct line_prefix prefix = { 0 };
	struct capture_reader reader = { p, &prefix.capture, &prefix.captures, NULL, 0 };

	if (compile(p, &prefix.match, p->value, true) < 0)
		return -1;
	regex_names(prefix.match, read_capture, &reader);
	*vec_push(&p->prefixes) = prefix;
	return reader.rc;
}

static int read_time(struct parser *p)
{
	add_text(p, p->rule ? &p->rule->time : &p->d->time, p->value);
	return 0;
}

static int read_none(struct parser *p)
{
	add_text(p, &p->d->none, p->value);
	if (p->value.len)
		p->d->none_first[(unsigned char)p->value.ptr[0]] = true;
	return 0;
}

static struct rule *begin(struct parser *p, bool is_table)
{
	struct rule *r = vec_push(&p->rules);

	*r = (struct rule){
		.name = arena_text(p->arena, p->value),
		.file_line = p->number,
		.is_table = is_table,
		.kind = RECORD_KINDS,
		.section = -2,
		.wide = FIELD_COUNT,
	};
	p->rule = r;
	return r;
}

static int read_rule(struct parser *p)
{
	begin(p, false);
	return p->value.len ? 0 : parser_complain(p, p->value.ptr, "a name is missing");
}

static int read_table(struct parser *p)
{
	begin(p, true);
	return p->value.len ? 0 : parser_complain(p, p->value.ptr, "a name is missing");
}

/* A field may be captured at several places, each with the unit that follows it. */
static void pair_units(struct rule *r)
{
	for (size_t i = 0; i < r->captures; i++) {
		struct capture *c = &r->capture[i];

		for (size_t u = 0; u < r->captures && !c->is_unit; u++) {
			const struct capture *unit = &r->capture[u];

			if (unit->is_unit && unit->field == c->field && unit->group > c->group &&
			    (!c->unit_group || unit->group < c->unit_group))
				c->unit_group = unit->group;
		}
	}
}

static int read_match(struct parser *p)
{
	struct rule *r = p->rule;
	struct capture_reader reader = { p, &r->capture, &r->captures, &r->rest, 0 };

	if (p->value.len && p->value.ptr[0] != '^')
		return parser_complain(p, p->value.ptr, "a pattern begins with ^");
	if (compile(p, &p->rule->match, p->value, true) < 0)
		return -1;
	if (!p->rule->is_table)
		regex_names(p->rule->match, read_capture, &reader);
	pair_units(p->rule);
	return reader.rc;
}

static int read_is(struct parser *p)
{
	struct span rest, kind = span_word(p->value, &rest);
	int n;

	if (read_choice(p, kind, record_kind_names, RECORD_KINDS, "kind", &n) < 0)
		return -1;
	p->rule->kind = (enum record_kind)n;
	if (!rest.len)
		return 0;
	if (read_choice(p, rest, boundary_names, BOUNDARIES, "boundary", &n) < 0)
		return -1;
	p->rule->boundary = (enum boundary)n;
	return 0;
}

static int read_unit(struct parser *p)
{
	struct span rest, word = span_word(p->value, &rest);
	struct field_unit unit = { FIELD_COUNT, 0, false };

	if (read_field(p, word, &unit.field) < 0)
		return -1;
	word = span_word(rest, &rest);
	if (span_is(word, "measured")) {
		unit.measured = true;
		word = span_word(rest, &rest);
	}
	unit.bytes = unit_bytes(word);
	if (!word.len)
		return parser_complain(p, p->value.ptr + p->value.len, "a unit is missing");
	if (!unit.bytes)
		return parser_complain_of(p, word.ptr, "there is no unit", word);
	*APPEND(p->arena, p->rule->unit, p->rule->units) = unit;
	return 0;
}

static int read_constant(struct parser *p)
{
	struct span rest, word = span_word(p->value, &rest);
	struct field_text constant;

	if (read_field(p, word, &constant.field) < 0)
		return -1;
	constant.text = arena_text(p->arena, rest);
	*APPEND(p->arena, p->rule->constant, p->rule->constants) = constant;
	return 0;
}

static int read_code(struct parser *p)
{
	p->rule->code = arena_text(p->arena, p->value);
	return 0;
}

static int read_wrap(struct parser *p)
{
	struct decimal lines;
	struct span rest;

	if (!decimal_parse(p->value, &lines, &rest) || rest.len || lines.decimals ||
	    lines.mantissa < 1 || lines.mantissa > 100)
		return parser_complain(p, p->value.ptr, "wrap takes a number of lines, 1 to 100");
	p->rule->wrap = (size_t)lines.mantissa;
	return 0;
}

static int read_fields(struct parser *p, uint64_t *bits)
{
	struct span rest = p->value;

	while (rest.len) {
		struct span word = span_word(rest, &rest);
		enum field field = FIELD_COUNT;

		if (read_field(p, word, &field) < 0)
			return -1;
		*bits |= UINT64_C(1) << field;
	}
	return 0;
}

static int read_carry(struct parser *p)
{
	return read_fields(p, &p->rule->carry);
}

static int read_forget(struct parser *p)
{
	return read_fields(p, &p->rule->forget);
}

static int read_label(struct parser *p)
{
	static const char *const names[] = { "none", "previous", "previous!" };
	int n = 0;

	if (read_choice(p, p->value, names, 3, "label mode", &n) < 0)
		return -1;
	p->rule->label = (enum label_mode)n;
	return 0;
}

/* The number of the dialect's section of that name, which comes to be if it is new; "-" is -1.
 * A rule keeps the set of those that it is asked in as bits, with one for "-". */
static int read_section_name(struct parser *p, struct span word, int *number)
{
	enum { MOST_SECTIONS = 62 };
	struct texts *list = &p->d->section;

	*number = -1;
	if (span_is(word, "-"))
		return 0;
	for (*number = 0; *number < (int)list->len; ++*number)
		if (span_is(word, list->at[*number]))
			return 0;
	if (list->len == MOST_SECTIONS)
		return parser_complain(p, word.ptr, "more than 62 sections");
	add_text(p, list, word);
	return 0;
}

static int read_section(struct parser *p)
{
	return read_section_name(p, p->value, &p->rule->section);
}

static int read_in(struct parser *p)
{
	struct span rest = p->value;

	while (rest.len) {
		int number;

		if (read_section_name(p, span_word(rest, &rest), &number) < 0)
			return -1;
		p->rule->in |= UINT64_C(1) << (number + 1);
	}
	return 0;
}

/* A line of a log keeps the blanks at its start, but for the one that ends the word. */
static struct span whole_value(const struct parser *p)
{
	const char *end = p->line.ptr + p->line.len;
	struct span rest, line = p->line, word;

	while (line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t'))
		line = span_skip(line, 1);
	word = span_word(line, &rest);
	line = span_skip(line, word.len + 1);
	return (struct span){ line.ptr, (size_t)(end - line.ptr) };
}

static int read_given(struct parser *p)
{
	add_text(p, &p->given, whole_value(p));
	return 0;
}

static void add_sample(struct parser *p, struct rule_sample *s)
{
	*s = (struct rule_sample){
		.given = p->given,
		.text = span_of(arena_text(p->arena, whole_value(p))),
		.file_line = p->number,
	};
	p->given = (struct texts){ NULL, 0 };
}

static int read_sample(struct parser *p)
{
	add_sample(p, APPEND(p->arena, p->rule->sample, p->rule->samples));
	return 0;
}

static int read_expect(struct parser *p)
{
	struct rule_sample *s;

	if (!p->rule->samples)
		return parser_complain(p, p->line.ptr, "an expectation stands below its sample");
	s = &p->rule->sample[p->rule->samples - 1];
	s->expect_line = p->number;
	add_text(p, &s->expect, p->value);
	return 0;
}

static int read_reject(struct parser *p)
{
	add_sample(p, APPEND(p->arena, p->rule->reject, p->rule->rejects));
	return 0;
}

/* Commas and the like need no pattern matching: cells are trimmed anyway. */
static char plain_separator(struct span pattern)
{
	if (span_starts(pattern, "\\s*"))
		pattern = span_skip(pattern, 3);
	if (!pattern.len || !strchr(",;:=", pattern.ptr[0]))
		return 0;
	return pattern.len == 1 || span_is(span_skip(pattern, 1), "\\s*") ? pattern.ptr[0] : 0;
}

static int read_split(struct parser *p)
{
	p->rule->split_char = plain_separator(p->value);
	return compile(p, &p->rule->split, p->value, false);
}

static int read_strip(struct parser *p)
{
	return compile(p, &p->rule->strip, p->value, false);
}

static int read_row(struct parser *p)
{
	return compile(p, &p->rule->row, p->value, true);
}

static int read_skip(struct parser *p)
{
	return compile(p, &p->rule->skip, p->value, true);
}

static int read_end(struct parser *p)
{
	return compile(p, &p->rule->end, p->value, true);
}

static int read_column(struct parser *p)
{
	struct span rest, after, word = span_word(p->value, &rest);
	struct rule_column column = { 0 };

	if (read_field(p, word, &column.field) < 0)
		return -1;
	word = span_word(rest, &after);
	if (after.len && unit_bytes(word)) {
		column.unit = unit_bytes(word);
		rest = after;
	}
	if (compile(p, &column.name, rest, true) < 0)
		return -1;
	*APPEND(p->arena, p->rule->column, p->rule->columns) = column;
	return 0;
}

static int read_wide(struct parser *p)
{
	return read_field(p, p->value, &p->rule->wide);
}

static int read_columns(struct parser *p)
{
	p->rule->default_header = arena_text(p->arena, p->value);
	return 0;
}

const struct grammar_word grammar_words[] = {
	{ "name", IN_DIALECT, false, read_name },
	{ "about", IN_DIALECT, false, read_about },
	{ "prefix", IN_DIALECT, false, read_prefix },
	{ "none", IN_DIALECT, false, read_none },
	{ "time", IN_DIALECT | IN_BOTH, false, read_time },
	{ "rule", IN_DIALECT | IN_BOTH, true, read_rule },
	{ "table", IN_DIALECT | IN_BOTH, true, read_table },
	{ "match", IN_RULE, false, read_match },
	{ "header", IN_TABLE, false, read_match },
	{ "is", IN_BOTH, false, read_is },
	{ "unit", IN_BOTH, false, read_unit },
	{ "field", IN_BOTH, false, read_constant },
	{ "code", IN_BOTH, false, read_code },
	{ "wrap", IN_RULE, false, read_wrap },
	{ "carry", IN_BOTH, false, read_carry },
	{ "forget", IN_BOTH, false, read_forget },
	{ "label", IN_BOTH, false, read_label },
	{ "section", IN_BOTH, false, read_section },
	{ "in", IN_BOTH, false, read_in },
	{ "given", IN_BOTH, false, read_given },
	{ "sample", IN_BOTH, false, read_sample },
	{ "expect", IN_BOTH, false, read_expect },
	{ "reject", IN_BOTH, false, read_reject },
	{ "split", IN_TABLE, false, read_split },
	{ "strip", IN_TABLE, false, read_strip },
	{ "row", IN_TABLE, false, read_row },
	{ "skip", IN_TABLE, false, read_skip },
	{ "end", IN_TABLE, false, read_end },
	{ "column", IN_TABLE, false, read_column },
	{ "wide", IN_TABLE, false, read_wide },
	{ "columns", IN_TABLE, false, read_columns },
	{ NULL, 0, false, NULL },
};

