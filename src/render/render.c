#include "render/render.h"

#include <string.h>

#include "base/strbuf.h"
#include "render/formats.h"

const struct renderer renderers[] = {
	{ "table", "for people", render_table },
	{ "json", "one document, stable keys, sizes in bytes", render_json },
	{ "csv", "the rows, sizes in bytes", render_csv },
	{ "markdown", "for people, on a page", render_markdown },
	{ NULL, NULL, NULL },
};

const struct renderer *renderer_find(const char *name)
{
	for (const struct renderer *r = renderers; r->name; r++) {
		if (!strcmp(r->name, name))
			return r;
	}
	return NULL;
}

char *renderer_names(void)
{
	struct strbuf names = STRBUF_INIT;

	for (const struct renderer *r = renderers; r->name; r++)
		strbuf_addf(&names, "%s%s", names.len ? ", " : "", r->name);
	return strbuf_detach(&names);
}
