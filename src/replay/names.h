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
	struct intern positions, tensors, devices, processes;
	VEC(struct position *) position;
	VEC(struct tensor *) tensor;
	VEC(struct device *) device;
	VEC(struct process *) process;
};

void names_init(struct names *names);
void names_release(struct names *names);

/* NULL: the record names no place.  Digits of a label are masked with #, so that "step 1" and
 * "step 2" are one place that comes again. */
const struct position *names_position(struct names *names, const struct record *record);

/* NULL: the shape cannot be read, or its size passes int64. */
const struct tensor *names_tensor(struct names *names, const struct record *record);

/* NULL: the record names no device. */
const struct device *names_device(struct names *names, const struct record *record);

/* NULL: the record names no process. */
const struct process *names_process(struct names *names, const struct record *record);

#endif
