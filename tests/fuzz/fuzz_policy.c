#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/baseline.h"
#include "analysis/policy.h"

/*
 * Any bytes as a policy or as a baseline, which the first byte picks: read or refused, and a
 * baseline that was read is written so that it reads the same again.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_policy(struct span text)
{
	static const struct tensor_row row = { .shape = "(64, 10)", .dtype = "torch.float32" };
	static const struct site site = { .file = "train.py", .code_line = 1, .function = "f" };
	struct finding finding = {
		.kind = FINDING_LEAK, .cause = "tensor-count", .site = &site, .handle = &row
	};
	struct policy policy;

	if (!policy_parse(&policy, "fuzz", text)) {
		policy_match(&policy, &finding, 0);
		for (size_t i = 0; i < policy.ignores; i++) {
			suppression_text(&policy.arena, &policy.ignore[i]);
			assert(policy.ignore[i].reason && policy.ignore[i].until);
		}
	}
	policy_release(&policy);
}

static void try_baseline(struct span text)
{
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	struct baseline baseline, again;

	if (!baseline_parse(&baseline, "fuzz", text)) {
		baseline_write(&baseline, &first);
		assert(!baseline_parse(&again, "fuzz", strbuf_span(&first)));
		baseline_write(&again, &second);
		assert(span_equal(strbuf_span(&first), strbuf_span(&second)));
		baseline_release(&again);
	}
	baseline_release(&baseline);
	strbuf_release(&first);
	strbuf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text;

	if (!size)
		return 0;
	text = (struct span){ (const char *)data + 1, size - 1 };
	if (data[0] & 1)
		try_policy(text);
	else
		try_baseline(text);
	return 0;
}
