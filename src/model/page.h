#ifndef MODEL_PAGE_H
#define MODEL_PAGE_H

#include "model/plot.h"
#include "model/view.h"

/*
 * A document to read on its own: headings, sentences, facts, tables and plots in order.  Commands
 * fill it, a renderer makes a file of it.  Texts are copied; plots must live as long as the page.
 *
 *	struct page page = PAGE_INIT;
 *	page_heading(&page, 2, "run-1", "output_append");
 *	page_text(&page, TONE_BAD, "LEAK");
 *	struct table *t = page_table(&page, "rows");
 *	page_release(&page);
 */

enum page_kind {
	PAGE_HEADING,
	PAGE_TEXT,
	PAGE_FACT, /* a label and what it says; several in a row are one list */
	PAGE_LINK, /* the same with a link to a heading */
	PAGE_TABLE,
	PAGE_PLOT,
	PAGE_CODE, /* for a shell */
	PAGE_CARD, /* what follows belongs together, until PAGE_END */
	PAGE_END,
};

struct page_item {
	struct page_item *next;
	enum page_kind kind;
	int level; /* of a heading, from 1 */
	enum tone tone;
	const char *id;    /* of a heading or link; made of letters, digits and - by the caller */
	const char *label; /* of a fact */
	const char *text;
	struct table *table;
	const struct plot *plot;
};

struct page {
	struct view view; /* owns everything; its blocks are the tables */
	const char *title;
	struct page_item *first, *last;
};

#define PAGE_INIT \
	{ \
		.view = VIEW_INIT \
	}

void page_release(struct page *page);

void page_heading(struct page *page, int level, const char *id, const char *text);
void page_text(struct page *page, enum tone tone, const char *text);
/* Nothing for a text that is NULL or empty. */
void page_fact(struct page *page, const char *label, enum tone tone, const char *text);
void page_link(struct page *page, const char *label, const char *id, enum tone tone,
	       const char *text);
struct table *page_table(struct page *page, const char *name);
void page_plot(struct page *page, const char *caption, const struct plot *plot);
void page_code(struct page *page, const char *text);
void page_card(struct page *page, enum tone tone);
void page_end(struct page *page);

#endif
