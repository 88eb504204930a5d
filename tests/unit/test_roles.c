/* What visible tensors are for, by shape, class and count. */
#include <criterion/criterion.h>

#include "analysis/roles.h"
#include "build_timeline.h"

static const char parameter[] = "torch.nn.parameter.Parameter", tensor[] = "torch.Tensor";

static int64_t sum(const struct roles *r)
{
	int64_t bytes = 0;

	for (int i = 0; i < ROLES; i++)
		bytes += r->role[i].bytes;
	return bytes;
}

/* Adam: of n parameters n gradients and 2n moments; (32,) are 3 parameters and 2 buffers at first.
 */
Test(roles, adam_quadruples_parameters)
{
	struct build b = { .quantum = 1 };
	int site = build_site(&b, "train.py", 1);
	int matrix = build_row(&b, "(64, 32)", parameter),
	    vector = build_row(&b, "(32,)", parameter);
	int image = build_row(&b, "(16, 3, 8, 8)", tensor), out = build_row(&b, "(16, 10)", tensor);
	int loss = build_row(&b, "()", tensor);
	struct arena scratch = ARENA_INIT;
	struct roles roles;

	build_point(&b, site);
	build_count(&b, matrix, 1);
	build_count(&b, vector, 5);
	build_point(&b, site);
	build_count(&b, matrix, 4);
	build_count(&b, vector, 14);
	build_count(&b, image, 1);
	build_count(&b, out, 1);
	build_count(&b, loss, 1);
	build_done(&b);
	roles_guess(&roles, &scratch, &b.t, 1);
	cr_assert_eq(roles.role[ROLE_PARAMETERS].tensors, 1 + 3);
	cr_assert_eq(roles.role[ROLE_GRADIENTS].tensors, 1 + 3);
	cr_assert_eq(roles.role[ROLE_OPTIMIZER].tensors, 2 + 6);
	cr_assert_eq(roles.role[ROLE_OTHER].tensors, 2);
	cr_assert_eq(roles.role[ROLE_ACTIVATIONS].tensors, 2);
	cr_assert_eq(roles.role[ROLE_SCALARS].tensors, 1);
	cr_assert_eq(roles.batch, 16);
	cr_assert_eq(sum(&roles), b.t.level[LEVEL_VISIBLE].value[1]);
	arena_release(&scratch);
	build_release(&b);
}

/* Without classes: a matrix whose first dimension a vector of its block has. */
Test(roles, biases_betray_parameters_without_classes)
{
	struct build b = { .quantum = 1 };
	int site = build_site(&b, "train.py", 1);
	int matrix = build_row_of(&b, "(64, 3, 3, 3)", NULL, "torch.float32");
	int bias = build_row_of(&b, "(64,)", NULL, "torch.float32");
	int image = build_row_of(&b, "(60, 3, 512, 512)", NULL, "torch.float32");
	struct arena scratch = ARENA_INIT;
	struct roles roles;

	build_point(&b, site);
	build_count(&b, matrix, 1);
	build_count(&b, bias, 1);
	build_count(&b, image, 1);
	build_done(&b);
	roles_guess(&roles, &scratch, &b.t, 0);
	cr_assert_eq(roles.role[ROLE_PARAMETERS].tensors, 2);
	cr_assert_eq(roles.role[ROLE_PARAMETERS].bytes, (64 * 27 + 64) * 4);
	/* One row is no batch. */
	cr_assert_eq(roles.batch, 0);
	cr_assert_eq(roles.role[ROLE_OTHER].tensors, 1);
	arena_release(&scratch);
	build_release(&b);
}
