#include "replay/gaps.h"

#include <inttypes.h>

#include "base/strbuf.h"
#include "replay/block.h"

/* What the log's words mean; words without a row speak for themselves. */
static const struct {
	const char *part, *meaning;
} reasons[] = {
	{ "Insufficient Permissions", "run the tool with the rights to see it" },
	{ "WDDM", "Windows does not tell a process's share" },
	{ "deprecated", "this driver no longer tells it; ask for another field" },
	{ "Unknown Error", "the card may be lost" },
	{ "ERR!", "the card may be failing" },
	{ "requires reset", "the card must be reset" },
};

void gaps_see(struct gaps *gaps, const struct record *r)
{
	static const enum field fields[] = { FIELD_device_used, FIELD_device_percent };
	bool process = record_has(r, FIELD_pid) || record_has(r, FIELD_process);
	enum field f = FIELD_process_used;
	struct span words;
	size_t i = 0;

	if (!block_has_none(r))
		return;
	for (int k = 0; k < 2 && !process; k++)
		if (r->value[fields[k]].state == VALUE_NONE || r->value[fields[k]].state == VALUE_BAD)
			f = fields[k];
	words = r->value[f].text;
	while (i < gaps->len && !(gaps->at[i].process == process && span_is(words, gaps->at[i].words)))
		i++;
	if (i == gaps->len)
		*vec_push(gaps) = (struct gap){ xstrndup(words.ptr ? words.ptr : "", words.len),
						process, r->line, 0 };
	gaps->at[i].count++;
}

char *gap_text(const struct gap *gap)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%" PRId64 " line%s print%s '%s' for the memory that a %s uses: kept as "
			   "unknown, not as zero",
		    gap->count, gap->count == 1 ? "" : "s", gap->count == 1 ? "s" : "", gap->words,
		    gap->process ? "process" : "device");
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (strstr(gap->words, reasons[i].part))
			strbuf_addf(&text, "; %s", reasons[i].meaning);
	return strbuf_detach(&text);
}

void gaps_clear(struct gaps *gaps)
{
	for (size_t i = 0; i < gaps->len; i++)
		free(gaps->at[i].words);
	vec_clear(gaps);
}

void gaps_release(struct gaps *gaps)
{
	gaps_clear(gaps);
	vec_release(gaps);
}
