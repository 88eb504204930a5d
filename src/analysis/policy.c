#include "analysis/policy.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/timestamp.h"
#include "base/vec.h"
#include "model/site.h"

/* One file while it is read. */
struct reader {
	struct policy *out;
	int64_t line;
	bool inside; /* of an ignore */
	VEC(struct policy_setting) settings;
	VEC(struct suppression) ignores;
};

static int complain(const struct reader *r, int64_t line, const char *text)
{
	return error_usage("%s:%" PRId64 ": %s", r->out->file, line, text);
}

/* ---- the lines of an ignore ---- */

static int set_cause(struct reader *r, struct suppression *s, struct span value)
{
	s->cause = arena_text(&r->out->arena, value);
	if (!strchr(s->cause, '*') && !cause_find(s->cause))
		return error_usage("%s:%" PRId64 ": there is no cause '%s'; there are %s",
				   r->out->file, r->line, s->cause, cause_list(&r->out->arena));
	return 0;
}

static int set_at(struct reader *r, struct suppression *s, struct span value)
{
	struct span function, file = span_word(value, &function);

	s->file = arena_text(&r->out->arena, file);
	s->function = function.len ? arena_text(&r->out->arena, function) : NULL;
	return 0;
}

static int set_shape(struct reader *r, struct suppression *s, struct span value)
{
	s->shape = arena_text(&r->out->arena, value);
	return 0;
}

static int set_dtype(struct reader *r, struct suppression *s, struct span value)
{
	s->dtype = arena_text(&r->out->arena, value);
	return 0;
}

static int set_reason(struct reader *r, struct suppression *s, struct span value)
{
	s->reason = arena_text(&r->out->arena, value);
	return 0;
}

static int set_until(struct reader *r, struct suppression *s, struct span value)
{
	/* The format alone would take 2027-1-1 and 27-01-01 too. */
	if (value.len != strlen("2027-01-31") ||
	    !time_parse(value, "%Y-%m-%d", ZONE_UTC, &s->last_day, NULL))
		return complain(r, r->line, "until needs a day like 2027-01-31");
	s->until = arena_text(&r->out->arena, value);
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct reader *r, struct suppression *s, struct span value);
} fields[] = {
	{ "cause", set_cause }, { "at", set_at },         { "shape", set_shape },
	{ "dtype", set_dtype }, { "reason", set_reason }, { "until", set_until },
};

static int read_field(struct reader *r, struct span name, struct span value)
{
	if (!r->inside)
		return complain(r, r->line,
				"a line that begins with blanks belongs to an "
				"'ignore', and there is none above");
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!span_is(name, fields[i].name))
			continue;
		if (!value.len)
			return complain(r, r->line, "a value is missing");
		return fields[i].set(r, &r->ignores.at[r->ignores.len - 1], value);
	}
	return complain(r, r->line,
			"an 'ignore' has cause, at, shape, dtype, reason and until, nothing else");
}

static int end_ignore(struct reader *r)
{
	const struct suppression *s = r->inside ? &r->ignores.at[r->ignores.len - 1] : NULL;

	r->inside = false;
	if (!s)
		return 0;
	if (!s->reason || !s->until)
		return complain(r, s->line,
				"this 'ignore' needs a reason and a last day: until 2027-01-31");
	if (!s->cause && !s->file && !s->shape && !s->dtype)
		return complain(r, s->line,
				"this 'ignore' would hide everything: say cause, at, shape or "
				"dtype");
	return 0;
}

/* ---- the file ---- */

static int read_line(struct reader *r, struct span raw)
{
	struct span value, text = span_trim(raw), name = span_word(text, &value);

	if (!text.len || raw.ptr[0] == '#')
		return 0;
	if (raw.ptr[0] == ' ' || raw.ptr[0] == '\t')
		return text.ptr[0] == '#' ? 0 : read_field(r, name, value);
	if (end_ignore(r) < 0)
		return -1;
	if (span_is(name, "ignore")) {
		if (value.len)
			return complain(r, r->line,
					"what to ignore stands on the lines below, "
					"indented");
		r->inside = true;
		*vec_push(&r->ignores) = (struct suppression){ .line = r->line };
		return 0;
	}
	*vec_push(&r->settings) = (struct policy_setting){
		.name = arena_text(&r->out->arena, name),
		.value = value.len ? arena_text(&r->out->arena, value) : NULL,
		.line = r->line,
	};
	return 0;
}

static void keep(struct reader *r)
{
	struct policy *out = r->out;
	struct policy_setting *setting =
		arena_alloc(&out->arena, (r->settings.len + 1) * sizeof(*setting));
	struct suppression *ignore =
		arena_alloc(&out->arena, (r->ignores.len + 1) * sizeof(*ignore));

	if (r->settings.len)
		memcpy(setting, r->settings.at, r->settings.len * sizeof(*setting));
	if (r->ignores.len)
		memcpy(ignore, r->ignores.at, r->ignores.len * sizeof(*ignore));
	out->setting = setting;
	out->settings = r->settings.len;
	out->ignore = ignore;
	out->ignores = r->ignores.len;
}

int policy_parse(struct policy *out, const char *file, struct span text)
{
	struct reader r = { .out = out, .settings = VEC_INIT, .ignores = VEC_INIT };
	struct span rest = text;
	int rc = 0;

	*out = (struct policy)POLICY_INIT;
	out->file = arena_text(&out->arena, span_of(file));
	if (text.len && memchr(text.ptr, '\0', text.len))
		rc = error_usage("%s: this is no text", file);
	while (!rc && rest.len) {
		struct span line = span_split(rest, '\n', &rest);

		r.line++;
		rc = read_line(&r, line);
	}
	if (!rc)
		rc = end_ignore(&r);
	if (!rc)
		keep(&r);
	vec_release(&r.settings);
	vec_release(&r.ignores);
	return rc;
}

void policy_release(struct policy *policy)
{
	arena_release(&policy->arena);
	*policy = (struct policy)POLICY_INIT;
}
