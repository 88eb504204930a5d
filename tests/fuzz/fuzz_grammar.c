#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "grammar/grammar.h"
#include "grammar/selftest.h"

/*
 * A grammar file of any bytes is read, or refused with the place and the reason; what is read runs
 * its own samples without trouble.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *context, const char *text)
{
	(void)context;
	assert(*text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Without the built-in dialects, which would cost more than all the rest. */
	struct grammars *g = xcalloc(1, sizeof(*g));
	struct selftest test = { 0, 0, ignore, NULL };

	if (grammars_add(g, "fuzz.grammar", (struct span){ (const char *)data, size }) < 0)
		assert(!strncmp(error_text(), "fuzz.grammar:", 13));
	else
		selftest_run(&test, g, g->dialect[0]);
	grammars_free(g);
	return 0;
}
