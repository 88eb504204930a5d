#include "cmd/grammar_folder.h"

#include <stdlib.h>

#include "base/alloc.h"

char *grammar_folder(void)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config)
		return xasprintf("%s/memlog/grammar", config);
	return home && *home ? xasprintf("%s/.config/memlog/grammar", home) : NULL;
}
