#ifndef MODEL_POINT_H
#define MODEL_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"
#include "base/timestamp.h"
#include "base/units.h"

/*
 * What replay makes of the records of one log, in order: runs, their points, notes and events.
 * Sizes are bytes, times nanoseconds UTC; unknown is QUANTITY_UNKNOWN or TIME_UNKNOWN, never 0.
 *
 * Things that come again are interned: their `index` counts from 0 within one log, and the struct
 * stays where it is until the replay is closed.
 */

/* Where the program stood: a code position, or the label that stands for one. */
struct position {
	size_t index;
	const char *file;     /* NULL: not printed */
	int64_t code_line;    /* 0: not printed */
	const char *function; /* NULL: not printed */
	const char *module;
	const char *label;
};

/* One row of tensors: all tensors of a shape and dtype, under one of the classes they have. */
struct tensor {
	size_t index;
	const char *class_name; /* "torch.Tensor"; NULL: not printed */
	const char *shape;
	const char *dtype; /* "torch.float32"; NULL: not printed */
	int64_t numel;
	int itemsize; /* true bytes of an element; 4 where no dtype is printed */
};

struct device {
	size_t index;
	int64_t number; /* -1: not printed */
	const char *uuid, *bus, *name;
	const char *instance; /* of a MIG device */
	int64_t total;        /* its memory, as far as the log has told */
	/* The same card, met under another of its names before a line tied the two; NULL: this is
	 * the one.  May be set late: ask again when the log has ended. */
	const struct device *same_as;
};

struct process {
	size_t index;
	int64_t pid;
	const char *name, *type;
};

/* A row's state after the point.  `count` is the log's own, which is joint over the classes of a
 * shape and dtype: sum over distinct (shape, dtype), not over rows. */
struct change {
	const struct tensor *tensor;
	int64_t count;
	int64_t line;
};

/* One look at a device, or at a process on a device. */
struct sample {
	const struct device *device;   /* NULL: the log does not say which */
	const struct process *process; /* NULL: the device as a whole */
	int64_t line, time;
	int64_t used, total, free, reserved;
	int64_t quantum;   /* of used */
	bool none;         /* the log says that used has no value: N/A */
	bool percent_only; /* used and quantum are in hundredths of a percent: the total is unknown
			    */
};

struct point {
	int64_t line; /* that names the place or opens the point */
	int64_t time, time_resolution;
	const struct position *position; /* NULL: none */
	int64_t step;                    /* printed iteration number, or -1 */
	int64_t visible;   /* replayed from the rows, or as printed where there are none */
	int64_t allocated; /* by the caching allocator, live */
	int64_t reserved;  /* held by the caching allocator */
	int64_t quantum;   /* of allocated and reserved */
	const struct change *changes;
	size_t nchanges;
	const struct sample *samples;
	size_t nsamples;
};

/* Damage, a decision or an oddity: what a reader must know to trust the numbers. */
struct note {
	int64_t line;
	const char *code; /* kebab-case, fixed */
	const char *text;
};

/* Something that happened between points: out of memory, a monitor that failed. */
struct event {
	int64_t line, time;
	const char *code; /* kebab-case, fixed */
	const char *text; /* the line */
	int64_t device;   /* number, or -1 */
	int64_t pid;      /* or -1 */
	int64_t requested, capacity, limit, free, allocated, reserved, process_used;
};

/* Known once the run has ended. */
struct run_end {
	const char *dialect;   /* that took most of its lines */
	int64_t started;       /* header's time */
	int64_t printed_unit;  /* bytes of the unit that the tensor rows print, 0: not measured */
	bool rows;             /* tensor rows were printed: visible is exact */
	const char *damage;    /* why no verdict can rest on the rows, or NULL */
	const char *truncated; /* the log ends inside a point: what is missing, or NULL */
};

/*
 * Receives the stream.  Each function returns 0, or -1 with an error to stop.
 * Order: run_begin, (point | note | event)*, run_end, run_begin, …; a note may also come before the
 * first run.  Everything pointed to is valid during the call, interned things until the end.
 */
struct point_sink {
	void *context;
	int (*run_begin)(void *context, int64_t line);
	int (*point)(void *context, const struct point *point);
	int (*note)(void *context, const struct note *note);
	int (*event)(void *context, const struct event *event);
	int (*run_end)(void *context, const struct run_end *end);
};

#endif
