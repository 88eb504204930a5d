#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "base/strbuf.h"
#include "model/page.h"

/*
 * A page as one HTML file that needs nothing else: no network, no script to be read.  How it looks
 * is in src/render/html/.  The same page gives the same bytes.
 *
 * Texts come from logs: in the file they are text wherever they stand, and characters that steer or
 * reorder are spelled out.
 *
 * Pictures are drawn by gnuplot; where it is missing they are drawn in characters, with a sentence
 * why.
 */
void html_page(struct strbuf *out, const struct page *page);

/* Appends `text` as the content of an element or of a quoted attribute. */
void html_text(struct strbuf *out, const char *text);

#endif
