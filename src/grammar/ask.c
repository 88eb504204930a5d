#include "grammar/ask.h"

#include "base/error.h"
#include "grammar/convert.h"
#include "grammar/repair.h"

static bool in_section(const struct rule *r, int section)
{
	return !r->in || r->in >> (section + 1) & 1;
}

static void take_captures(const struct conversion *c, const struct regex_match *match,
			  struct record *record)
{
	const struct rule *r = c->rule;

	for (size_t i = 0; i < r->constants; i++)
		convert(c, record, r->constant[i].field, span_of(r->constant[i].text), 0);
	for (size_t i = 0; i < r->captures; i++) {
		const struct capture *cap = &r->capture[i];
		int64_t unit = 0;

		if (cap->is_unit || cap->group >= match->groups || !match->group[cap->group].ptr)
			continue;
		if (cap->unit_group && cap->unit_group < match->groups &&
		    match->group[cap->unit_group].len)
			unit = unit_bytes(match->group[cap->unit_group]);
		convert(c, record, cap->field, match->group[cap->group], unit);
	}
}

static void take_label(struct matcher *m, const struct conversion *c, struct record *record)
{
	if (c->rule->label == LABEL_NONE || !m->label.len || record_has(record, FIELD_label))
		return;
	/* The record keeps its own copy: "previous!" empties the label. */
	strbuf_clear(&m->lent);
	strbuf_addspan(&m->lent, strbuf_span(&m->label));
	convert(c, record, FIELD_label, strbuf_span(&m->lent), 0);
	if (c->rule->label == LABEL_PREVIOUS_ENDS)
		strbuf_clear(&m->label);
}

/* Remembers what the rule carries, then lends the record what earlier lines carried. */
static void carry(struct dialect_state *s, const struct rule *r, struct record *record)
{
	s->carried &= ~r->forget;
	for (uint64_t bits = r->carry & record->set; bits; bits &= bits - 1) {
		int f = __builtin_ctzll(bits);
		struct value *v = &s->value[f];

		*v = record->value[f];
		strbuf_clear(&s->text[f]);
		strbuf_addspan(&s->text[f], v->text);
		v->text = strbuf_span(&s->text[f]);
		v->carried = true;
		s->carried |= UINT64_C(1) << f;
	}
	for (uint64_t bits = s->carried & ~record->set; bits; bits &= bits - 1) {
		int f = __builtin_ctzll(bits);

		record->value[f] = s->value[f];
		record->set |= UINT64_C(1) << f;
	}
}

static void finish(struct matcher *m, const struct conversion *c, struct record *record,
		   struct match_result *result)
{
	struct dialect_state *s = &m->state[c->dialect->index];

	record->dialect = c->dialect->name;
	record->dialect_index = c->dialect->index;
	record->rule = c->rule->name;
	record->code = c->rule->code;
	carry(s, c->rule, record);
	if (c->rule->section > -2)
		s->section = c->rule->section;
	if (result)
		*result = (struct match_result){ c->dialect, c->rule, false };
}

static int take_rule(struct matcher *m, struct conversion *c, struct span text,
		     struct record *record, struct match_result *result)
{
	struct dialect_state *s = &m->state[c->dialect->index];
	struct regex_match match;
	int rc = regex_find(c->rule->match, text, &match);

	if (rc <= 0)
		return rc;
	record->kind = c->rule->kind;
	record->boundary = c->rule->boundary;
	record->titles = c->rule->is_table;
	if (c->rule->is_table) {
		rc = table_read_header(&s->table, c->rule, text);
		if (rc <= 0)
			return rc;
		record->kind = c->rule->boundary == BOUNDARY_JOINS ? RECORD_CONTEXT : RECORD_POINT;
	} else {
		take_captures(c, &match, record);
		if (c->rule->rest && c->rule->rest < match.groups)
			m->rest = span_trim(match.group[c->rule->rest]);
	}
	take_label(m, c, record);
	finish(m, c, record, result);
	return 1;
}

