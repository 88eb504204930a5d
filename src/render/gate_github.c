/*
 * Workflow commands of GitHub Actions: annotations on file and line.  GitHub shows ten of a step,
 * so the tenth says how many more there are.
 */
#include <inttypes.h>
#include <string.h>

#include "render/gate_reports.h"
#include "render/text.h"

/* What the runner's command parser takes apart: in messages, and besides those in properties. */
static void put_escaped(FILE *out, const char *text, const char *special)
{
	struct strbuf sb = STRBUF_INIT;
	struct span rest = span_of(text);

	/* Line ends are ours; what else is unsafe in a line came from a log. */
	while (rest.len) {
		struct span line = span_split(rest, '\n', &rest);

		text_for_terminal(&sb, line);
		if (rest.ptr)
			strbuf_addc(&sb, '\n');
	}
	for (size_t i = 0; i < sb.len; i++) {
		if (strchr(special, sb.buf[i]))
			fprintf(out, "%%%02X", (unsigned char)sb.buf[i]);
		else
			putc(sb.buf[i], out);
	}
	strbuf_release(&sb);
}

static void put_message(FILE *out, const char *text)
{
	put_escaped(out, text, "%\r\n");
}

static void put_property(FILE *out, const char *text)
{
	put_escaped(out, text, "%\r\n:,");
}

static void put_annotation(FILE *out, const struct gate_rule *r, enum gate_outcome settled)
{
	struct strbuf story = STRBUF_INIT;

	fputs(settled == GATE_WARN ? "::warning " : "::error ", out);
	if (r->path) {
		fputs("file=", out);
		put_property(out, r->path);
		if (r->site->code_line > 0)
			fprintf(out, ",line=%" PRId64, r->site->code_line);
		putc(',', out);
	}
	fputs("title=", out);
	strbuf_addf(&story, "memlog gate %s: %s", gate_outcome_names[r->outcome], r->run);
	put_property(out, story.buf);
	fputs("::", out);
	strbuf_clear(&story);
	gate_story(&story, r);
	put_message(out, story.buf);
	putc('\n', out);
	strbuf_release(&story);
}

int report_github(const struct gate_result *result, FILE *out, const struct render_options *options)
{
	struct arena arena = ARENA_INIT;
	const size_t *order = gate_by_weight(&arena, result);
	size_t wanted = result->rules - gate_count(result, GATE_PASS), shown = 0;
	size_t room = wanted > GATE_ANNOTATIONS ? GATE_ANNOTATIONS - 1 : wanted;
	struct strbuf tally = STRBUF_INIT;

	(void)options;
	gate_tally(&tally, result);
	for (size_t i = 0; i < result->rules && shown < room; i++) {
		const struct gate_rule *r = &result->rule[order[i]];
		enum gate_outcome settled = gate_settled(result, r->outcome);

		if (settled == GATE_PASS)
			continue;
		put_annotation(out, r, settled);
		shown++;
	}
	if (shown < wanted)
		fprintf(out, "::warning title=memlog gate::and %zu more: %s\n", wanted - shown,
			tally.buf);
	else if (!wanted)
		fprintf(out, "::notice title=memlog gate %s::%s\n",
			gate_outcome_names[gate_outcome(result)], tally.buf);
	strbuf_release(&tally);
	arena_release(&arena);
	return 0;
}
