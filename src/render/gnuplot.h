#ifndef RENDER_GNUPLOT_H
#define RENDER_GNUPLOT_H

#include "base/strbuf.h"

/* The program that draws pictures, and the scripts in src/render/plot/ that are built in. */

/* The text of a built-in script, by its name without extension. */
const char *gnuplot_script(const char *name);

/*
 * Appends `text` as a gnuplot string that nothing in it can end: unsafe characters, line ends among
 * them, are left out, quotes and backquotes become typographic ones.
 */
void gnuplot_quote(struct strbuf *script, struct span text);

/*
 * Runs a script; *picture gets what it draws to standard output.  No shell, no start-up files of
 * the user's, no files on disk.
 */
int gnuplot_run(const struct strbuf *script, struct strbuf *picture);

#endif
