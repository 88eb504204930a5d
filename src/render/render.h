#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "model/view.h"

/*
 * The last stage: a view becomes text.  A renderer knows the view and nothing else; commands pick
 * one by the name that --format takes.  The same view and options give the same bytes.
 *
 * Texts in a view come from logs.  Each renderer makes them harmless for its reader: no control
 * byte reaches a terminal, no markup reaches a Markdown page.  Csv and json carry them exactly.
 *
 * Display widths need a UTF-8 LC_CTYPE (main sets C.UTF-8); no other locale category is read.
 */
struct render_options {
	bool color; /* "table" only */
	int width;  /* columns of the terminal, 0: unlimited */
};

struct renderer {
	const char *name;
	const char *summary; /* for help */
	/* 0, or -1 with an error; write errors of `out` are the caller's to check. */
	int (*render)(const struct view *view, FILE *out, const struct render_options *options);
};

/* Ends with a row whose name is NULL; the first row is the default. */
extern const struct renderer renderers[];

/* The renderer called `name`; NULL if there is none. */
const struct renderer *renderer_find(const char *name);

/* "table, json, csv, markdown": for help and errors; allocated, free() it. */
char *renderer_names(void);

#endif
