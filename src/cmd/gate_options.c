#include "cmd/gate_options.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/alloc.h"
#include "base/error.h"
#include "cmd/files.h"

static const char default_config[] = "memlog.conf";

/* The options that a policy file may hold, too; then those that only a command line has. */
static void fill_table(struct gate_options *o, struct option *table, bool all)
{
	const struct option settings[] = {
		{ "baseline", 0, OPT_TEXT, &o->baseline, "FILE|RUN",
		  "fail on what is new or worse than this" },
		{ "tolerance", 0, OPT_TEXT, &o->tolerance_text, "SHARE|SIZE",
		  "how much more than the baseline passes; default 5%" },
		{ "min-iterations", 0, OPT_INT, &o->minimum, "N",
		  "fewer are undecided; default 5" },
		{ "on-undecided", 0, OPT_TEXT, &o->on_undecided, "pass|warn|fail",
		  "what too little data means; default: exit 5" },
		{ "report", 0, OPT_LIST, &o->reports, "NAME[=FILE]",
		  "text, github, markdown, junit, sarif, json or csv; may be given more than "
		  "once" },
		{ "path-map", 0, OPT_LIST, &o->path_map, "FROM=TO",
		  "where files of the log are in the repository: /workspace=." },
	};
	const struct option own[] = {
		{ "save-baseline", 0, OPT_TEXT, &o->save_baseline, "FILE",
		  "write what these runs do as the baseline, and say what changed in it" },
		{ "config", 0, OPT_TEXT, &o->config, "FILE",
		  "the policy file; default memlog.conf, if it is there" },
		{ "no-config", 0, OPT_FLAG, &o->no_config, NULL, "read no policy file" },
		{ "today", 0, OPT_TEXT, &o->today_text, "DAY",
		  "that suppressions are measured against; default $SOURCE_DATE_EPOCH, else now" },
	};
	size_t n = 0;

	for (size_t i = 0; i < GATE_LIMIT_TYPES; i++) {
		const struct gate_limit_type *type = &gate_limit_types[i];

		table[n++] = (struct option){ .name = type->name,
					      .type = type->argument ? OPT_LIST : OPT_FLAG,
					      .target = type->argument ? (void *)&o->given[i]
								       : (void *)&o->flag[i],
					      .argument = type->argument,
					      .help = type->help };
	}
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		table[n++] = settings[i];
	for (size_t i = 0; all && i < sizeof(own) / sizeof(*own); i++)
		table[n++] = own[i];
	table[n] = (struct option){ .name = NULL };
}

static void set_defaults(struct gate_options *o)
{
	o->minimum = ANALYSIS_MINIMUM_ITERATIONS;
	o->on_undecided = "undecided";
	o->tolerance_text = "5%";
}

/* Keeps the text of options_parse()'s error, with the place in front. */
static int complain(const struct gate_options *o, const struct policy_setting *s)
{
	return error_usage("%s:%" PRId64 ": %s", o->policy.file, s->line, error_text());
}

/* A wrong limit is told with the line that has it. */
static int check_limit(struct gate_options *o, const struct policy_setting *s)
{
	struct gate_limit limit;

	for (size_t i = 0; i < GATE_LIMIT_TYPES; i++)
		if (!strcmp(gate_limit_types[i].name, s->name))
			return gate_limit_parse(&limit, &o->rest.arena, &gate_limit_types[i],
						s->value);
	return 0;
}

static int apply_setting(struct gate_options *o, const struct option *table,
			 const struct policy_setting *s)
{
	const struct option *known = table;
	const char *argv[2] = { "gate", NULL };
	char *text;
	int rc;

	while (known->name && strcmp(known->name, s->name))
		known++;
	if (!known->name)
		return error_usage("%s:%" PRId64 ": '%s' is no option of a policy file; see memlog "
				   "help gate",
				   o->policy.file, s->line, s->name);
	text = xasprintf("--%s%s%s", s->name, s->value ? "=" : "", s->value ? s->value : "");
	argv[1] = text;
	rc = options_parse(table, NULL, "gate", 2, argv, &o->rest);
	free(text);
	if (!rc)
		rc = check_limit(o, s);
	return rc < 0 ? complain(o, s) : 0;
}

