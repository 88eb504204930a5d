#include "cmd/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/timestamp.h"

int file_read(const char *path, size_t most, struct strbuf *out)
{
	FILE *file = fopen(path, "re");
	char buf[8192];
	size_t n;
	int rc = 0;

	if (!file)
		return error_input("%s cannot be read: %s", path, strerror(errno));
	while (!rc && (n = fread(buf, 1, sizeof(buf), file)) > 0) {
		if (out->len + n > most)
			rc = error_input("%s is larger than %zu bytes: it cannot be what it should",
					 path, most);
		else
			strbuf_add(out, buf, n);
	}
	if (!rc && ferror(file))
		rc = error_input("%s cannot be read: %s", path, strerror(errno));
	fclose(file);
	return rc;
}

bool file_exists(const char *path)
{
	return !access(path, F_OK);
}

bool file_is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

int policy_load(struct policy *out, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	int rc = file_read(path, POLICY_MAX_BYTES, &text);

	*out = (struct policy)POLICY_INIT;
	if (!rc)
		rc = policy_parse(out, path, strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

int today_read(const char *option, int64_t *today)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	struct decimal seconds;
	struct span rest;

	if (option) {
		if (strlen(option) == strlen("2027-01-31") &&
		    time_parse(span_of(option), "%Y-%m-%d", ZONE_UTC, today, NULL))
			return 0;
		return error_usage("--today: '%s' is no day like 2027-01-31", option);
	}
	if (!epoch || !*epoch) {
		*today = (int64_t)time(NULL) * SECOND;
		return 0;
	}
	if (!decimal_parse(span_of(epoch), &seconds, &rest) || rest.len || seconds.decimals ||
	    seconds.mantissa < 0 || seconds.mantissa > INT64_MAX / SECOND)
		return error_usage("SOURCE_DATE_EPOCH: '%s' is no number of seconds", epoch);
	*today = seconds.mantissa * SECOND;
	return 0;
}
