/* Numbers and sentences of a gate's result, as all of its reporters tell them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "render/gate_reports.h"
#include "render/text.h"

static void add_number(struct strbuf *out, const struct gate_rule *rule, double number)
{
	char text[SIZE_TEXT];

	if (!isfinite(number))
		strbuf_adds(out, "any amount");
	else if (rule->measure == GATE_COUNT_RATE)
		strbuf_addf(out, "%.3g", number);
	else
		strbuf_adds(out, size_format(text, (int64_t)llround(number), SIZE_IEC));
}

static void add_unit(struct strbuf *out, const struct gate_rule *rule)
{
	const char *unit = rule->unit ? rule->unit : "iteration";

	if (rule->measure == GATE_COUNT_RATE)
		strbuf_adds(out, rule->measured == 1 ? " tensor" : " tensors");
	if (rule->measure == GATE_COUNT_RATE || rule->measure == GATE_BYTES_RATE)
		strbuf_addf(out, " a%s %s", strchr("aeiou", *unit) ? "n" : "", unit);
}

void gate_measured_text(struct strbuf *out, const struct gate_rule *rule)
{
	struct strbuf low = STRBUF_INIT, high = STRBUF_INIT;

	if (!rule->measured_known)
		return;
	add_number(out, rule, rule->measured);
	add_unit(out, rule);
	add_number(&low, rule, rule->low);
	add_number(&high, rule, rule->high);
	if (strcmp(low.buf, high.buf))
		strbuf_addf(out, " (%s to %s)", low.buf, high.buf);
	strbuf_release(&low);
	strbuf_release(&high);
}

void gate_limit_text(struct strbuf *out, const struct gate_rule *rule)
{
	if (quantity_known(rule->limit))
		add_number(out, rule, (double)rule->limit);
}

void gate_tensors_text(struct strbuf *out, const struct gate_rule *rule, size_t most)
{
	for (size_t i = 0; i < rule->tensors && i < most; i++) {
		const struct gate_tensor *t = &rule->tensor[i];
		const char *dtype = t->dtype;
		char size[SIZE_TEXT];

		if (dtype && !strncmp(dtype, "torch.", 6))
			dtype += 6;
		strbuf_addf(out, "%s%s%s%s", i ? ", " : "", t->shape, dtype ? " " : "",
			    dtype ? dtype : "");
		if (t->count > 0)
			strbuf_addf(out, " +%.3g", t->count);
		size_format_change(size, (int64_t)llround(t->bytes), SIZE_IEC);
		strbuf_addf(out, " (%s)", size);
	}
	if (rule->tensors > most)
		strbuf_addf(out, " and %zu more", rule->tensors - most);
}

/* The only line ends of a story are its own: a name in a log must not bring a line. */
static void add_line(struct strbuf *out, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	strbuf_addf(out, "\n%s: ", label);
	text_for_terminal(out, span_of(text));
}

void gate_story(struct strbuf *out, const struct gate_rule *rule)
{
	enum { TENSORS = 4 };
	struct strbuf tensors = STRBUF_INIT;

	gate_tensors_text(&tensors, rule, TENSORS);
	text_for_terminal(out, span_of(rule->option));
	strbuf_adds(out, ": ");
	text_for_terminal(out, span_of(rule->why));
	add_line(out, "grows", tensors.buf);
	add_line(out, "why", rule->because);
	add_line(out, "fix", rule->advice);
	add_line(out, "reproduce", rule->again);
	strbuf_release(&tensors);
}

void gate_tally(struct strbuf *out, const struct gate_result *result)
{
	static const struct {
		enum gate_outcome outcome;
		const char *word;
	} words[] = {
		{ GATE_FAIL, "failed" },
		{ GATE_UNDECIDED, "undecided" },
		{ GATE_WARN, "warned" },
		{ GATE_PASS, "passed" },
	};
	size_t before = out->len;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = gate_count(result, words[i].outcome);

		if (n)
			strbuf_addf(out, "%s%zu %s", out->len > before ? ", " : "", n,
				    words[i].word);
	}
	if (out->len == before)
		strbuf_adds(out, "nothing was judged");
}
