/* interrupts.cc - Ctrl-C ends the call of the library that runs: the call returns CANCELLED, and Octave raises its interrupt.
 *
 * Octave blocks SIGINT in all threads; one of its own waits for it and notes it. Here the interpreter takes it, which the
 * kernel prefers, and the handler goes on to Octave's, which notes it in the same way. */

#include "interrupts.h"

#include <atomic>
#include <csignal>

#include <octave/quit.h>

namespace gpuarrays {

static std::atomic<gpumex_context *> running{nullptr};
static struct sigaction before;

static void cancel_and_go_on(int number, siginfo_t *info, void *machine)
{
    if (gpumex_context *ctx = running.load())
        (void)gpumex_context_cancel(ctx);
    if ((before.sa_flags & SA_SIGINFO) != 0)
        before.sa_sigaction(number, info, machine);
    else
        before.sa_handler(number);
}

/* Where nobody handles SIGINT, as with a program that embeds Octave, it stays so. */
static bool install()
{
    if (sigaction(SIGINT, nullptr, &before) != 0)
        return false;
    if ((before.sa_flags & SA_SIGINFO) == 0 && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN))
        return false;
    struct sigaction ours = before;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = cancel_and_go_on;
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    return sigaction(SIGINT, &ours, nullptr) == 0 && pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr) == 0;
}

void cancel_on_interrupt(gpumex_context *ctx)
{
    static const bool is_installed = install();
    (void)is_installed;
    running.store(ctx, std::memory_order_relaxed);
}

void raise_interrupt()
{
    octave_quit();
}

} // namespace gpuarrays
