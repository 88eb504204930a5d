#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"
#include "base/units.h"

/*
 * What a grammar made of one line: its kind, where it stands to the point, and typed fields.
 * All text is borrowed from the line or the grammar; valid until the next line is matched.
 */

enum record_kind {
	RECORD_HEADER,  /* a run begins */
	RECORD_TENSOR,  /* a row of tensors came, went or is listed */
	RECORD_POINT,   /* a place or moment of observation, perhaps with totals */
	RECORD_MEASURE, /* quantities of a device or a process */
	RECORD_EVENT,   /* something that happened: out of memory, a tool that failed */
	RECORD_CONTEXT, /* sets fields for the lines after it */
	RECORD_IGNORE,  /* known, and of no use */
	RECORD_KINDS
};

/* How a record stands to the point that lines are being gathered for. */
enum boundary {
	BOUNDARY_JOINS,  /* belongs to the point at hand */
	BOUNDARY_OPENS,  /* begins a new point; what follows belongs to it */
	BOUNDARY_CLOSES, /* ends the point; what came before belongs to it */
	BOUNDARY_AUTO,   /* opens or closes: found from the blank lines of the file */
	BOUNDARIES
};

/* What a field holds once it is converted. */
enum field_type {
	FIELD_TEXT,
	FIELD_INT,      /* number */
	FIELD_TIME,     /* number: nanoseconds UTC; quantum: resolution */
	FIELD_QUANTITY, /* decimal × unit bytes */
	FIELD_PERCENT,  /* decimal, of the device's total */
	FIELD_TYPES
};

/*
 * Every field a grammar may capture, by the name its capture group has.
 * X(name, type, meaning)
 */
#define RECORD_FIELDS(X) \
	X(time, TIME, "when; the rule's time format reads it") \
	X(file, TEXT, "source file that called the tracker") \
	X(code_line, INT, "its line") \
	X(function, TEXT, "its function") \
	X(module, TEXT, "its module, in reports that print no file") \
	X(label, TEXT, "text that stands for a position") \
	X(step, INT, "iteration number, where the log prints one") \
	X(epoch, INT, "epoch number") \
	X(rank, INT, "rank of the process that printed") \
	X(op, TEXT, "+ came, - went, o or = is there") \
	X(count, INT, "tensors in the row") \
	X(shape, TEXT, "shape of each, a Python tuple") \
	X(class, TEXT, "Python class") \
	X(dtype, TEXT, "element type") \
	X(printed, QUANTITY, "the row's size as printed, which is lossy") \
	X(visible, QUANTITY, "sum of all tensors that Python sees") \
	X(allocated, QUANTITY, "bytes of live blocks in the caching allocator") \
	X(reserved, QUANTITY, "bytes the allocator holds from the driver") \
	X(unallocated, QUANTITY, "bytes the allocator holds beyond what is allocated") \
	X(peak, QUANTITY, "a maximum since some start: never evidence of growth") \
	X(requested, QUANTITY, "bytes an allocation asked for") \
	X(limit, QUANTITY, "bytes the process may use") \
	X(device, INT, "index of the device") \
	X(uuid, TEXT, "its UUID") \
	X(bus, TEXT, "its PCI bus id") \
	X(device_name, TEXT, "its name") \
	X(device_total, QUANTITY, "its memory") \
	X(device_used, QUANTITY, "used on the device, by everyone") \
	X(device_free, QUANTITY, "free on the device") \
	X(device_reserved, QUANTITY, "set aside by the driver") \
	X(device_percent, PERCENT, "used, as a share of the total") \
	X(pid, INT, "process id") \
	X(process, TEXT, "process name") \
	X(process_type, TEXT, "C compute, G graphics") \
	X(process_used, QUANTITY, "used on the device by the process") \
	X(instance, TEXT, "MIG instance") \
	X(text, TEXT, "what happened")

enum field {
#define X(name, type, meaning) FIELD_##name,
	RECORD_FIELDS(X)
#undef X
		FIELD_COUNT
};

/* Why a field that stands in the line has no value. */
enum field_state {
	VALUE_ABSENT, /* the line has no such field */
	VALUE_OK,
	VALUE_NONE, /* the line says that there is none: N/A, nan, [Not Supported], - */
	VALUE_BAD,  /* the text is not what the field's type needs */
};

struct value {
	enum field_state state;
	bool carried;        /* set by an earlier line */
	struct span text;    /* as in the line */
	int64_t number;      /* FIELD_INT, FIELD_TIME */
	int64_t quantum;     /* FIELD_TIME: resolution */
	struct decimal size; /* FIELD_QUANTITY, FIELD_PERCENT */
	int64_t unit;        /* bytes; 0 for a percentage */
	bool unit_measured;  /* the label lies: take the unit from the tensor rows */
};

_Static_assert(FIELD_COUNT <= 64, "record.set has a bit for each field");

struct record {
	enum record_kind kind;
	enum boundary boundary;
	const char *dialect; /* name */
	int dialect_index;
	const char *rule; /* name */
	const char *code; /* RECORD_EVENT: the event's code */
	bool titles;      /* the header of a table: rows should follow */
	int64_t line;
	uint64_t set; /* bit f: value[f] is not VALUE_ABSENT */
	struct value value[FIELD_COUNT];
};

/* Empties a record for reuse; only what was set is touched. */
static inline void record_clear(struct record *r)
{
	for (uint64_t bits = r->set; bits; bits &= bits - 1)
		r->value[__builtin_ctzll(bits)].state = VALUE_ABSENT;
	r->set = 0;
}

static inline bool record_has(const struct record *r, enum field f)
{
	return r->value[f].state == VALUE_OK;
}

static inline struct span record_text(const struct record *r, enum field f)
{
	return record_has(r, f) ? r->value[f].text : SPAN_NONE;
}

/* Bytes by the unit that the grammar states. */
static inline int64_t record_bytes(const struct record *r, enum field f)
{
	const struct value *v = &r->value[f];

	return record_has(r, f) ? decimal_bytes(v->size, v->unit) : QUANTITY_UNKNOWN;
}

#endif
