#ifndef REPLAY_NAMES_H
#define REPLAY_NAMES_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/point.h"
#include "model/record.h"

/*
 * The things that come again in a log, each once: positions, tensor rows, devices, processes.
 * What a function returns stays where it is until names_release(); its index counts from 0.
 */
struct names {
	struct arena arena;
	struct strbuf key;
	struct intern positions, tensors, processes;
	VEC(struct position *) position;
	VEC(struct tensor *) tensor;
	struct intern device_keys; /* an index, a UUID, a bus id, each with its MIG instance */
	VEC(struct device *) device, device_of_key;
	VEC(struct process *) process;
};

void names_init(struct names *names);
void names_release(struct names *names);

/* NULL: the record names no place.  Digits of a label are masked with #, so that "step 1" and
 * "step 2" are one place that comes again. */
const struct position *names_position(struct names *names, const struct record *record);

/* NULL: the shape cannot be read, or its size passes int64. */
const struct tensor *names_tensor(struct names *names, const struct record *record);

/* Index, UUID and bus id of one card are one device, from the line on that ties them; the index alone
 * is the weakest.  NULL: the record names no device. */
const struct device *names_device(struct names *names, const struct record *record);

/* NULL: the record names no process. */
const struct process *names_process(struct names *names, const struct record *record);

#endif
