#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/*
 * Being told to stop (SIGINT, SIGTERM, SIGHUP) in the middle of what must be whole or absent: the
 * signal is held, the work looks for it between two steps and goes back by itself.  No handler runs.
 *
 *	sigset_t usual;
 *	interrupt_hold(&usual);
 *	... if (interrupt_pending()) return error_interrupted("..."); ...
 *	interrupt_release(&usual);      a signal that is still held ends the process here
 */
void interrupt_hold(sigset_t *usual);
bool interrupt_pending(void);
void interrupt_release(const sigset_t *usual);

#endif
