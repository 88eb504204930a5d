#include "render/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vec.h"
#include "render/text.h"

static const struct {
	const char *name, *text;
} scripts[] = {
#include "plots.inc"
};

const char *gnuplot_script(const char *name)
{
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		if (!strcmp(scripts[i].name, name))
			return scripts[i].text;
	}
	return "";
}

void gnuplot_quote(struct strbuf *script, struct span text)
{
	struct strbuf safe = STRBUF_INIT;

	text_strip(&safe, text);
	strbuf_addc(script, '\'');
	for (size_t i = 0; i < safe.len; i++) {
		/* Doubling quotes is not enough: gnuplot 5.4 misreads four of them in a row. */
		if (strchr("'`", safe.buf[i]))
			strbuf_adds(script, "’");
		else
			strbuf_addc(script, safe.buf[i]);
	}
	strbuf_addc(script, '\'');
	strbuf_release(&safe);
}

/* A file in memory.  Unlike a pipe it cannot break or fill while the other side waits. */
static int memory_file(struct span content)
{
	int fd = memfd_create("memlog-plot", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	while (content.len) {
		ssize_t n = write(fd, content.ptr, content.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			close(fd);
			return -1;
		}
		content = span_skip(content, (size_t)n);
	}
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static int read_back(int fd, struct strbuf *out)
{
	char chunk[65536];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		strbuf_add(out, chunk, (size_t)n);
	return n < 0 ? -1 : 0;
}

/* The caller's environment with what makes gnuplot and cairo give the same bytes everywhere. */
static char **environment(void)
{
	static const char *const fixed[] = { "LC_ALL=C.UTF-8", "TZ=UTC", "SOURCE_DATE_EPOCH=0" };
	enum { FIXED = sizeof(fixed) / sizeof(*fixed) };
	VEC(char *) env = VEC_INIT;

	for (int i = 0; i < FIXED; i++)
		*vec_push(&env) = (char *)fixed[i];
	for (char **e = environ; *e; e++) {
		bool kept = strncmp(*e, "GNUPLOT_", 8) && strncmp(*e, "GNUTERM=", 8);

		for (int i = 0; i < FIXED; i++)
			kept &= !!strncmp(*e, fixed[i],
					  (size_t)(strchr(fixed[i], '=') + 1 - fixed[i]));
		if (kept)
			*vec_push(&env) = *e;
	}
	*vec_push(&env) = NULL;
	return env.at;
}

static int spawn(const int fds[3], pid_t *pid)
{
	const char *const argv[] = { "gnuplot", "-d", "-", NULL }; /* -d: no start-up files */
	char **env = environment();
	posix_spawn_file_actions_t actions;
	int rc;

	posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&actions, fds[i], i);
	rc = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, env);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	if (rc == ENOENT)
		return error_set("gnuplot is not installed; it draws picture files (Debian "
				 "package gnuplot-nox). Without --out the plot is drawn in the "
				 "terminal and needs no gnuplot");
	return rc ? error_set("cannot start gnuplot: %s", strerror(rc)) : 0;
}

/* The message behind gnuplot's echo of the command, its caret and its line number. */
static struct span complaint(struct span text)
{
	struct span first = SPAN_NONE;

	while (text.len) {
		struct span line = span_trim(span_split(text, '\n', &text));

		if (span_starts(line, "line ")) {
			span_split(line, ':', &line);
			return span_trim(line);
		}
		if (line.len && !first.len)
			first = line;
	}
	return first;
}

/* What version.gp says; older versions know not even how to fail. */
static bool too_old(struct span text)
{
	static const char key[] = "too old: ";
	const char *at = memmem(text.ptr, text.len, key, sizeof(key) - 1);
	struct strbuf version = STRBUF_INIT;

	if (!at)
		return false;
	at += sizeof(key) - 1;
	text_for_terminal(&version, span_split((struct span){ at, (size_t)(text.ptr + text.len - at) },
					       '\n', &text));
	error_set("gnuplot %.20s is too old; 5.2 or newer draws picture files (Debian package "
		  "gnuplot-nox). Without --out the plot is drawn in the terminal and needs no "
		  "gnuplot",
		  version.buf);
	strbuf_release(&version);
	return true;
}

static int wait_for(pid_t pid, int error_fd)
{
	struct strbuf text = STRBUF_INIT, safe = STRBUF_INIT;
	int status, rc = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return error_set("gnuplot was lost: %s", strerror(errno));
	}
	read_back(error_fd, &text);
	if (too_old(strbuf_span(&text))) {
		rc = -1;
	} else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		text_for_terminal(&safe, complaint(strbuf_span(&text)));
		rc = error_set("gnuplot failed: %.300s", safe.len ? safe.buf : "no message");
	}
	strbuf_release(&text);
	strbuf_release(&safe);
	return rc;
}

int gnuplot_run(const struct strbuf *script, struct strbuf *picture)
{
	int fds[3] = { memory_file(strbuf_span(script)), memory_file(SPAN_NONE),
		       memory_file(SPAN_NONE) };
	pid_t pid;
	int rc = -1;

	if (fds[0] < 0 || fds[1] < 0 || fds[2] < 0) {
		error_set("cannot hand the plot to gnuplot: %s", strerror(errno));
		goto done;
	}
	if (spawn(fds, &pid) || wait_for(pid, fds[2]))
		goto done;
	rc = read_back(fds[1], picture);
	if (rc || !picture->len)
		rc = error_set("gnuplot drew nothing");
done:
	for (int i = 0; i < 3; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	return rc;
}
