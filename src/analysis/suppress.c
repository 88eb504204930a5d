/* The half of policy.h that asks whether a finding is to be ignored. */
#include <string.h>

#include "analysis/fingerprint.h"
#include "analysis/policy.h"
#include "base/timestamp.h"

bool pattern_fits(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	if (!text)
		return !strcmp(pattern, "*");
	/* Linear but for the last star: an earlier one never has to be tried again. */
	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			retry = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool fits(const char *pattern, const char *text)
{
	return !pattern || pattern_fits(pattern, text);
}

/* "float32" and "torch.float32" are written by different people for the same. */
static const char *plain_dtype(const char *dtype)
{
	return dtype && !strncmp(dtype, "torch.", 6) ? dtype + 6 : dtype;
}

/* In a shape a * stands for one dimension: "(*, 10)" is not (64, 3, 10). */
static bool shape_fits(const char *pattern, const char *shape)
{
	size_t commas = 0, wanted = 0;

	if (!pattern || !strcmp(pattern, "*"))
		return true;
	for (const char *c = pattern; *c; c++)
		wanted += *c == ',';
	for (const char *c = shape; *c; c++)
		commas += *c == ',';
	return commas == wanted && pattern_fits(pattern, shape);
}

static bool row_fits(const struct suppression *s, const char *shape, const struct tensor_row *row)
{
	return shape_fits(s->shape, shape) &&
	       fits(s->dtype ? plain_dtype(s->dtype) : NULL, plain_dtype(row->dtype));
}

static bool tensors_fit(const struct suppression *s, const struct finding *f)
{
	const struct tensor_row *main = finding_main_row(f);

	if (!s->shape && !s->dtype)
		return true;
	return main && row_fits(s, finding_main_shape(f), main);
}

bool suppression_expired(const struct suppression *suppression, int64_t today)
{
	return today >= suppression->last_day + 86400 * SECOND;
}

const struct suppression *policy_match(const struct policy *policy, const struct finding *finding,
				       int64_t today)
{
	const struct suppression *expired = NULL;
	struct arena arena = ARENA_INIT;
	struct fingerprint print;
	size_t i;

	fingerprint_of(&print, &arena, finding);
	for (i = 0; i < policy->ignores; i++) {
		const struct suppression *s = &policy->ignore[i];

		if (!fits(s->cause, finding->cause) ||
		    !fits(s->file, print.part[FINGERPRINT_FILE]) ||
		    !fits(s->function, print.part[FINGERPRINT_FUNCTION]) ||
		    !tensors_fit(s, finding))
			continue;
		if (!suppression_expired(s, today))
			break;
		expired = expired ? expired : s;
	}
	arena_release(&arena);
	return i < policy->ignores ? &policy->ignore[i] : expired;
}

const char *suppression_text(struct arena *arena, const struct suppression *s)
{
	return arena_printf(arena, "%s%s%s%s%s%s%s%s%s", s->cause ? s->cause : "anything",
			    s->file ? " at " : "", s->file ? s->file : "", s->function ? " " : "",
			    s->function ? s->function : "", s->shape ? " of " : "",
			    s->shape ? s->shape : "", s->dtype ? " " : "",
			    s->dtype ? s->dtype : "");
}
