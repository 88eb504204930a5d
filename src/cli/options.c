#include "cli/options.h"

#include <popt.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/vec.h"

/* ---- help ---- */

enum { HELP_COLUMN = 28 };

static const struct option help_option = {
	"help", 'h', OPT_FLAG, NULL, NULL, "show this help",
};

static void print_option(FILE *out, const struct option *o)
{
	struct strbuf left = STRBUF_INIT;

	strbuf_adds(&left, "  ");
	if (o->short_name)
		strbuf_addf(&left, "-%c, ", o->short_name);
	else
		strbuf_adds(&left, "    ");
	strbuf_addf(&left, "--%s", o->name);
	if (o->argument)
		strbuf_addf(&left, " %s", o->argument);
	if (left.len + 2 > HELP_COLUMN)
		fprintf(out, "%s\n%*s%s\n", left.buf, HELP_COLUMN, "", o->help);
	else
		fprintf(out, "%-*s%s\n", HELP_COLUMN, left.buf, o->help);
	strbuf_release(&left);
}

static void print_table(FILE *out, const char *title, const struct option *table)
{
	if (!table || !table->name)
		return;
	fprintf(out, "\n%s\n", title);
	for (; table->name; table++)
		print_option(out, table);
}

void options_print(FILE *out, const struct option *table, const struct option *common,
		   const char *usage)
{
	struct span summary, line = span_split(span_of(usage), '\n', &summary);

	fprintf(out, "usage: memlog %.*s\n", SPAN_ARG(line));
	if (summary.len)
		fprintf(out, "\n%.*s\n", SPAN_ARG(summary));
	print_table(out, "Options:", table);
	print_table(out, "Common options:", common);
	if (!common || !common->name)
		putc('\n', out);
	print_option(out, &help_option);
}

/* ---- parsing ---- */

/*
 * One run over a command line.  popt returns the number of an option: its index + 1 in `known`.
 *
 * Where popt finds no memory for its list of what is no option, it leaves all of them out without a
 * word.  So the first of them is ours: when it is missing, that has happened.
 */
struct parser {
	const char *command;
	struct arguments *rest;
	VEC(const struct option *) known;
	VEC(struct poptOption) popt;
	VEC(const char *) argv;
	bool help;
};

static const char first_argument[] = "memlog";

static void add_option(struct parser *p, const struct option *o)
{
	*vec_push(&p->known) = o;
	*vec_push(&p->popt) = (struct poptOption){
		.longName = o->name,
		.shortName = o->short_name,
		.argInfo = o->type == OPT_FLAG ? POPT_ARG_NONE : POPT_ARG_STRING,
		.val = (int)p->known.len,
	};
}

static void add_table(struct parser *p, const struct option *table)
{
	for (; table && table->name; table++)
		add_option(p, table);
}

static const char *keep(struct parser *p, const char *text)
{
	return arena_text(&p->rest->arena, span_of(text));
}

static int set_flag(struct parser *p, const struct option *o, const char *text)
{
	(void)text;
	if (o == &help_option)
		p->help = true;
	else
		*(bool *)o->target = true;
	return 0;
}

static int set_text(struct parser *p, const struct option *o, const char *text)
{
	*(const char **)o->target = keep(p, text);
	return 0;
}

static int set_int(struct parser *p, const struct option *o, const char *text)
{
	struct decimal number;
	struct span rest;

	if (!decimal_parse(span_of(text), &number, &rest) || rest.len || number.decimals ||
	    number.mantissa != (int)number.mantissa)
		return error_usage("memlog %s: --%s: '%s' is not a whole number", p->command,
				   o->name, text);
	*(int *)o->target = (int)number.mantissa;
	return 0;
}

static int set_size(struct parser *p, const struct option *o, const char *text)
{
	if (!size_parse(text, o->target))
		return 0;
	return error_usage("memlog %s: --%s: %s", p->command, o->name, error_text());
}

