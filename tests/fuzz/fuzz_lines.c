#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "ingest/lines.h"

/*
 * Any bytes must come out as valid UTF-8 without control characters but TAB, within the limit, and
 * with numbers that never fall.  The first byte picks the encoding, the line limit and the block.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const encodings[] = {
	NULL, "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "GB18030", "SHIFT_JIS", "ISO-2022-JP",
};
static const size_t limits[] = { 0, 8, 1, 100 };
static const size_t blocks[] = { 4096, 1, 2, 3 };

static void check_text(struct span text)
{
	for (size_t i = 0; i < text.len;) {
		int n = utf8_sequence(text.ptr + i, text.len - i);

		assert(n > 0);
		assert(n > 1 || text.ptr[i] == '\t' || (text.ptr[i] >= ' ' && text.ptr[i] != 0x7f));
		i += (size_t)n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines_options options;
	struct source *source;
	struct lines *lines;
	struct line line;
	int64_t number = 1;

	if (!size)
		return 0;
	options.encoding = encodings[data[0] & 7];
	options.max_line = limits[data[0] >> 3 & 3];
	assert(source_open_memory(&source, data + 1, size - 1) == 0);
	source_set_block(source, blocks[data[0] >> 5 & 3]);
	assert(lines_open(&lines, source, &options) == 0);
	while (lines_next(lines, &line) > 0) {
		check_text(line.text);
		assert(line.text.len <= (options.max_line ? options.max_line : LINES_MAX_LINE));
		assert(line.number == number || line.number == number + 1);
		number = line.number;
	}
	assert(lines_health(lines)->lines <= number);
	assert(lines_health(lines)->invalid_lines <= number + 1);
	lines_close(lines);
	source_close(source);
	return 0;
}