static int take_row(struct matcher *m, struct conversion *c, struct span text,
		    struct record *record, struct match_result *result)
{
	struct open_table *t = &m->state[c->dialect->index].table;
	int rc;

	c->rule = t->rule;
	rc = table_read_row(t, c, text, record);
	if (rc < 0)
		return -1;
	if (rc == ROW_NO)
		return 0;
	if (rc == ROW_END)
		t->rule = NULL;
	record->kind = rc == ROW_YES ? c->rule->kind : RECORD_IGNORE;
	record->titles = false;
	record->boundary = BOUNDARY_JOINS;
	for (size_t i = 0; rc == ROW_YES && i < c->rule->constants; i++)
		convert(c, record, c->rule->constant[i].field, span_of(c->rule->constant[i].text),
			0);
	finish(m, c, record, result);
	return 1;
}

/* A rule that may go on in the lines below, and has begun in this one. */
static bool begins(struct matcher *m, const struct conversion *c, struct span text)
{
	if (!c->rule->wrap || !regex_begins(c->rule->match, text))
		return false;
	m->wrapped.dialect = c->dialect;
	m->wrapped.rule = c->rule;
	m->wrapped.prefix = NULL;
	strbuf_clear(&m->wrapped.text);
	strbuf_addspan(&m->wrapped.text, text);
	return true;
}

static int ask_dialect(struct matcher *m, const struct dialect *d, struct span text, bool may_begin,
		       struct record *record, struct match_result *result)
{
	struct dialect_state *s = &m->state[d->index];
	struct conversion c = { d, NULL, m->options.zone };
	unsigned byte = text.len ? (unsigned char)text.ptr[0] : 0;
	int rc;

	for (size_t i = 0; i < d->firsts[byte]; i++) {
		c.rule = &d->rule[d->first[byte][i]];
		if (!in_section(c.rule, s->section))
			continue;
		rc = take_rule(m, &c, text, record, result);
		if (rc < 0)
			return error_input("grammar %s, rule %s: %s", d->name, c.rule->name,
					   error_text());
		if (rc)
			return ASK_TAKEN;
		record_clear(record);
		if (may_begin && begins(m, &c, text))
			return ASK_BEGUN;
	}
	if (!s->table.rule)
		return ASK_UNKNOWN;
	rc = take_row(m, &c, text, record, result);
	if (rc < 0)
		return error_input("grammar %s, table %s: %s", d->name, s->table.rule->name,
				   error_text());
	if (!rc)
		record_clear(record);
	return rc;
}

/* Headers and points tell dialects apart; rows look alike in several. */
static void move_to_front(struct matcher *m, size_t at, const struct record *record)
{
	int index = m->order[at];

	if (!at || (record->kind != RECORD_HEADER && record->kind != RECORD_POINT))
		return;
	memmove(m->order + 1, m->order, at * sizeof(*m->order));
	m->order[0] = index;
}

static int ask_all(struct matcher *m, struct span text, bool may_begin, struct record *record,
		   struct match_result *result)
{
	bool begun = false;

	for (size_t i = 0; i < m->len; i++) {
		int rc = ask_dialect(m, m->grammars->dialect[m->order[i]], text, may_begin && !begun,
				     record, result);

		if (rc == ASK_BEGUN) {
			begun = true;
			continue;
		}
		if (rc == ASK_TAKEN)
			move_to_front(m, i, record);
		if (rc)
			return rc;
	}
	return begun ? ASK_BEGUN : ASK_UNKNOWN;
}

static void take_prefix(const struct matcher *m, const struct match_result *result,
			const struct line_prefix *prefix, const struct regex_match *match,
			struct record *record)
{
	struct conversion c = { result->dialect, result->rule, m->options.zone };