static int set_list(struct parser *p, const struct option *o, const char *text)
{
	struct option_list *list = o->target;

	/* Room for a power of two; the arena does not grow blocks, so a full one is copied. */
	if (!(list->len & (list->len - 1))) {
		size_t room = list->len ? 2 * list->len : 1;
		const char **at = arena_alloc(&p->rest->arena, room * sizeof(*at));

		if (list->len)
			memcpy(at, list->at, list->len * sizeof(*at));
		list->at = at;
	}
	list->at[list->len++] = keep(p, text);
	return 0;
}

static int (*const setters[])(struct parser *, const struct option *, const char *) = {
	[OPT_FLAG] = set_flag, [OPT_TEXT] = set_text, [OPT_INT] = set_int,
	[OPT_SIZE] = set_size, [OPT_LIST] = set_list,
};

static void add_arguments(struct parser *p, int argc, const char **argv)
{
	*vec_push(&p->argv) = argv[0];
	*vec_push(&p->argv) = first_argument;
	for (int i = 1; i <= argc; i++)
		*vec_push(&p->argv) = i < argc ? argv[i] : NULL;
}

static int complain(const struct parser *p, const char *option, int code)
{
	static const struct {
		int code;
		const char *before, *after;
	} messages[] = {
		{ POPT_ERROR_BADOPT, "unknown option '", "'" },
		{ POPT_ERROR_NOARG, "option '", "' needs a value" },
		{ POPT_ERROR_UNWANTEDARG, "option '", "' takes no value" },
	};

	for (size_t i = 0; i < sizeof(messages) / sizeof(*messages); i++) {
		if (messages[i].code == code)
			return error_usage("memlog %s: %s%s%s; see memlog help %s", p->command,
					   messages[i].before, option, messages[i].after,
					   p->command);
	}
	return error_usage("memlog %s: %s: %s; see memlog help %s", p->command, option,
			   poptStrerror(code), p->command);
}

static int read_options(struct parser *p, poptContext context)
{
	int code, rc = 0;

	while (!rc && (code = poptGetNextOpt(context)) > 0) {
		const struct option *o = p->known.at[code - 1];
		char *text = poptGetOptArg(context);

		if (!text && o->type != OPT_FLAG)
			out_of_memory();
		rc = setters[o->type](p, o, text);
		free(text);
	}
	if (code == POPT_ERROR_MALLOC)
		out_of_memory();
	if (!rc && code < -1)
		return complain(p, poptBadOption(context, POPT_BADOPTION_NOALIAS), code);
	return rc;
}

static void read_rest(struct parser *p, poptContext context)
{
	const char **left = poptGetArgs(context);
	size_t n = 0;

	/* After first_argument. */
	while (left && left[n + 1])
		n++;
	if (!left)
		out_of_memory();
	p->rest->at = arena_alloc(&p->rest->arena, (n + 1) * sizeof(*p->rest->at));
	for (size_t i = 0; i < n; i++)
		p->rest->at[i] = keep(p, left[i + 1]);
	p->rest->len = n;
}

int options_parse(const struct option *table, const struct option *common, const char *usage,
		  int argc, const char **argv, struct arguments *rest)
{
	struct parser p = { .command = argv[0],
			    .rest = rest,
			    .known = VEC_INIT,
			    .popt = VEC_INIT,
			    .argv = VEC_INIT };
	poptContext context;
	int rc;

	add_table(&p, table);
	add_table(&p, common);
	add_option(&p, &help_option);
	*vec_push(&p.popt) = (struct poptOption)POPT_TABLEEND;
	add_arguments(&p, argc, argv);
	context = poptGetContext("memlog", argc + 1, p.argv.at, p.popt.at, 0);
	if (!context)
		out_of_memory();
	rc = read_options(&p, context);
	if (!rc && p.help) {
		options_print(stdout, table, common, usage);
		rc = 1;
	}
	if (!rc)
		read_rest(&p, context);
	poptFreeContext(context);
	vec_release(&p.known);
	vec_release(&p.popt);
	vec_release(&p.argv);
	return rc;
}

void arguments_release(struct arguments *arguments)
{
	arena_release(&arguments->arena);
	arguments->at = NULL;
	arguments->len = 0;
}
