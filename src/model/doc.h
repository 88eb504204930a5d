#ifndef MODEL_DOC_H
#define MODEL_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"

/*
 * A machine-readable answer as a tree: what --format json prints.  Keys keep their order.
 * Nodes and copied texts live in the arena given at creation.
 *
 *	struct doc *root = doc_object(arena);
 *	doc_set_text(root, "schema", "memlog.runs/1");
 *	struct doc *runs = doc_set(root, "runs", doc_array(arena));
 *	doc_set_int(doc_add(runs, doc_object(arena)), "id", 1);
 */

enum doc_kind { DOC_NULL, DOC_BOOL, DOC_INT, DOC_REAL, DOC_TEXT, DOC_ARRAY, DOC_OBJECT };

struct doc {
	enum doc_kind kind;
	const char *key; /* inside an object */
	int64_t number;  /* DOC_INT, DOC_BOOL */
	double real;
	const char *text;
	struct doc *first, *last, *next; /* children; next sibling */
	struct arena *arena;
};

struct doc *doc_object(struct arena *arena);
struct doc *doc_array(struct arena *arena);
struct doc *doc_null(struct arena *arena);

/* Append `child` to an array, or under `key` to an object; both return the child. */
struct doc *doc_add(struct doc *array, struct doc *child);
struct doc *doc_set(struct doc *object, const char *key, struct doc *child);

/* Scalars.  A null text and QUANTITY_UNKNOWN become null; texts are copied. */
void doc_set_text(struct doc *object, const char *key, const char *text);
void doc_set_int(struct doc *object, const char *key, int64_t number);
void doc_set_real(struct doc *object, const char *key, double real);
void doc_set_bool(struct doc *object, const char *key, bool value);
void doc_set_null(struct doc *object, const char *key);
void doc_add_text(struct doc *array, const char *text);
void doc_add_int(struct doc *array, int64_t number);

#endif
