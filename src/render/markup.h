#ifndef RENDER_MARKUP_H
#define RENDER_MARKUP_H

#include "base/span.h"
#include "base/strbuf.h"

/*
 * Text from logs inside markup.  Nothing here trusts its input: any bytes may come.
 */

/* Appends `text` so that Markdown shows it as it is, on one line. */
void markdown_escape(struct strbuf *out, struct span text);

/*
 * Appends `text` for an element or a quoted attribute of XML 1.0.  Line ends and tabs stay, as
 * references that attributes keep; what XML cannot hold is spelled out, \x1b or \ufffe.
 */
void xml_escape(struct strbuf *out, struct span text);

#endif
