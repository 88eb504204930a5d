#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/*
 * Runs a harness over the files named on the command line, once each, in place of libFuzzer.
 * A harness that finds something aborts, so arriving at the end is success.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	FILE *file = fopen(path, "r");
	char buf[4096];
	uint8_t *copy;
	size_t n;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
		strbuf_add(&text, buf, n);
	fclose(file);
	/* Just as large as the input, so that a sanitizer sees a read past its end. */
	copy = malloc(text.len ? text.len : 1);
	if (copy) {
		memcpy(copy, text.buf, text.len);
		LLVMFuzzerTestOneInput(copy, text.len);
	}
	free(copy);
	strbuf_release(&text);
	return copy ? 0 : -1;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "%s: no inputs: this corpus is empty\n", argv[0]);
		return 1;
	}
	for (int i = 1; i < argc; i++)
		if (replay(argv[i]) < 0)
			return 1;
	printf("%d passed, 0 failed\n", argc - 1);
	return 0;
}
