#pragma once
// Calls another signal handler from one, as the kernel would have called it: with the signals
// blocked that it asked for. It may leave by a jump.

#include <ucontext.h>

#include <csignal>

namespace xfer {

/// `handler` is neither SIG_DFL nor SIG_IGN.
inline void call_handler(const struct sigaction& handler, int signal, siginfo_t* info,
                         void* context) {
  // The mask that was in force when the signal came, which a handler's is added to.
  sigset_t mask = static_cast<const ucontext_t*>(context)->uc_sigmask;
  constexpr int kSignals = 32;  // of the kernel's own, of which alone handlers of faults care
  for (int other = 1; other < kSignals; ++other)
    if (sigismember(&handler.sa_mask, other) == 1) sigaddset(&mask, other);
  if ((handler.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, signal);
  sigset_t ours;
  pthread_sigmask(SIG_SETMASK, &mask, &ours);
  if ((handler.sa_flags & SA_SIGINFO) != 0)
    handler.sa_sigaction(signal, info, context);
  else
    handler.sa_handler(signal);
  pthread_sigmask(SIG_SETMASK, &ours, nullptr);
}

}  // namespace xfer
