#include <criterion/criterion.h>

#include "store/conveyor.h"

/* What a writer saw: the first value of each box, in order. */
struct seen {
	int64_t first[200];
	int boxes, rows;
	int fail_at; /* box that cannot be written; -1: none */
};

static int take(const struct box *box)
{
	struct seen *seen = box->target;

	if (seen->boxes == seen->fail_at)
		return -1;
	seen->first[seen->boxes++] = box->value[0][0];
	seen->rows += box->rows;
	return 0;
}

/* More boxes than the ring holds, so that the pusher has to wait as well. */
enum { MANY = 100 };

static int push_many(struct conveyor *c, struct seen *seen)
{
	struct box box = { .target = seen, .rows = 3 };

	for (int i = 0; i < MANY; i++) {
		box.value[0][0] = i;
		if (conveyor_push(c, &box) < 0)
			return -1;
	}
	return 0;
}

Test(conveyor, writes_boxes_in_the_order_they_came)
{
	struct seen seen = { .fail_at = -1 };
	struct conveyor *c = conveyor_new(take);

	cr_assert_eq(push_many(c, &seen), 0);
	cr_assert_eq(conveyor_settle(c), 0);
	cr_assert_eq(seen.boxes, MANY);
	cr_assert_eq(seen.rows, 3 * MANY);
	for (int i = 0; i < MANY; i++)
		cr_assert_eq(seen.first[i], i);
	conveyor_free(c);
}

Test(conveyor, tells_a_failure_and_writes_nothing_after_it)
{
	struct seen seen = { .fail_at = 5 };
	struct conveyor *c = conveyor_new(take);

	push_many(c, &seen);
	cr_assert_eq(conveyor_settle(c), -1);
	cr_assert_eq(seen.boxes, 5);
	conveyor_reset(c);
	seen.fail_at = -1;
	cr_assert_eq(push_many(c, &seen), 0);
	cr_assert_eq(conveyor_settle(c), 0);
	cr_assert_eq(seen.boxes, 5 + MANY);
	conveyor_free(c);
}

Test(conveyor, that_was_never_used_has_nothing_to_wait_for)
{
	struct conveyor *c = conveyor_new(take);

	cr_assert_eq(conveyor_settle(c), 0);
	conveyor_free(c);
	conveyor_free(NULL);
}
