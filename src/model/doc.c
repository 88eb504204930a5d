#include "model/doc.h"

#include "base/units.h"

static struct doc *node(struct arena *arena, enum doc_kind kind)
{
	struct doc *doc = arena_alloc(arena, sizeof(*doc));

	doc->kind = kind;
	doc->arena = arena;
	return doc;
}

struct doc *doc_object(struct arena *arena)
{
	return node(arena, DOC_OBJECT);
}

struct doc *doc_array(struct arena *arena)
{
	return node(arena, DOC_ARRAY);
}

struct doc *doc_null(struct arena *arena)
{
	return node(arena, DOC_NULL);
}

struct doc *doc_add(struct doc *parent, struct doc *child)
{
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	return child;
}

struct doc *doc_set(struct doc *object, const char *key, struct doc *child)
{
	child->key = key;
	return doc_add(object, child);
}

static struct doc *text_node(struct arena *arena, const char *text)
{
	struct doc *doc = node(arena, text ? DOC_TEXT : DOC_NULL);

	doc->text = arena_text(arena, span_of(text));
	return doc;
}

static struct doc *int_node(struct arena *arena, int64_t number)
{
	struct doc *doc = node(arena, quantity_known(number) ? DOC_INT : DOC_NULL);

	doc->number = number;
	return doc;
}

void doc_set_text(struct doc *object, const char *key, const char *text)
{
	doc_set(object, key, text_node(object->arena, text));
}

void doc_set_int(struct doc *object, const char *key, int64_t number)
{
	doc_set(object, key, int_node(object->arena, number));
}

void doc_set_real(struct doc *object, const char *key, double real)
{
	doc_set(object, key, node(object->arena, DOC_REAL))->real = real;
}

void doc_set_bool(struct doc *object, const char *key, bool value)
{
	doc_set(object, key, node(object->arena, DOC_BOOL))->number = value;
}

void doc_set_null(struct doc *object, const char *key)
{
	doc_set(object, key, doc_null(object->arena));
}

void doc_add_text(struct doc *array, const char *text)
{
	doc_add(array, text_node(array->arena, text));
}

void doc_add_int(struct doc *array, int64_t number)
{
	doc_add(array, int_node(array->arena, number));
}
