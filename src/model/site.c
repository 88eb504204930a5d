#include "model/site.h"

#include <inttypes.h>
#include <string.h>

const char *site_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	/* "C:\\job\\train.py"; elsewhere a backslash may be an escaped byte of the name. */
	if (!slash && path[0] && path[1] == ':')
		slash = strrchr(path, '\\');
	return slash ? slash + 1 : path;
}

const char *site_text(struct arena *arena, const struct site *site)
{
	const char *where, *function;

	if (!site)
		return "an unnamed place";
	if (site->label)
		return site->label;
	where = site->file ? site_base_name(site->file) : site->module ? site->module : "line";
	function = site->function;
	if (!site->code_line)
		return function ? arena_printf(arena, "%s in %s", where, function) : where;
	if (!site->file && !site->module)
		return arena_printf(arena, "line %" PRId64, site->code_line);
	if (!function || !strcmp(function, "<module>"))
		return arena_printf(arena, "%s:%" PRId64, where, site->code_line);
	return arena_printf(arena, "%s:%" PRId64 " in %s", where, site->code_line, function);
}

struct doc *site_doc(struct arena *arena, const struct site *site)
{
	struct doc *doc;

	if (!site)
		return doc_null(arena);
	doc = doc_object(arena);
	if (site->label && !site->file && !site->module) {
		doc_set_text(doc, "label", site->label);
		return doc;
	}
	doc_set_text(doc, "file", site->file ? site->file : site->module);
	doc_set_int(doc, "line", site->code_line ? site->code_line : QUANTITY_UNKNOWN);
	doc_set_text(doc, "function", site->function);
	if (site->label)
		doc_set_text(doc, "label", site->label);
	return doc;
}

const struct site *site_copy(struct arena *arena, const struct site *site)
{
	struct site *copy;

	if (!site)
		return NULL;
	copy = arena_alloc(arena, sizeof(*copy));
	*copy = (struct site){
		.file = arena_text(arena, span_of(site->file)),
		.code_line = site->code_line,
		.function = arena_text(arena, span_of(site->function)),
		.module = arena_text(arena, span_of(site->module)),
		.label = arena_text(arena, span_of(site->label)),
	};
	return copy;
}
