#include "model/page.h"

void page_release(struct page *page)
{
	view_release(&page->view);
	*page = (struct page)PAGE_INIT;
}

static struct page_item *add(struct page *page, enum page_kind kind, const char *text)
{
	struct page_item *item = arena_alloc(&page->view.arena, sizeof(*item));

	item->kind = kind;
	item->text = text ? arena_text(&page->view.arena, span_of(text)) : NULL;
	if (page->last)
		page->last->next = item;
	else
		page->first = item;
	page->last = item;
	return item;
}

static const char *copy(struct page *page, const char *text)
{
	return arena_text(&page->view.arena, span_of(text));
}

void page_heading(struct page *page, int level, const char *id, const char *text)
{
	struct page_item *item = add(page, PAGE_HEADING, text);

	item->level = level;
	item->id = id ? copy(page, id) : NULL;
}

void page_text(struct page *page, enum tone tone, const char *text)
{
	add(page, PAGE_TEXT, text)->tone = tone;
}

void page_fact(struct page *page, const char *label, enum tone tone, const char *text)
{
	struct page_item *item;

	if (!text || !*text)
		return;
	item = add(page, PAGE_FACT, text);
	item->label = copy(page, label);
	item->tone = tone;
}

void page_link(struct page *page, const char *label, const char *id, enum tone tone,
	       const char *text)
{
	struct page_item *item = add(page, PAGE_LINK, text);

	item->label = copy(page, label);
	item->id = copy(page, id);
	item->tone = tone;
}

struct table *page_table(struct page *page, const char *name)
{
	struct table *table = view_table(&page->view, name);

	add(page, PAGE_TABLE, NULL)->table = table;
	return table;
}

void page_plot(struct page *page, const char *caption, const struct plot *plot)
{
	add(page, PAGE_PLOT, caption)->plot = plot;
}

void page_code(struct page *page, const char *text)
{
	add(page, PAGE_CODE, text);
}

void page_card(struct page *page, enum tone tone)
{
	add(page, PAGE_CARD, NULL)->tone = tone;
}

void page_end(struct page *page)
{
	add(page, PAGE_END, NULL);
}
