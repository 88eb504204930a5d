#include "render/rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "render/formats.h"

static int csv_head(FILE *out, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc(',', out);
		csv_field(names[i], out);
	}
	putc('\n', out);
	return 0;
}

/* A null is nothing, so that it differs from an empty text, which is quoted. */
static int csv_row(FILE *out, const char *const *names, const struct row_value *values, size_t n)
{
	(void)names;
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc(',', out);
		if (values[i].kind == ROW_TEXT)
			csv_field(values[i].text, out);
		else if (values[i].kind == ROW_INT)
			fprintf(out, "%" PRId64, values[i].number);
		else if (values[i].kind == ROW_REAL)
			fprintf(out, "%.17g", values[i].real);
	}
	putc('\n', out);
	return 0;
}

static int json_value(FILE *out, const struct row_value *v)
{
	if (v->kind == ROW_TEXT)
		return json_string_to(v->text, out);
	if (v->kind == ROW_INT)
		fprintf(out, "%" PRId64, v->number);
	else if (v->kind == ROW_REAL && isfinite(v->real))
		fprintf(out, "%.17g", v->real);
	else
		fputs("null", out);
	return 0;
}

static int json_row(FILE *out, const char *const *names, const struct row_value *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ", " : "{", out);
		if (json_string_to(names[i], out) < 0)
			return -1;
		fputs(": ", out);
		if (json_value(out, &values[i]) < 0)
			return -1;
	}
	fputs("}\n", out);
	return 0;
}

static const struct row_format formats[] = {
	{ "csv", csv_head, csv_row },
	{ "json", NULL, json_row },
};

const struct row_format *row_format_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}
