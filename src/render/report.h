#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include <stdio.h>

#include "model/gate.h"
#include "render/render.h"

/*
 * The gate's result in the forms that people and CI systems read.  A reporter knows the result and
 * nothing else; adding one is a file and a row.
 *
 * Names in a result come from logs.  Each reporter escapes them for its reader: no control byte
 * reaches a terminal, no log can bring an annotation, markup, or an element of its own.
 */
struct gate_reporter {
	const char *name;   /* that --report takes */
	const char *format; /* the same by --format, or NULL */
	const char *summary;
	/* 0, or -1 with an error; write errors of `out` are the caller's to check. */
	int (*report)(const struct gate_result *result, FILE *out,
		      const struct render_options *options);
};

/* Ends with a name of NULL; the first row is the default. */
extern const struct gate_reporter gate_reporters[];

/* By name, or by the --format that means it; NULL if there is none. */
const struct gate_reporter *gate_reporter_find(const char *name);
const struct gate_reporter *gate_reporter_for(const char *format);

/* "text, github, …"; allocated, free() it. */
char *gate_reporter_names(void);

#endif
