#include "replay/live_set.h"

#include "base/strbuf.h"

void live_set_init(struct live_set *s)
{
	*s = (struct live_set){ .kinds = INTERN_INIT };
}

void live_set_release(struct live_set *s)
{
	vec_release(&s->item);
	vec_release(&s->kind);
	vec_release(&s->changes);
	vec_release(&s->touched);
	intern_release(&s->kinds);
}

void live_set_clear(struct live_set *s)
{
	for (size_t i = 0; i < s->item.len; i++) {
		s->item.at[i].count = 0;
		s->item.at[i].seen = false;
		s->item.at[i].removed = false;
	}
	for (size_t i = 0; i < s->kind.len; i++)
		s->kind.at[i].count = 0;
	vec_clear(&s->changes);
	vec_clear(&s->touched);
	s->visible = s->tool_visible3 = 0;
}

/* Pytorch-Memory-Utils writes torch.short as 16/6 = 8/3 bytes, and torch.short is torch.int16. */
static int64_t tool_size3(const struct tensor *t)
{
	bool int16 =
		t->dtype && (!strcmp(t->dtype, "torch.int16") || !strcmp(t->dtype, "torch.short"));

	return int16 ? 8 : 3 * t->itemsize;
}

static struct live_kind *kind_of(struct live_set *s, struct live_item *item)
{
	const struct tensor *t = item->tensor;
	struct strbuf key = STRBUF_INIT;
	struct live_kind *kind;
	bool added;

	strbuf_adds(&key, t->shape);
	strbuf_addc(&key, '\0');
	strbuf_adds(&key, t->dtype ? t->dtype : "");
	item->kind = intern(&s->kinds, strbuf_span(&key), &added);
	strbuf_release(&key);
	if (added) {
		kind = vec_push(&s->kind);
		*kind = (struct live_kind){
			.bytes = quantity_mul(t->numel, t->itemsize),
			.tool_bytes3 = quantity_mul(t->numel, tool_size3(t)),
		};
	}
	kind = &s->kind.at[item->kind];
	item->next = kind->first;
	kind->first = t->index + 1;
	return kind;
}

static struct live_item *item_of(struct live_set *s, const struct tensor *t)
{
	struct live_item *item;

	while (s->item.len <= t->index)
		*vec_push(&s->item) = (struct live_item){ 0 };
	item = &s->item.at[t->index];
	if (!item->tensor) {
		item->tensor = t;
		kind_of(s, item);
	}
	return item;
}

static void set_count(struct live_set *s, struct live_item *item, const struct row *row,
		      int64_t count)
{
	struct change *change = vec_push(&s->changes);

	item->count = count;
	item->seen = true;
	*change = (struct change){ row->tensor, count, row->line };
	*vec_push(&s->touched) = item->kind;
}

enum live_problem live_set_apply(struct live_set *s, const struct row *row)
{
	struct live_item *item = item_of(s, row->tensor);
	enum live_problem problem = LIVE_FINE;

	switch (row->op) {
	case ROW_MINUS:
		if (item->count == row->count) {
			item->removed = true;
			set_count(s, item, row, 0);
			return LIVE_FINE;
		}
		problem = item->seen ? LIVE_GONE : LIVE_UNKNOWN;
		item->seen = true;
		return problem;
	case ROW_PLUS:
		/* A count that changed has its old tuple among the minus rows of the block. */
		if (item->count && !item->removed)
			problem = LIVE_AGAIN;
		set_count(s, item, row, row->count);
		return problem;
	case ROW_STATE:
	case ROW_LISTED:
		item->removed = false;
		if (item->count != row->count || !item->seen)
			set_count(s, item, row, row->count);
		if (row->op == ROW_LISTED)
			item->removed = true; /* listed: see end_block */
		return LIVE_FINE;
	case ROW_THERE:
	case ROW_OPS:
		break;
	}
	return LIVE_FINE;
}

/* Rows of a full listing carry the mark `removed`; those without it have gone. */
static void drop_unlisted(struct live_set *s)
{
	for (size_t i = 0; i < s->item.len; i++) {
		struct live_item *item = &s->item.at[i];

		if (item->count && !item->removed && item->tensor)
			set_count(s, item, &(struct row){ item->tensor, ROW_MINUS, 0, 0 }, 0);
	}
}

static void sum_kind(struct live_set *s, size_t k)
{
	struct live_kind *kind = &s->kind.at[k];
	int64_t count = 0, more;

	for (size_t t = kind->first; t; t = s->item.at[t - 1].next)
		if (s->item.at[t - 1].count > count)
			count = s->item.at[t - 1].count;
	more = count - kind->count;
	if (!more)
		return;
	kind->count = count;
	s->visible = quantity_add(s->visible, quantity_mul(kind->bytes, more));
	s->tool_visible3 = quantity_add(s->tool_visible3, quantity_mul(kind->tool_bytes3, more));
}

/* One change a tensor is left: the last.  A tensor that went and came back equal has not changed,
 * but stays in the list; the log said so. */
static void keep_last_changes(struct live_set *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->changes.len; i++) {
		const struct change *c = &s->changes.at[i];

		if (s->item.at[c->tensor->index].count == c->count &&
		    (kept == 0 || s->changes.at[kept - 1].tensor != c->tensor))
			s->changes.at[kept++] = *c;
	}
	s->changes.len = kept;
}

void live_set_end_block(struct live_set *s, bool listing)
{
	if (listing)
		drop_unlisted(s);
	for (size_t i = 0; i < s->touched.len; i++)
		sum_kind(s, s->touched.at[i]);
	for (size_t i = 0; i < s->changes.len; i++)
		s->item.at[s->changes.at[i].tensor->index].removed = false;
	if (listing)
		for (size_t i = 0; i < s->item.len; i++)
			s->item.at[i].removed = false;
	keep_last_changes(s);
	vec_clear(&s->touched);
}

void live_set_begin_block(struct live_set *s)
{
	vec_clear(&s->changes);
}
