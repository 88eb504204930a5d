#include "grammar/table.h"

#include "base/strbuf.h"

enum { MAX_CELLS = 256 };

/* Cuts off what `strip` matches at the very start and at the very end. */
static int strip(const struct regex *regex, struct span *line)
{
	struct span rest = *line;
	struct regex_match m;
	int rc = 0;

	while (regex && rest.len && (rc = regex_find(regex, rest, &m)) > 0 && m.group[0].len) {
		const char *after = m.group[0].ptr + m.group[0].len;

		rest = span_skip(rest, (size_t)(after - rest.ptr));
		if (m.group[0].ptr == line->ptr)
			*line = rest;
		else if (!rest.len)
			line->len = (size_t)(m.group[0].ptr - line->ptr);
	}
	return rc < 0 ? -1 : 0;
}

/* Splits into at most MAX_CELLS cells; *n counts them.  -1: the pattern gave up. */
static int split(const struct rule *rule, struct span line, struct span cell[MAX_CELLS], size_t *n)
{
	*n = 0;
	if (strip(rule->strip, &line) < 0)
		return -1;
	while (rule->split_char && *n < MAX_CELLS && line.ptr)
		cell[(*n)++] = span_trim(span_split(line, rule->split_char, &line));
	while (!rule->split_char && *n < MAX_CELLS) {
		struct regex_match m;
		int rc = regex_find(rule->split, line, &m);

		if (rc < 0)
			return -1;
		if (!rc || !m.group[0].len) {
			cell[(*n)++] = span_trim(line);
			break;
		}
		cell[(*n)++] =
			span_trim((struct span){ line.ptr, (size_t)(m.group[0].ptr - line.ptr) });
		line = span_skip(line, (size_t)(m.group[0].ptr - line.ptr) + m.group[0].len);
	}
	return 0;
}

/* Which column of the rule has this name. */
static int find_column(const struct rule *rule, struct span name, struct open_column *out)
{
	struct regex_match m;

	*out = (struct open_column){ -1, 0 };
	for (size_t i = 0; i < rule->columns; i++) {
		const struct rule_column *c = &rule->column[i];
		int rc = regex_find(c->name, name, &m);

		if (rc < 0)
			return -1;
		if (!rc || m.group[0].len != name.len)
			continue;
		out->field = (int)c->field;
		out->unit = c->unit;
		if (m.groups > 1 && m.group[1].len && unit_bytes(m.group[1]))
			out->unit = unit_bytes(m.group[1]);
		return 0;
	}
	return 0;
}

int table_read_header(struct open_table *t, const struct rule *rule, struct span header)
{
	struct span cell[MAX_CELLS];
	bool useful = false;
	size_t n;

	if (split(rule, header, cell, &n) < 0)
		return -1;
	t->rule = NULL;
	t->wide = t->columns = n;
	for (size_t i = 0; i < n; i++) {
		if (find_column(rule, cell[i], &t->column[i]) < 0)
			return -1;
		useful |= t->column[i].field >= 0;
		if (t->column[i].field == (int)rule->wide && rule->wide != FIELD_COUNT)
			t->wide = i;
	}
	if (useful)
		t->rule = rule;
	return useful;
}

/* Cells that the separator inside the wide column has cut become one again. */
static void join_wide(const struct open_table *t, struct span *cell, size_t *n)
{
	size_t extra = *n - t->columns, w = t->wide;

	cell[w].len = (size_t)(cell[w + extra].ptr + cell[w + extra].len - cell[w].ptr);
	for (size_t i = w + 1; i < t->columns; i++)
		cell[i] = cell[i + extra];
	*n = t->columns;
}

static void fill(struct open_table *t, const struct conversion *c, struct span *cell, size_t n,
		 struct record *record)
{
	int before = -1;

	for (size_t i = 0; i < n; i++) {
		int field = t->column[i].field;
		struct span text = cell[i];

		if (field < 0)
			continue;
		/* "20261129 16:22:51" may stand in two columns. */
		if (field == before) {
			strbuf_clear(&t->joined);
			strbuf_addspan(&t->joined, cell[i - 1]);
			strbuf_addc(&t->joined, ' ');
			strbuf_addspan(&t->joined, text);
			text = strbuf_span(&t->joined);
		}
		convert(c, record, (enum field)field, text, t->column[i].unit);
		before = field;
	}
}

int table_read_row(struct open_table *t, const struct conversion *c, struct span line,
		   struct record *record)
{
	const struct {
		const struct regex *regex;
		enum row means;
	} checks[] = { { t->rule->end, ROW_END }, { t->rule->skip, ROW_SKIP } };
	struct span cell[MAX_CELLS];
	size_t n;
	int rc;

	for (int i = 0; i < 2; i++) {
		if (!checks[i].regex)
			continue;
		rc = regex_find(checks[i].regex, line, NULL);
		if (rc)
			return rc < 0 ? -1 : (int)checks[i].means;
	}
	if (t->rule->row && (rc = regex_find(t->rule->row, line, NULL)) <= 0)
		return rc < 0 ? -1 : ROW_NO;
	if (split(t->rule, line, cell, &n) < 0)
		return -1;
	if (n > t->columns && t->wide < t->columns && n < MAX_CELLS)
		join_wide(t, cell, &n);
	/* A row may lack its last cells (pmon); a line with others is not one. */
	if (n > t->columns || n + 1 < t->columns || n < 1 || (n < t->columns && !t->rule->row))
		return ROW_NO;
	fill(t, c, cell, n, record);
	return ROW_YES;
}

void table_close(struct open_table *t)
{
	strbuf_release(&t->joined);
	t->rule = NULL;
}
