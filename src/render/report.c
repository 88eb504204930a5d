#include "render/report.h"

#include <string.h>

#include "render/gate_reports.h"

const struct gate_reporter gate_reporters[] = {
	{ "text", "table", "for people, at most 12 lines", report_text },
	{ "github", NULL, "annotations of GitHub Actions on file and line", report_github },
	{ "markdown", "markdown", "a job summary", report_markdown },
	{ "junit", NULL, "JUnit XML, for GitLab, Jenkins and others", report_junit },
	{ "sarif", NULL, "SARIF 2.1.0, for code scanning", report_sarif },
	{ "json", "json", "memlog.gate/1", report_json },
	{ "csv", "csv", "the rules, one a row", report_csv },
	{ NULL, NULL, NULL, NULL },
};

const struct gate_reporter *gate_reporter_find(const char *name)
{
	for (const struct gate_reporter *r = gate_reporters; r->name; r++)
		if (!strcmp(r->name, name))
			return r;
	return NULL;
}

const struct gate_reporter *gate_reporter_for(const char *format)
{
	for (const struct gate_reporter *r = gate_reporters; r->name; r++)
		if (r->format && !strcmp(r->format, format))
			return r;
	return NULL;
}

char *gate_reporter_names(void)
{
	struct strbuf names = STRBUF_INIT;

	for (const struct gate_reporter *r = gate_reporters; r->name; r++)
		strbuf_addf(&names, "%s%s", names.len ? ", " : "", r->name);
	return strbuf_detach(&names);
}
