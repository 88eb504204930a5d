#include "grammar/match.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "grammar/convert.h"
#include "grammar/repair.h"
#include "grammar/table.h"

struct dialect_state {
	int section;
	struct open_table table;
	uint64_t carried; /* bits of fields */
	struct value value[FIELD_COUNT];
	struct strbuf text[FIELD_COUNT]; /* what value[].text points into */
};

struct matcher {
	const struct grammars *grammars;
	struct match_options options;
	struct dialect_state *state; /* by dialect index */
	int *order;                  /* dialect indexes, the one to ask first in front */
	size_t len;
	struct strbuf label; /* last line that nobody knew */
	struct strbuf lent;  /* the label that the record at hand has */
	struct strbuf repaired;
};

static void state_reset(struct matcher *m)
{
	for (size_t i = 0; i < m->grammars->len; i++) {
		m->state[i].section = -1;
		m->state[i].carried = 0;
		m->state[i].table.rule = NULL;
	}
	strbuf_clear(&m->label);
}

/* A header the user gave for logs that have none: the first table that knows it. */
static int open_columns(struct matcher *m)
{
	struct span header = span_of(m->options.columns);

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
	free(m->state);
	free(m->order);
	free(m);
}

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
	if (c->rule->is_table) {
		rc = table_read_header(&s->table, c->rule, text);
		if (rc <= 0)
			return rc;
		record->kind = c->rule->boundary == BOUNDARY_JOINS ? RECORD_CONTEXT : RECORD_POINT;
	} else {
		take_captures(c, &match, record);
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
	record->boundary = BOUNDARY_JOINS;
	for (size_t i = 0; rc == ROW_YES && i < c->rule->constants; i++)
		convert(c, record, c->rule->constant[i].field, span_of(c->rule->constant[i].text),
			0);
	finish(m, c, record, result);
	return 1;
}

static int ask_dialect(struct matcher *m, const struct dialect *d, struct span text,
		       struct record *record, struct match_result *result)
{
	struct dialect_state *s = &m->state[d->index];
	struct conversion c = { d, NULL, m->options.zone };
	unsigned byte = text.len ? (unsigned char)text.ptr[0] : 0;
	int rc;

	for (uint16_t i = 0; i < d->firsts[byte]; i++) {
		c.rule = &d->rule[d->first[byte][i]];
		if (!in_section(c.rule, s->section))
			continue;
		rc = take_rule(m, &c, text, record, result);
		if (rc < 0)
			return error_input("grammar %s, rule %s: %s", d->name, c.rule->name,
					   error_text());
		if (rc)
			return 1;
		record_clear(record);
	}
	if (!s->table.rule)
		return 0;
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

static int ask_all(struct matcher *m, struct span text, struct record *record,
		   struct match_result *result)
{
	for (size_t i = 0; i < m->len; i++) {
		int rc = ask_dialect(m, m->grammars->dialect[m->order[i]], text, record, result);

		if (rc > 0)
			move_to_front(m, i, record);
		if (rc)
			return rc;
	}
	return 0;
}

static int ask_without_prefix(struct matcher *m, struct span text, struct record *record,
			      struct match_result *result)
{
	for (size_t i = 0; i < m->len; i++) {
		const struct dialect *d = m->grammars->dialect[m->order[i]];

		for (size_t p = 0; p < d->prefixes; p++) {
			struct regex_match match;
			int rc = regex_find(d->prefix[p], text, &match);

			if (rc > 0 && match.group[0].len)
				rc = ask_dialect(m, d, span_skip(text, match.group[0].len), record,
						 result);
			else if (rc > 0)
				rc = 0;
			if (rc > 0)
				move_to_front(m, i, record);
			if (rc)
				return rc;
		}
	}
	return 0;
}

static int ask_repaired(struct matcher *m, struct span text, struct record *record,
			struct match_result *result)
{
	int rc = 0;

	if (repair(text, &m->repaired)) {
		text = strbuf_span(&m->repaired);
		rc = ask_all(m, text, record, result);
	}
	if (!rc)
		rc = ask_without_prefix(m, text, record, result);
	if (rc > 0 && result)
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

int matcher_line(struct matcher *m, const struct line *line, struct record *record,
		 struct match_result *result)
{
	struct span text = line->text;
	int rc;

	while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
		text.len--;
	record_clear(record);
	record->line = line->number;
	if (result)
		*result = (struct match_result){ NULL, NULL, false };
	rc = ask_all(m, text, record, result);
	if (!rc)
		rc = ask_repaired(m, text, record, result);
	if (!rc && has_words(text))
		keep_label(m, text);
	return rc;
}

int matcher_detect(struct matcher *m, const struct span *lines, size_t n)
{
	struct record *record = xcalloc(1, sizeof(*record));
	size_t *score = xcalloc(m->grammars->len, sizeof(*score)), len = m->len;
	int rc = 0, *all = m->order;

	/* Each dialect alone: what it would take if there were no other. */
	for (size_t i = 0; i < len && rc >= 0; i++) {
		m->len = 1;
		m->order = &all[i];
		for (size_t l = 0; l < n && rc >= 0; l++) {
			struct line line = { lines[l], (int64_t)l + 1 };

			rc = lines[l].len ? matcher_line(m, &line, record, NULL) : 0;
			score[all[i]] += rc > 0;
		}
	}
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

const struct rule *matcher_nearest(const struct matcher *m, struct span text,
				   const struct dialect **dialect, size_t *reach)
{
	const struct rule *best = NULL;

	*reach = 0;
	for (size_t i = 0; i < m->len; i++) {
		const struct dialect *d = m->grammars->dialect[m->order[i]];

		for (size_t r = 0; r < d->rules; r++) {
			size_t n = regex_reach(d->rule[r].match, text);

			if (n <= *reach)
				continue;
			*reach = n;
			*dialect = d;
			best = &d->rule[r];
		}
	}
	return best;
}
