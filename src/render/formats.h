#ifndef RENDER_FORMATS_H
#define RENDER_FORMATS_H

#include <stdio.h>

#include "render/render.h"

/* The functions behind the rows of `renderers`; each lives in a file of its own. */
int render_table(const struct view *view, FILE *out, const struct render_options *options);
int render_json(const struct view *view, FILE *out, const struct render_options *options);
int render_csv(const struct view *view, FILE *out, const struct render_options *options);
int render_markdown(const struct view *view, FILE *out, const struct render_options *options);

/* One field of a row, quoted where RFC 4180 asks for it. */
void csv_field(const char *text, FILE *out);
/* A text as a JSON string; 0 or -1. */
int json_string_to(const char *text, FILE *out);

#endif