/* Lists of the command line replace those of the file; single values do so by coming last. */
static void forget_lists(struct gate_options *o, struct gate_options *line)
{
	struct option mine[GATE_SETTINGS], theirs[GATE_SETTINGS];

	fill_table(o, mine, true);
	fill_table(line, theirs, true);
	for (size_t i = 0; mine[i].name; i++)
		if (mine[i].type == OPT_LIST && ((const struct option_list *)theirs[i].target)->len)
			*(struct option_list *)mine[i].target = (struct option_list){ NULL, 0 };
}

/* Reads the policy file that the command line asks for, or the one that lies here. */
static int read_config(struct gate_options *o, const struct gate_options *line)
{
	const char *path = line->config;

	if (line->no_config)
		return 0;
	if (!path && !file_exists(default_config))
		return 0;
	return policy_load(&o->policy, path ? path : default_config);
}

static int add_limit(struct gate_options *o, const struct gate_limit_type *type, const char *text)
{
	return gate_limit_parse(&o->limit[o->limits++], &o->rest.arena, type, text);
}

static int read_limits(struct gate_options *o)
{
	size_t room = GATE_LIMIT_TYPES;
	int rc = 0;

	for (size_t i = 0; i < GATE_LIMIT_TYPES; i++)
		room += o->given[i].len;
	o->limit = arena_alloc(&o->rest.arena, room * sizeof(*o->limit));
	for (size_t i = 0; i < GATE_LIMIT_TYPES && !rc; i++) {
		for (size_t k = 0; k < o->given[i].len && !rc; k++)
			rc = add_limit(o, &gate_limit_types[i], o->given[i].at[k]);
		if (o->flag[i] && !rc)
			rc = add_limit(o, &gate_limit_types[i], NULL);
	}
	return rc;
}

static int read_undecided(struct gate_options *o)
{
	static const struct {
		const char *name;
		enum gate_outcome means;
	} choices[] = {
		{ "undecided", GATE_UNDECIDED },
		{ "pass", GATE_PASS },
		{ "warn", GATE_WARN },
		{ "fail", GATE_FAIL },
	};

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		if (strcmp(choices[i].name, o->on_undecided))
			continue;
		o->undecided_means = choices[i].means;
		return 0;
	}
	return error_usage("memlog gate: --on-undecided is pass, warn or fail, not '%s'",
			   o->on_undecided);
}

static int interpret(struct gate_options *o)
{
	if (read_limits(o) < 0 || read_undecided(o) < 0)
		return -1;
	if (tolerance_parse(&o->tolerance, o->tolerance_text) < 0)
		return -1;
	if (today_read(o->today_text, &o->today) < 0)
		return -1;
	if (o->minimum < 1)
		return error_usage("memlog gate: --min-iterations is 1 or more");
	if (!o->limits && !o->baseline && !o->save_baseline)
		return error_usage("memlog gate: give a limit, such as --no-leaks or --max-growth "
				   "1MiB, or a --baseline");
	return 0;
}

int gate_options_read(struct gate_options *o, const struct command *self, int argc,
		      const char **argv)
{
	struct gate_options line = { .rest = ARGUMENTS_INIT };
	struct option table[GATE_SETTINGS];
	int rc;

	*o = (struct gate_options){ .policy = POLICY_INIT, .rest = ARGUMENTS_INIT };
	set_defaults(o);
	/* Once to learn which policy file it is, then again on top of that. */
	fill_table(&line, table, true);
	rc = common_parse(&line.common, self, table, argc, argv, &line.rest);
	if (!rc)
		rc = read_config(o, &line);
	fill_table(o, table, false);
	for (size_t i = 0; i < o->policy.settings && !rc; i++)
		rc = apply_setting(o, table, &o->policy.setting[i]);
	if (!rc) {
		forget_lists(o, &line);
		fill_table(o, table, true);
		rc = common_parse(&o->common, self, table, argc, argv, &o->rest);
	}
	if (!rc)
		rc = interpret(o);
	arguments_release(&line.rest);
	return rc;
}

void gate_options_release(struct gate_options *o)
{
	policy_release(&o->policy);
	arguments_release(&o->rest);
}
