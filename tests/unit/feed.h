#ifndef TESTS_FEED_H
#define TESTS_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/point.h"

/*
 * A log through lines -> matcher -> replay into a recording sink, as an import does it but without
 * a store: text in; runs, points, notes and events out.
 *
 *	struct feed f;
 *
 *	feed_text(&f, "At main.py line 3: ...");
 *	cr_assert_eq(f.points.len, 1);
 *	feed_release(&f);
 *
 * What was recorded lives until feed_release().  A stage that fails fails the test.
 */

struct feed_row {
	const char *class_name, *shape, *dtype;
	int64_t count, line;
};

struct feed_point {
	size_t run; /* from 0 */
	int64_t line, time, step;
	int64_t visible, allocated, reserved;
	int64_t used; /* of the first device without a process, or unknown */
	const char *file, *function, *module, *label;
	int64_t code_line;
	const struct feed_row *row; /* that changed here */
	size_t rows;
};

struct feed_note {
	size_t run;
	int64_t line;
	const char *code, *text;
};

struct feed_event {
	int64_t line, requested;
	const char *code, *text;
};

struct feed_run {
	int64_t line, started, printed_unit;
	const char *dialect, *damage, *truncated; /* truncated: NULL, unless it ends in a point */
	bool rows, ended;
};

struct feed {
	struct arena arena;
	VEC(struct feed_run) runs;
	VEC(struct feed_point) points;
	VEC(struct feed_note) notes;
	VEC(struct feed_event) events;
	int64_t matched, unmatched, blank;
	const char *first_unmatched; /* or NULL */
};

void feed_text(struct feed *f, const char *text);
void feed_bytes(struct feed *f, const void *data, size_t len);
/* A file, compressed or not; `encoding` NULL: as it is recognised. */
void feed_file(struct feed *f, const char *path, const char *encoding);
void feed_release(struct feed *f);

/* How many notes have this code; the first of them, or NULL. */
size_t feed_count(const struct feed *f, const char *code);
const struct feed_note *feed_note(const struct feed *f, const char *code);
/* The row of that shape which changed at point i, or NULL. */
const struct feed_row *feed_row(const struct feed *f, size_t i, const char *shape);

/* The built-in grammars, loaded for the test process. */
struct grammars;
struct grammars *feed_grammars(void);

/* One-line ways to write reports: a place of gpu-mem-track-2021 between its blank lines, and rows. */
#define AT(line, visible, allocated) \
	"\nAt main.py line " #line ": train                             Total Tensor Used Memory:" \
	visible "Mb Total Allocated Memory:" allocated "Mb\n\n"
#define HEAD \
	"GPU Memory Track | 11-Feb-25-09:14:02 | Total Tensor Used Memory:0.0    Mb Total " \
	"Allocated Memory:0.0    Mb\n\n"
#define TENSOR    "<class 'torch.Tensor'>"
#define PARAMETER "<class 'torch.nn.parameter.Parameter'>"
#define ROW(op, n, shape, mem, class_name, dtype) \
	op " | " n " * Size:" shape "          | Memory: " mem " M | " class_name " | torch." dtype "\n"
/* The same for gpu-mem-track-2018. */
#define AT_2018(line, used) \
	"\nAt __main__ <module>: line " #line "                        Total Used Memory:" used "Mb\n\n"
#define HEAD_2018 "GPU Memory Track | 07-Oct-19-10:02:33 | Total Used Memory:1103.8 Mb\n\n"
#define ROW_2018(op, n, shape, mem, class_name) \
	op " | " n " * Size:" shape "          | Memory: " mem " M | " class_name "\n"

#endif
