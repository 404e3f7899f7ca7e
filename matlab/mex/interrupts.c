/* interrupts.c - in Octave, Ctrl-C ends the call of the library that runs: the call returns CANCELLED, and Octave raises its interrupt.
 *
 * Octave blocks SIGINT in all threads; one of its own waits for it and notes it. Here the interpreter takes it, which the kernel
 * prefers, and the handler goes on to Octave's, which notes it in the same way. In MATLAB nothing of this is done. */

#ifdef __linux__
#define _POSIX_C_SOURCE 200809L
#endif

#include "gateway.h"

#ifdef octave_mex_h

#include <signal.h>

#include <octave/quit.h>

static gpumex_context *volatile running;
static struct sigaction before;

static void cancel_and_go_on(int number, siginfo_t *info, void *machine)
{
    gpumex_context *ctx = running;
    if (ctx != NULL)
        (void)gpumex_context_cancel(ctx);
    if ((before.sa_flags & SA_SIGINFO) != 0)
        before.sa_sigaction(number, info, machine);
    else
        before.sa_handler(number);
}

/* Where nobody handles SIGINT, as with a program that embeds Octave, it stays so. */
static void install(void)
{
    if (sigaction(SIGINT, NULL, &before) != 0)
        return;
    if ((before.sa_flags & SA_SIGINFO) == 0 && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN))
        return;
    struct sigaction ours = before;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = cancel_and_go_on;
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    if (sigaction(SIGINT, &ours, NULL) == 0)
        pthread_sigmask(SIG_UNBLOCK, &interrupt, NULL);
}

void cancel_on_interrupt(gpumex_context *ctx)
{
    struct sigaction now;
    /* Octave sets its own handler again where an error was caught. */
    if (ctx != NULL && sigaction(SIGINT, NULL, &now) == 0 && now.sa_sigaction != cancel_and_go_on)
        install();
    running = ctx;
}

void renew_interrupts(void)
{
    cancel_on_interrupt(running);
}

void raise_interrupt(void)
{
    OCTAVE_QUIT;
}

#else

void raise_interrupt(void)
{
}

void cancel_on_interrupt(gpumex_context *ctx)
{
    (void)ctx;
}

void renew_interrupts(void)
{
}

#endif
