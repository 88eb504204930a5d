#include "grammar/grammar.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "grammar/grammar_file.h"

const char *const field_names[FIELD_COUNT] = {
#define X(name, type, meaning) [FIELD_##name] = #name,
	RECORD_FIELDS(X)
#undef X
};

const char *const field_meanings[FIELD_COUNT] = {
#define X(name, type, meaning) [FIELD_##name] = meaning,
	RECORD_FIELDS(X)
#undef X
};

const enum field_type field_types[FIELD_COUNT] = {
#define X(name, type, meaning) [FIELD_##name] = FIELD_##type,
	RECORD_FIELDS(X)
#undef X
};

const char *const record_kind_names[RECORD_KINDS] = {
	[RECORD_HEADER] = "header",   [RECORD_TENSOR] = "tensor", [RECORD_POINT] = "point",
	[RECORD_MEASURE] = "measure", [RECORD_EVENT] = "event",   [RECORD_CONTEXT] = "context",
	[RECORD_IGNORE] = "ignore",
};

const char *const boundary_names[BOUNDARIES] = {
	[BOUNDARY_JOINS] = "joins",
	[BOUNDARY_OPENS] = "opens",
	[BOUNDARY_CLOSES] = "closes",
	[BOUNDARY_AUTO] = "auto",
};

static const struct {
	const char *name, *text;
} builtin[] = {
#include "grammars.inc"
	{ NULL, NULL },
};

bool grammar_builtin(size_t i, const char **name, const char **text)
{
	*name = builtin[i].name;
	*text = builtin[i].text;
	return builtin[i].name;
}

int field_by_name(struct span name)
{
	for (int f = 0; f < FIELD_COUNT; f++)
		if (span_is(name, field_names[f]))
			return f;
	return -1;
}

static void dialect_free(struct dialect *d)
{
	for (size_t i = 0; i < d->prefixes; i++)
		regex_free(d->prefix[i].match);
	for (size_t i = 0; i < d->rules; i++) {
		struct rule *r = &d->rule[i];

		regex_free(r->match);
		regex_free(r->split);
		regex_free(r->strip);
		regex_free(r->row);
		regex_free(r->skip);
		regex_free(r->end);
		for (size_t c = 0; c < r->columns; c++)
			regex_free(r->column[c].name);
	}
}

static void build_dispatch(struct grammars *g, struct dialect *d)
{
	uint32_t *list = xcalloc(d->rules, sizeof(*list));

	for (int byte = 0; byte < 256; byte++) {
		size_t n = 0;

		for (size_t i = 0; i < d->rules; i++) {
			uint8_t bits[32];

			regex_first_bytes(d->rule[i].match, bits);
			if (bits[byte / 8] & 1 << byte % 8)
				list[n++] = (uint32_t)i;
		}
		d->firsts[byte] = n;
		d->first[byte] = arena_alloc(&g->arena, n * sizeof(*list));
		memcpy(d->first[byte], list, n * sizeof(*list));
	}
	free(list);
}

int grammars_add(struct grammars *g, const char *path, struct span text)
{
	struct dialect *d = arena_alloc(&g->arena, sizeof(*d));
	size_t at;

	d->origin = path ? arena_text(&g->arena, span_of(path)) : "built in";
	if (grammar_file_parse(d, &g->arena, path, text) < 0) {
		dialect_free(d);
		return -1;
	}
	build_dispatch(g, d);
	for (at = 0; at < g->len; at++)
		if (!strcmp(g->dialect[at]->name, d->name))
			break;
	if (at < g->len) {
		dialect_free(g->dialect[at]);
	} else {
		g->dialect = xrealloc(g->dialect, g->len + 1, sizeof(*g->dialect));
		g->len++;
	}
	g->dialect[at] = d;
	d->index = (int)at;
	return 0;
}

int grammars_add_file(struct grammars *g, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	FILE *file = fopen(path, "r");
	char buf[4096];
	size_t n;
	int rc = -1;

	if (!file)
		return error_input("%s: %s; name a .grammar file that exists", path,
				   strerror(errno));
	while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
		strbuf_add(&text, buf, n);
	if (ferror(file))
		error_input("%s: cannot be read: %s", path, strerror(errno));
	else
		rc = grammars_add(g, path, strbuf_span(&text));
	fclose(file);
	strbuf_release(&text);
	return rc;
}

static int is_grammar_file(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 8 && !strcmp(entry->d_name + n - 8, ".grammar") && entry->d_name[0] != '.';
}

static int add_user_files(struct grammars *g, const char *dir)
{
	struct dirent **entry;
	int n = scandir(dir, &entry, is_grammar_file, alphasort), rc = 0;

	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, entry[i]->d_name);

		if (!rc)
			rc = grammars_add_file(g, path);
		free(path);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return rc;
}

int grammars_load(struct grammars **out, const char *user_dir)
{
	struct grammars *g = xcalloc(1, sizeof(*g));
	const char *name, *text;
	int rc = 0;

	for (size_t i = 0; !rc && grammar_builtin(i, &name, &text); i++)
		rc = grammars_add(g, NULL, span_of(text));
	if (!rc && user_dir)
		rc = add_user_files(g, user_dir);
	if (rc < 0) {
		grammars_free(g);
		return -1;
	}
	*out = g;
	return 0;
}

void grammars_free(struct grammars *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->len; i++)
		dialect_free(g->dialect[i]);
	free(g->dialect);
	arena_release(&g->arena);
	free(g);
}

const struct dialect *grammars_find(const struct grammars *g, const char *name)
{
	for (size_t i = 0; i < g->len; i++)
		if (!strcmp(g->dialect[i]->name, name))
			return g->dialect[i];
	return NULL;
}
