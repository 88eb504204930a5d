#ifndef REPLAY_LIVE_SET_H
#define REPLAY_LIVE_SET_H

#include "base/intern.h"
#include "base/vec.h"
#include "model/point.h"

/*
 * The tensors that are alive, from rows that came and went.
 *
 * A tracker prints the difference of two sets of (class, shape, dtype, count) tuples.  The count is
 * joint over classes, so bytes are summed over distinct (shape, dtype):
 *
 *	live = (live − minus) ∪ plus        visible = Σ count × numel × itemsize
 *
 * Within a block, all minus rows are applied before the plus rows that follow them in the set's
 * sense but stand before them in the file.
 */

enum row_op {
	ROW_PLUS,   /* this tuple is new */
	ROW_MINUS,  /* this tuple is gone */
	ROW_STATE,  /* the count is now this; the dialect prints no usable minus rows */
	ROW_LISTED, /* one row of a full listing: rows not listed are gone */
	ROW_THERE,  /* unchanged, printed for information */
	ROW_OPS
};

struct row {
	const struct tensor *tensor;
	enum row_op op;
	int64_t count, line;
};

enum live_problem {
	LIVE_FINE,
	LIVE_AGAIN,   /* a plus row whose tuple was alive already */
	LIVE_UNKNOWN, /* a minus row of something this run never listed */
	LIVE_GONE,    /* a minus row of something seen, but not alive with that count */
};

struct live_item {
	int64_t count;
	bool seen, removed;
	size_t kind;
	size_t next; /* tensor of the same kind + 1, 0: none */
	const struct tensor *tensor;
};

struct live_kind {
	int64_t count, bytes, tool_bytes3; /* of one tensor; by the tool's element size, × 3 */
	size_t first;                      /* tensor + 1 */
};

struct live_set {
	VEC(struct live_item) item; /* by tensor index */
	VEC(struct live_kind) kind;
	VEC(struct change) changes; /* of the latest block */
	VEC(size_t) touched;
	struct intern kinds;
	int64_t visible;       /* bytes; unknown after an overflow */
	int64_t tool_visible3; /* what the tool's own sum is, × 3: it counts int16 as 8/3 bytes */
};

void live_set_init(struct live_set *set);
void live_set_release(struct live_set *set);
/* A new run: nothing is alive. */
void live_set_clear(struct live_set *set);

/* Applies one row.  Rows of a block: all ROW_MINUS first, then the others, then
 * live_set_end_block(), which fills `changes` and the sums. */
/* `changes` is of the block at hand: live_set_begin_block() empties it. */
void live_set_begin_block(struct live_set *set);
enum live_problem live_set_apply(struct live_set *set, const struct row *row);
void live_set_end_block(struct live_set *set, bool listing);

#endif
