#include "grammar/grammar_file.h"

#include <stdio.h>

#include "base/error.h"
#include "base/utf8.h"
#include "grammar/grammar_parser.h"

int parser_complain(const struct parser *p, const char *at, const char *message)
{
	size_t column = at >= p->line.ptr && at <= p->line.ptr + p->line.len
				? (size_t)(at - p->line.ptr)
				: 0;
	char pad[256];
	size_t n = 0;

	/* Tabs stay tabs, so that the caret stands under its place. */
	for (; n < column && n < sizeof(pad) - 1; n++)
		pad[n] = p->line.ptr[n] == '\t' ? '\t' : ' ';
	pad[n] = '\0';
	return error_input("%s:%d:%zu: %s\n%.*s\n%s^", p->path ? p->path : "built-in grammar",
			   p->number, column + 1, message, SPAN_ARG(p->line), pad);
}

int parser_complain_of(const struct parser *p, const char *at, const char *message,
		       struct span word)
{
	char text[256];

	snprintf(text, sizeof(text), "%s '%.*s'", message, SPAN_ARG(word));
	return parser_complain(p, at, text);
}

/* What a rule cannot do without; told at the rule's own line. */
static int check_rule(struct parser *p)
{
	struct rule *r = p->rule;
	const char *missing = NULL;

	if (!r)
		return 0;
	if (!r->match)
		missing = r->is_table ? "this table has no header" : "this rule has no match";
	else if (r->kind == RECORD_KINDS)
		missing = "this rule does not say what it is";
	else if (r->kind == RECORD_EVENT && !r->code)
		missing = "an event needs a code";
	else if (r->is_table && (!r->split || !r->columns))
		missing = "a table needs split and column";
	else if (p->given.len)
		missing = "a given line has no sample below it";
	if (!missing)
		return 0;
	p->number = r->file_line;
	p->line = span_of(r->name);
	return parser_complain(p, p->line.ptr, missing);
}

static int read_line(struct parser *p, struct span line)
{
	unsigned scope = !p->rule ? IN_DIALECT : p->rule->is_table ? IN_TABLE : IN_RULE;
	struct span word;
	size_t valid;

	/* Editors of Windows end lines with CRLF, and may begin the file with a mark. */
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	if (p->number == 1 && span_starts(line, "\xef\xbb\xbf"))
		line = span_skip(line, 3);
	p->line = line;
	line = span_trim(line);
	if (!line.len || line.ptr[0] == '#')
		return 0;
	/* Patterns and samples meet without another check. */
	valid = utf8_valid(line.ptr, line.len);
	if (valid < line.len)
		return parser_complain(p, line.ptr + valid, "a byte that is not UTF-8");
	word = span_word(line, &p->value);
	if (!p->value.ptr)
		p->value = (struct span){ word.ptr + word.len, 0 };
	for (const struct grammar_word *w = grammar_words; w->word; w++) {
		if (!span_is(word, w->word) || !(w->scope & scope))
			continue;
		if (w->begins_rule && check_rule(p) < 0)
			return -1;
		return w->read(p);
	}
	return parser_complain_of(p, word.ptr,
			 scope == IN_DIALECT ? "before the first rule there is no"
			 : scope == IN_TABLE ? "a table has no"
					     : "a rule has no",
			 word);
}

int grammar_file_parse(struct dialect *dialect, struct arena *arena, const char *path,
		       struct span text)
{
	struct parser p = { .d = dialect, .arena = arena, .path = path };
	int rc = 0;

	while (!rc && text.len) {
		p.number++;
		rc = read_line(&p, span_split(text, '\n', &text));
	}
	if (!rc)
		rc = check_rule(&p);
	p.line = SPAN_EMPTY_TEXT;
	if (!rc && !dialect->name)
		rc = parser_complain(&p, p.line.ptr, "the dialect has no name");
	if (!rc && !p.rules.len)
		rc = parser_complain(&p, p.line.ptr, "the dialect has no rule");
	dialect->rule = arena_alloc(arena, p.rules.len * sizeof(struct rule));
	dialect->rules = p.rules.len;
	if (p.rules.len)
		memcpy(dialect->rule, p.rules.at, p.rules.len * sizeof(struct rule));
	dialect->prefix = arena_alloc(arena, p.prefixes.len * sizeof(struct line_prefix));
	dialect->prefixes = p.prefixes.len;
	if (p.prefixes.len)
		memcpy(dialect->prefix, p.prefixes.at,
		       p.prefixes.len * sizeof(struct line_prefix));
	vec_release(&p.rules);
	vec_release(&p.prefixes);
	return rc;
}