	for (size_t i = 0; i < prefix->captures; i++) {
		const struct capture *cap = &prefix->capture[i];

		if (!cap->is_unit && cap->group < match->groups && match->group[cap->group].ptr &&
		    record->value[cap->field].state == VALUE_ABSENT)
			convert(&c, record, cap->field, match->group[cap->group], 0);
	}
}

static int ask_behind(struct matcher *m, const struct dialect *d, const struct line_prefix *prefix,
		      struct span text, bool may_begin, struct record *record,
		      struct match_result *result)
{
	struct regex_match match;
	int rc = regex_find(prefix->match, text, &match);

	if (rc <= 0 || !match.group[0].len)
		return rc < 0 ? -1 : ASK_UNKNOWN;
	rc = ask_dialect(m, d, span_skip(text, match.group[0].len), may_begin, record, result);
	if (rc == ASK_TAKEN)
		take_prefix(m, result, prefix, &match, record);
	if (rc == ASK_BEGUN)
		m->wrapped.prefix = prefix;
	return rc;
}

static int ask_without_prefix(struct matcher *m, struct span text, bool may_begin,
			      struct record *record, struct match_result *result)
{
	for (size_t i = 0; i < m->len; i++) {
		const struct dialect *d = m->grammars->dialect[m->order[i]];

		for (size_t p = 0; p < d->prefixes; p++) {
			int rc = ask_behind(m, d, &d->prefix[p], text, may_begin, record, result);

			if (rc == ASK_TAKEN)
				move_to_front(m, i, record);
			if (rc)
				return rc;
		}
	}
	return ASK_UNKNOWN;
}

static int ask_repaired(struct matcher *m, struct span text, bool may_begin, struct record *record,
			struct match_result *result)
{
	int rc = ASK_UNKNOWN;

	if (repair(text, &m->repaired)) {
		text = strbuf_span(&m->repaired);
		rc = ask_all(m, text, may_begin, record, result);
	}
	if (!rc)
		rc = ask_without_prefix(m, text, may_begin, record, result);
	if (rc > 0)
		result->repaired = true;
	return rc;
}

static bool has_words(struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
			return true;
	}
	return false;
}

static void keep_label(struct matcher *m, struct span text)
{
	enum { LONGEST = 512 };

	if (text.len > LONGEST) {
		text.len = LONGEST;
		while (text.len && (text.ptr[text.len] & 0xc0) == 0x80)
			text.len--;
	}
	strbuf_clear(&m->label);
	strbuf_addspan(&m->label, text);
}

int ask_line(struct matcher *m, struct span text, bool may_begin, struct record *record,
	     struct match_result *result)
{
	int rc;

	while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
		text.len--;
	m->rest = SPAN_NONE;
	rc = ask_all(m, text, may_begin, record, result);
	if (!rc)
		rc = ask_repaired(m, text, may_begin, record, result);
	if (!rc && has_words(text))
		keep_label(m, text);
	return rc;
}

int ask_wrapped(struct matcher *m, struct record *record, struct match_result *result)
{
	struct wrapped *w = &m->wrapped;
	struct conversion c = { w->dialect, w->rule, m->options.zone };
	struct regex_match match;
	int rc = take_rule(m, &c, strbuf_span(&w->text), record, result);

	if (rc > 0 && w->prefix && regex_find(w->prefix->match, strbuf_span(&w->first), &match) > 0)
		take_prefix(m, result, w->prefix, &match, record);
	if (rc > 0)
		return ASK_TAKEN;
	record_clear(record);
	if (rc < 0)
		return -1;
	return regex_begins(w->rule->match, strbuf_span(&w->text)) ? ASK_BEGUN : ASK_UNKNOWN;
}

struct span ask_without_margin(const struct dialect *d, struct span text)
{
	struct regex_match match;

	for (size_t p = 0; p < d->prefixes; p++)
		if (regex_find(d->prefix[p].match, text, &match) > 0)
			text = span_skip(text, match.group[0].len);
	return span_trim(text);
}
