#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "base/error.h"
#include "cmd/command.h"

/* Options that may stand before the command, too: "memlog --db FILE leaks". */
static int take_global(int *argc, const char ***argv)
{
	while (*argc > 1 && !strncmp((*argv)[1], "--db", 4)) {
		const char *value =
			(*argv)[1][4] == '=' ? (*argv)[1] + 5 : (*argc > 2 ? (*argv)[2] : NULL);
		int used = (*argv)[1][4] == '=' ? 1 : 2;

		if ((*argv)[1][4] && (*argv)[1][4] != '=')
			break;
		if (!value)
			return error_usage("--db needs a file");
		setenv("MEMLOG_DB", value, 1);
		*argc -= used;
		*argv += used;
	}
	return 0;
}

static int run(int argc, const char **argv)
{
	static const struct {
		const char *option, *command;
	} aliases[] = { { "--help", "help" }, { "-h", "help" }, { "--version", "version" } };
	const struct command *command;
	const char *name;

	if (take_global(&argc, &argv) < 0)
		return -1;
	if (argc < 2)
		return error_usage("a command is missing; see memlog help");
	name = argv[1];
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (!strcmp(name, aliases[i].option))
			name = aliases[i].command;
	command = command_find(name);
	if (!command)
		return error_usage("'%s' is not a memlog command; see memlog help", name);
	return command->run(command, argc - 1, argv + 1);
}

/* A report cut short by a full disk must not look like one that is whole. */
static int check_output(void)
{
	if (fflush(stdout) || ferror(stdout))
		return error_set("standard output cannot be written: %s", strerror(errno));
	return 0;
}

/* An error names paths and runs, and those may hold anything: no byte may steer the terminal. */
static void print_error(const char *text)
{
	size_t left = strlen(text);
	mbstate_t state = { 0 };

	/* Errors of the command line name the command: "memlog runs: …". */
	fputs(strncmp(text, "memlog ", 7) ? "memlog: " : "", stderr);
	while (left) {
		wchar_t c;
		size_t n = mbrtowc(&c, text, left, &state);

		if (n > left) {
			n = 1;
			state = (mbstate_t){ 0 };
			c = L'\0';
		}
		if (iswprint((wint_t)c) || c == L'\n' || c == L'\t')
			fwrite(text, 1, n, stderr);
		else
			for (size_t i = 0; i < n; i++)
				fprintf(stderr, "\\x%02x", (unsigned char)text[i]);
		text += n;
		left -= n;
	}
	putc('\n', stderr);
}

/* Libraries that find no memory end the program by themselves, with 1, which for a gate is a verdict. */
static void check_exit(int status, void *done)
{
	(void)status;
	if (!*(bool *)done)
		_exit(EXIT_TROUBLE);
}

int main(int argc, const char **argv)
{
	static const int exits[] = {
		[ERROR_TROUBLE] = EXIT_TROUBLE,
		[ERROR_USAGE] = EXIT_USAGE,
		[ERROR_INPUT] = EXIT_INPUT,
		[ERROR_INTERRUPTED] = EXIT_INTERRUPTED,
	};
	bool done = false;
	int rc;

	on_exit(check_exit, &done);
	setlocale(LC_CTYPE, "C.UTF-8");
	/* A closed pipe and a limit on file sizes are errors of the write, told like any other. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	rc = run(argc, argv);
	if (rc >= 0 && check_output() < 0)
		rc = -1;
	if (rc < 0) {
		print_error(error_text());
		rc = exits[error_kind()];
	}
	done = true;
	/* Not return: check_exit() looks at what is here. */
	exit(rc);
}
