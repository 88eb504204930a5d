#include "base/interrupt.h"

#include <stddef.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

/* As nohup does with SIGHUP: then it must not stop the work; a held one would. */
static bool ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) && action.sa_handler == SIG_IGN;
}

void interrupt_hold(sigset_t *usual)
{
	sigset_t held;

	sigemptyset(&held);
	for (int i = 0; i < SIGNALS; i++)
		if (!ignored(signals[i]))
			sigaddset(&held, signals[i]);
	sigprocmask(SIG_BLOCK, &held, usual);
}

bool interrupt_pending(void)
{
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	for (int i = 0; i < SIGNALS; i++)
		if (sigismember(&pending, signals[i]) == 1)
			return true;
	return false;
}

void interrupt_release(const sigset_t *usual)
{
	sigprocmask(SIG_SETMASK, usual, NULL);
}
