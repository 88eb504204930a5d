#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "model/point.h"
#include "store/bulk.h"
#include "store/db.h"

/*
 * A source being written.  Private to store/.
 *
 *	store_write.c  the sink: points, changes, samples, notes, events as they come
 *	write_names.c  at the end: positions, tensors, devices, processes, subjects
 */

struct things {
	const void **at;
	size_t len, cap;
};

/* What makes a subject: ids, unknown ones as QUANTITY_UNKNOWN. */
struct subject_key {
	int64_t device, process, quantum, share;
};

/* The source being written.  Ids are counted here, so that rows can name one another unwritten. */
struct writer {
	struct bulk point, change, sample;
	int64_t import, source, run;
	char *run_name;
	int runs; /* of the source */
	int64_t next_point, next_change, next_sample, first_sample;
	int64_t first_position, first_tensor, first_device, first_process, first_subject;
	/* The noun structs of model/point.h by index; NULL: not met yet. */
	struct things position, tensor, device, process;
	struct intern subjects;	       /* keys: struct subject_key */
	VEC(int64_t) subject_samples; /* with a value */
	VEC(int64_t) device_reserved; /* by device index */
	VEC(int64_t) visits; /* by position index, of the run */
	int64_t unplaced;    /* its points without a position */
	int64_t quantum;
	/* Notes that come before the first run belong to it. */
	VEC(struct note) early;
	struct arena early_text;
};

/* The most that the driver kept of the device of that index; unknown: nothing is known. */
void writer_see_reserved(struct writer *writer, size_t index, int64_t reserved);

/* Writes what rows name by id. */
int writer_write_names(struct store *store);

#endif
