/* Which card a line speaks of: logs name one by index, by UUID and by bus id, in any mixture. */
#include <ctype.h>

#include "replay/names.h"

/* The strongest first: an index is another card on another machine. */
static const struct {
	enum field field;
	char kind;
} keys[] = { { FIELD_uuid, 'u' }, { FIELD_bus, 'b' }, { FIELD_device, 'n' } };

enum { KEYS = sizeof(keys) / sizeof(*keys) };

/* "00000000:0A:00.0" and "0000:0a:00.0" are one place. */
static void add_bus(struct strbuf *out, struct span bus)
{
	while (bus.len > 1 && bus.ptr[0] == '0')
		bus = span_skip(bus, 1);
	for (size_t i = 0; i < bus.len; i++)
		strbuf_addc(out, (char)tolower((unsigned char)bus.ptr[i]));
}

static size_t key_index(struct names *n, const struct record *r, int k)
{
	struct span text = r->value[keys[k].field].text;
	int64_t number = r->value[FIELD_device].number;
	bool added;
	size_t index;

	strbuf_clear(&n->key);
	strbuf_addc(&n->key, keys[k].kind);
	if (keys[k].field == FIELD_bus)
		add_bus(&n->key, text);
	else if (keys[k].field == FIELD_device)
		strbuf_add(&n->key, (const char *)&number, sizeof(number));
	else
		strbuf_addspan(&n->key, text);
	strbuf_addc(&n->key, '\0');
	strbuf_addspan(&n->key, record_text(r, FIELD_instance));
	index = intern(&n->device_keys, strbuf_span(&n->key), &added);
	if (added)
		*vec_push(&n->device_of_key) = NULL;
	return index;
}

/* The one that stands for all names of the card. */
static struct device *canonical(const struct names *n, struct device *d)
{
	while (d && d->same_as)
		d = n->device.at[d->same_as->index];
	return d;
}

static bool is_bus(struct span a, const char *known)
{
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
	bool same;

	add_bus(&one, a);
	add_bus(&other, span_of(known));
	same = span_equal(strbuf_span(&one), strbuf_span(&other));
	strbuf_release(&one);
	strbuf_release(&other);
	return same;
}

/* Does the line say that this is another card? */
static bool contradicts(const struct device *d, const struct record *r)
{
	if (d->uuid && record_has(r, FIELD_uuid))
		return !span_is(record_text(r, FIELD_uuid), d->uuid);
	return d->bus && record_has(r, FIELD_bus) && !is_bus(record_text(r, FIELD_bus), d->bus);
}

static struct device *add_device(struct names *n, const struct record *r)
{
	struct device *d = arena_alloc(&n->arena, sizeof(*d));

	*d = (struct device){
		.index = n->device.len,
		.number = -1,
		.instance = arena_text(&n->arena, record_text(r, FIELD_instance)),
		.total = QUANTITY_UNKNOWN,
	};
	*vec_push(&n->device) = d;
	return d;
}

static void describe(struct names *n, struct device *d, const struct record *r)
{
	if (d->number < 0 && record_has(r, FIELD_device))
		d->number = r->value[FIELD_device].number;
	if (!d->uuid)
		d->uuid = arena_text(&n->arena, record_text(r, FIELD_uuid));
	if (!d->bus)
		d->bus = arena_text(&n->arena, record_text(r, FIELD_bus));
	if (!d->name)
		d->name = arena_text(&n->arena, record_text(r, FIELD_device_name));
	if (r->kind == RECORD_MEASURE && quantity_known(record_bytes(r, FIELD_device_total)))
		d->total = record_bytes(r, FIELD_device_total);
}

/* One device from here on: the one met first. */
static struct device *unite(struct device *a, struct device *b)
{
	struct device *first = a->index < b->index ? a : b, *second = first == a ? b : a;

	second->same_as = first;
	if (first->number < 0)
		first->number = second->number;
	if (!first->uuid)
		first->uuid = second->uuid;
	if (!first->bus)
		first->bus = second->bus;
	if (!first->name)
		first->name = second->name;
	if (!quantity_known(first->total))
		first->total = second->total;
	return first;
}

const struct device *names_device(struct names *n, const struct record *r)
{
	struct device *found = NULL;
	size_t of[KEYS];
	int named = 0;

	for (int k = 0; k < KEYS; k++) {
		struct device *d;

		if (!record_has(r, keys[k].field))
			continue;
		of[named] = key_index(n, r, k);
		d = canonical(n, n->device_of_key.at[of[named]]);
		named++;
		if (!d || d == found || contradicts(d, r))
			continue;
		found = found ? unite(found, d) : d;
	}
	if (!named)
		return NULL;
	if (!found)
		found = add_device(n, r);
	for (int k = 0; k < named; k++)
		n->device_of_key.at[of[k]] = found;
	describe(n, found, r);
	return found;
}
