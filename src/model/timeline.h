#ifndef MODEL_TIMELINE_H
#define MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/timestamp.h"
#include "base/units.h"

/*
 * One run as series: what store/ reads and analysis/ judges.
 *
 * A series has one value a point, in the order of the log; QUANTITY_UNKNOWN where the point says
 * nothing.  Sizes are bytes.
 *
 * A run of very many points is folded while it is read: a point then stands for several visits of its
 * site (site.fold), with the state after the last of them, the floor of each level as its value and
 * the largest as its peak.  Memory stays flat whatever the size of the log.
 */

/* The quantities a run may have.  allocator levels are the process's own, as torch counts them. */
enum level {
	LEVEL_VISIBLE,   /* tensors that Python sees */
	LEVEL_ALLOCATED, /* live blocks of the caching allocator */
	LEVEL_RESERVED,  /* held by the caching allocator */
	LEVEL_PROCESS,   /* the run's own process on the device, by the driver */
	LEVEL_DEVICE,    /* the whole device */
	LEVELS
};

extern const char *const level_names[LEVELS]; /* "visible", "allocated", … */

struct series {
	int64_t *value;  /* NULL: the run has no such quantity */
	int64_t quantum; /* smallest step that the log can show; 1: exact */
	bool percent;    /* printed as a share of the total */
	int64_t *peak;   /* of a folded run: the largest of the visits a point stands for; else NULL */
	bool joined;     /* from another log, put at these points as well as it can be aligned */
};

/* The largest value that point i stands for. */
static inline int64_t series_peak(const struct series *s, size_t i)
{
	return s->peak ? s->peak[i] : s->value[i];
}

/* How far a value may be from what was printed: half a step, nothing where the log is exact. */
static inline int64_t series_rounding(const struct series *s)
{
	return s->quantum > 1 ? (s->quantum + 1) / 2 : 0;
}

/* A place in the code, or a label. */
struct site {
	const char *file;
	int64_t code_line;
	const char *function;
	const char *module;
	const char *label;
	int64_t fold;   /* visits that a point here stands for; 0 is 1 */
	int64_t visits; /* in the whole run; 0: not counted */
};

/* How many tensors of one shape and dtype there were; changes only, points rising. */
struct tensor_change {
	uint32_t point;
	int64_t count;
	int64_t line;
};

struct tensor_row {
	const char *shape, *dtype; /* dtype NULL: not printed */
	const char *class_name;    /* NULL: not printed; of several, the one seen first */
	bool parameter;            /* some class of the row is a Parameter, whichever came first */
	int64_t numel;
	int itemsize;
	const struct tensor_change *change;
	size_t nchanges;
};

/* One process on one device, or one device: `series` covers all points. */
struct subject {
	int64_t device; /* number, -1 unknown */
	const char *uuid, *device_name;
	const char *bus, *instance; /* PCI bus id; MIG instance; NULL: not printed */
	bool is_process;     /* false: the device as a whole */
	int64_t pid;         /* -1: none, or not printed */
	const char *process; /* name */
	int64_t total;       /* of the device, or unknown */
	int64_t reserved;    /* by the driver, of a device; or unknown */
	bool own;            /* joined logs: this is the run's process */
	int64_t start;       /* joined logs: the first value that stood for two samples, or unknown */
	struct series used;
};

struct timeline_event {
	int64_t point; /* events come after this point; -1: before the first */
	int64_t line;
	const char *code;
	const char *text; /* NULL: the figures are all that it says */
	int64_t requested, capacity, limit, allocated, reserved;
};

/* Another log that was read into a run. */
struct timeline_part {
	const char *source, *dialect;
	const char *how; /* it was aligned: constant text; NULL: it could not be */
	int64_t error;   /* of the alignment, nanoseconds */
};

/* What another run on such a card has shown of the memory that a process takes before any tensor. */
struct learned_context {
	const char *run; /* NULL: nothing is known */
	int64_t started; /* that run's, or TIME_UNKNOWN */
	int64_t bytes, tolerance;
};

struct timeline {
	struct arena arena; /* owns everything below */

	int64_t run;
	const char *name, *source, *dialect;
	bool damaged; /* notes say that rows were lost or writers mixed: no verdict from rows */
	const char *damage; /* that note's text */

	size_t points;        /* below; of the log: logged_points */
	int64_t logged_points;
	int64_t fold;         /* as site.fold, of points without a site */
	int32_t *position; /* index into site, or -1 */
	int64_t *line;     /* of the log */
	int64_t *time;     /* NULL: no time stamps */

	const struct site *site;
	size_t sites;

	struct series level[LEVELS];
	struct series peak; /* a maximum since some start; never evidence of growth */
	const struct tensor_row *row;
	size_t rows;
	const struct subject *subject; /* devices and processes */
	size_t subjects;
	const struct timeline_event *event;
	size_t events;
	int64_t capacity; /* of the device or the limit, from the log; unknown if it does not say */
	int64_t started;  /* header's time, or TIME_UNKNOWN */

	/* Of a run joined from several logs: */
	const struct timeline_part *part;
	size_t parts;
	int64_t own_device;      /* number of the run's device, or -1 */
	int64_t driver_reserved; /* kept by the driver on it, or unknown */
	bool driver_in_device;   /* the device level counts it */
	struct learned_context learned;
};

/* Where a point was taken; NULL: nowhere that the log names. */
static inline const struct site *timeline_site(const struct timeline *t, size_t point)
{
	return t->position && t->position[point] >= 0 ? &t->site[t->position[point]] : NULL;
}

void timeline_release(struct timeline *timeline);

#endif
