#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "cmd/common.h"
#include "cmd/scale_view.h"

struct scaling {
	const char *by;
	struct option_list samples; /* RUN=N */
	int predict;
	struct scale_question question;
	struct view view;
	VEC(struct scale_run) runs;
};

/* The number after '=', or unknown. */
static int64_t number_after(const char *text, size_t name)
{
	char *end;
	long long n;

	if (text[name] != '=')
		return QUANTITY_UNKNOWN;
	errno = 0;
	n = strtoll(text + name + 1, &end, 10);
	return errno || end == text + name + 1 || (*end && *end != ',') || n < 1 ? QUANTITY_UNKNOWN
										 : n;
}

int64_t scale_tagged_count(const char *tags, const char *by)
{
	bool any = !strcmp(by, "tag");
	int64_t n = QUANTITY_UNKNOWN;

	for (const char *tag = tags; tag && !quantity_known(n);) {
		size_t name = strcspn(tag, "=,");

		if (any || (name == strlen(by) && !strncmp(tag, by, name)))
			n = number_after(tag, name);
		tag = strchr(tag, ',');
		tag = tag ? tag + 1 : NULL;
	}
	return n;
}

static int64_t given_count(const struct scaling *s, const struct run_row *row)
{
	for (size_t i = 0; i < s->samples.len; i++) {
		const char *equals = strrchr(s->samples.at[i], '=');
		size_t name = (size_t)(equals - s->samples.at[i]);

		if (name == strlen(row->name) && !strncmp(s->samples.at[i], row->name, name))
			return number_after(s->samples.at[i], name);
	}
	return scale_tagged_count(row->tags, s->by);
}

static int read_run(void *context, const struct run_visit *visit)
{
	struct scaling *s = context;
	struct scale_run run;

	if (!scale_read(&run, &s->view.arena, visit->timeline))
		return error_set("memlog scale: %s has no total to compare", visit->row->name);
	run.samples = given_count(s, visit->row);
	*vec_push(&s->runs) = run;
	return 0;
}

static int check_samples(const struct scaling *s)
{
	for (size_t i = 0; i < s->samples.len; i++) {
		const char *equals = strrchr(s->samples.at[i], '=');

		if (!equals || !quantity_known(number_after(s->samples.at[i],
							    (size_t)(equals - s->samples.at[i]))))
			return error_usage("memlog scale: --samples takes RUN=N, not '%s'",
					   s->samples.at[i]);
	}
	return 0;
}

static int run(const struct common *common, struct scaling *s, const struct arguments *rest)
{
	struct view *view = &s->view;
	struct scale scale;
	int rc = common_each_run(common, rest, read_run, s);

	if (rc < 0)
		return -1;
	view->units = common_units(common);
	s->question.predict = s->predict;
	for (size_t i = 0; i < s->runs.len && !quantity_known(s->question.capacity); i++)
		s->question.capacity = s->runs.at[i].capacity;
	scale_judge(&scale, &view->arena, s->runs.at, s->runs.len);
	view->doc = doc_object(&view->arena);
	doc_set_text(view->doc, "schema", "memlog.scale/1");
	scale_doc(view->doc, &scale, s->runs.at, s->runs.len, &s->question);
	if (!strcmp(common->format, "csv"))
		scale_table(view, &scale, s->runs.at, s->runs.len);
	else
		scale_text(view, &scale, s->runs.at, s->runs.len, &s->question);
	return common_print(common, view);
}

int cmd_scale(const struct command *self, int argc, const char **argv)
{
	struct scaling s = { .by = "samples",
			     .view = VIEW_INIT,
			     .question = { .capacity = QUANTITY_UNKNOWN } };
	const struct option table[] = {
		{ "samples", 0, OPT_LIST, &s.samples, "RUN=N", "a run's number of samples" },
		{ "by", 0, OPT_TEXT, &s.by, "NAME",
		  "tags NAME=N hold the numbers; default samples; 'tag': any such tag" },
		{ "capacity", 0, OPT_SIZE, &s.question.capacity, "SIZE",
		  "tell the largest number that fits; default: what the logs say" },
		{ "predict", 0, OPT_INT, &s.predict, "N", "the peak of N samples" },
		{ "all", 'a', OPT_FLAG, &s.question.all, NULL, "every tensor" },
		{ 0 },
	};
	struct arguments rest = ARGUMENTS_INIT;
	struct common common;
	int rc = common_parse(&common, self, table, argc, argv, &rest);

	if (!rc && s.predict < 0)
		rc = error_usage("memlog scale: --predict takes a number of samples");
	if (!rc)
		rc = check_samples(&s);
	if (!rc)
		rc = run(&common, &s, &rest);
	view_release(&s.view);
	vec_release(&s.runs);
	arguments_release(&rest);
	return rc < 0 ? -1 : EXIT_FINE;
}
