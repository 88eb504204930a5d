#include "replay/names.h"

#include <ctype.h>
#include <stdio.h>

#include "base/shape.h"

void names_init(struct names *n)
{
	*n = (struct names){ .arena = ARENA_INIT, .key = STRBUF_INIT };
}

void names_release(struct names *n)
{
	intern_release(&n->positions);
	intern_release(&n->tensors);
	intern_release(&n->device_keys);
	intern_release(&n->processes);
	vec_release(&n->position);
	vec_release(&n->tensor);
	vec_release(&n->device);
	vec_release(&n->device_of_key);
	vec_release(&n->process);
	strbuf_release(&n->key);
	arena_release(&n->arena);
}

/* Starts a key with one text; absent and empty differ. */
static void key_start(struct names *n, struct span text)
{
	strbuf_clear(&n->key);
	if (text.ptr)
		strbuf_addspan(&n->key, text);
	else
		strbuf_addc(&n->key, '\1');
}

static void key_add(struct names *n, struct span text)
{
	strbuf_addc(&n->key, '\0');
	if (text.ptr)
		strbuf_addspan(&n->key, text);
	else
		strbuf_addc(&n->key, '\1');
}

static void mask_digits(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (!isdigit((unsigned char)text.ptr[i])) {
			strbuf_addc(out, text.ptr[i]);
			continue;
		}
		strbuf_addc(out, '#');
		while (i + 1 < text.len && isdigit((unsigned char)text.ptr[i + 1]))
			i++;
	}
}

static struct span number_text(const struct record *r, enum field f)
{
	return record_has(r, f) ? r->value[f].text : SPAN_NONE;
}

/* A rank that prints for itself is a place of its own. */
static char *position_label(struct names *n, const struct record *r)
{
	struct strbuf masked = STRBUF_INIT;
	char *label = NULL;

	if (record_has(r, FIELD_label)) {
		mask_digits(&masked, r->value[FIELD_label].text);
		if (record_has(r, FIELD_rank))
			strbuf_addf(&masked, ", rank %lld",
				    (long long)r->value[FIELD_rank].number);
		label = arena_text(&n->arena, strbuf_span(&masked));
	} else if (record_has(r, FIELD_rank)) {
		label = arena_printf(&n->arena, "rank %lld",
				     (long long)r->value[FIELD_rank].number);
	}
	strbuf_release(&masked);
	return label;
}

const struct position *names_position(struct names *n, const struct record *r)
{
	static const enum field texts[] = { FIELD_function, FIELD_module, FIELD_code_line };
	struct position *p;
	char *label;
	bool added;
	size_t index;

	if (!record_has(r, FIELD_file) && !record_has(r, FIELD_code_line) &&
	    !record_has(r, FIELD_function) && !record_has(r, FIELD_module) &&
	    !record_has(r, FIELD_label) && !record_has(r, FIELD_rank))
		return NULL;
	label = position_label(n, r);
	key_start(n, record_text(r, FIELD_file));
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		key_add(n, number_text(r, texts[i]));
	key_add(n, span_of(label));
	index = intern(&n->positions, strbuf_span(&n->key), &added);
	if (!added)
		return n->position.at[index];
	p = arena_alloc(&n->arena, sizeof(*p));
	*p = (struct position){
		.index = index,
		.file = arena_text(&n->arena, record_text(r, FIELD_file)),
		.code_line = record_has(r, FIELD_code_line) ? r->value[FIELD_code_line].number : 0,
		.function = arena_text(&n->arena, record_text(r, FIELD_function)),
		.module = arena_text(&n->arena, record_text(r, FIELD_module)),
		.label = label,
	};
	*vec_push(&n->position) = p;
	return p;
}

/* "float32" and "torch.float32" are one dtype. */
static struct span full_dtype(struct span dtype, char *buf, size_t size)
{
	if (!dtype.ptr || span_starts(dtype, "torch."))
		return dtype;
	snprintf(buf, size, "torch.%.*s", SPAN_ARG(dtype));
	return span_of(buf);
}

const struct tensor *names_tensor(struct names *n, const struct record *r)
{
	char buf[64];
	struct span class_name = record_text(r, FIELD_class);
	struct span dtype = full_dtype(record_text(r, FIELD_dtype), buf, sizeof(buf));
	struct tensor *t;
	struct shape shape;
	bool added;
	size_t index;
	int size;

	key_start(n, class_name);
	key_add(n, record_text(r, FIELD_shape));
	key_add(n, dtype);
	index = intern(&n->tensors, strbuf_span(&n->key), &added);
	if (!added)
		return n->tensor.at[index];
	*vec_push(&n->tensor) = NULL;
	size = dtype.ptr ? dtype_size(dtype) : 4;
	if (!shape_parse(record_text(r, FIELD_shape), &shape) ||
	    !quantity_known(quantity_mul(shape.numel, size ? size : 16)))
		return NULL;
	t = arena_alloc(&n->arena, sizeof(*t));
	*t = (struct tensor){
		.index = index,
		.class_name = arena_text(&n->arena, class_name),
		.shape = arena_text(&n->arena, record_text(r, FIELD_shape)),
		.dtype = arena_text(&n->arena, dtype),
		.numel = shape.numel,
		.itemsize = size,
	};
	n->tensor.at[index] = t;
	return t;
}

const struct process *names_process(struct names *n, const struct record *r)
{
	struct process *p;
	bool added;
	size_t index;

	if (!record_has(r, FIELD_pid) && !record_has(r, FIELD_process))
		return NULL;
	key_start(n, number_text(r, FIELD_pid));
	key_add(n, record_has(r, FIELD_pid) ? SPAN_NONE : record_text(r, FIELD_process));
	index = intern(&n->processes, strbuf_span(&n->key), &added);
	if (added) {
		p = arena_alloc(&n->arena, sizeof(*p));
		*p = (struct process){
			.index = index,
			.pid = record_has(r, FIELD_pid) ? r->value[FIELD_pid].number : -1,
		};
		*vec_push(&n->process) = p;
	}
	p = n->process.at[index];
	if (!p->name)
		p->name = arena_text(&n->arena, record_text(r, FIELD_process));
	if (!p->type)
		p->type = arena_text(&n->arena, record_text(r, FIELD_process_type));
	return p;
}
