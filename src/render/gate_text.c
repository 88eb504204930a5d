/*
 * The gate's result for a person at the end of a CI log: the verdict, the worst rule in full, the
 * others a line each.  Lines are not wrapped: a CI log does that itself.
 */
#include <stdbool.h>

#include "render/gate_reports.h"
#include "render/text.h"

static const struct {
	const char *word, *color;
} words[GATE_OUTCOMES] = {
	[GATE_PASS] = { "pass", "\033[32m" },
	[GATE_WARN] = { "WARN", "\033[33m" },
	[GATE_UNDECIDED] = { "UNDECIDED", "\033[33m" },
	[GATE_FAIL] = { "FAIL", "\033[1;31m" },
};

struct page {
	FILE *out;
	bool color;
	int lines; /* left */
};

static void put_word(struct page *p, enum gate_outcome outcome)
{
	fprintf(p->out, "%s%s%s", p->color ? words[outcome].color : "", words[outcome].word,
		p->color ? "\033[0m" : "");
}

static void put_text(struct page *p, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	text_for_terminal(&sb, span_of(text));
	fwrite(sb.buf, 1, sb.len, p->out);
	strbuf_release(&sb);
}

static void end_line(struct page *p)
{
	putc('\n', p->out);
	p->lines--;
}

static void put_headline(struct page *p, const struct gate_result *result)
{
	struct strbuf tally = STRBUF_INIT;

	fputs("gate  ", p->out);
	put_word(p, gate_outcome(result));
	gate_tally(&tally, result);
	fprintf(p->out, "  %s", tally.buf);
	strbuf_release(&tally);
	end_line(p);
}

static void put_rule(struct page *p, const struct gate_result *result, const struct gate_rule *r)
{
	put_word(p, r->outcome);
	if (gate_settled(result, r->outcome) != r->outcome)
		fprintf(p->out, ", taken as %s",
			gate_outcome_names[gate_settled(result, r->outcome)]);
	fputs("  ", p->out);
	put_text(p, r->run);
	fputs("  ", p->out);
	put_text(p, r->option);
	fputs(": ", p->out);
	put_text(p, r->why);
	end_line(p);
}

static void put_labelled(struct page *p, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(p->out, "  %-6s", label);
	put_text(p, text);
	end_line(p);
}

static void put_details(struct page *p, const struct gate_rule *r)
{
	struct strbuf tensors = STRBUF_INIT;

	gate_tensors_text(&tensors, r, 3);
	put_labelled(p, "at", r->where);
	put_labelled(p, "grows", tensors.buf);
	put_labelled(p, "why", r->because);
	put_labelled(p, "fix", r->advice);
	put_labelled(p, "again", r->again);
	strbuf_release(&tensors);
}

/* The rules and then the notes, as one list. */
static void put_item(struct page *p, const struct gate_result *result, const size_t *order,
		     size_t i)
{
	if (i >= result->rules) {
		put_labelled(p, "note", result->note[i - result->rules]);
		return;
	}
	put_rule(p, result, &result->rule[order[i]]);
	if (i == 0 && result->rule[order[0]].outcome != GATE_PASS)
		put_details(p, &result->rule[order[0]]);
}

int report_text(const struct gate_result *result, FILE *out, const struct render_options *options)
{
	struct page p = { out, options->color, GATE_TEXT_LINES };
	struct arena arena = ARENA_INIT;
	const size_t *order = gate_by_weight(&arena, result);
	size_t items = result->rules + result->notes, i = 0;

	if (result->rules != 1)
		put_headline(&p, result);
	/* The last line is kept for what has no room. */
	for (; i < items && (p.lines > 1 || i + 1 == items); i++)
		put_item(&p, result, order, i);
	if (i < items)
		fprintf(out, "  and %zu more (--report json has all)\n", items - i);
	arena_release(&arena);
	return 0;
}
