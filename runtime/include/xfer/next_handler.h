#pragma once
// The signal handler that comes after one of ours, to be called as the kernel would have called it:
// on the stack that the kernel chose, with the signals blocked that it asked for.

#include <ucontext.h>

#include <csignal>
#include <cstdint>

namespace xfer {

/// The kernel's set of signals: bit 0 is signal 1. A sigset_t is longer and begins with it.
using SignalMask = std::uint64_t;

inline SignalMask mask_of(const sigset_t& set) {
  SignalMask mask = 0;
  static_assert(sizeof(set) >= sizeof(mask));
  __builtin_memcpy(&mask, &set, sizeof(mask));
  return mask;
}

struct NextHandler {
  void (*call)(int signal, siginfo_t* info, void* context) = nullptr;  ///< null: there is none
  SignalMask mask = 0;  ///< the signals that are blocked while it runs
};

/// `handler` is neither SIG_DFL nor SIG_IGN. `context`: what ours was given.
inline NextHandler next_handler(const struct sigaction& handler, int signal, const void* context) {
  NextHandler next;
  // A handler that takes the number alone is called with the others too, as the kernel does it.
  next.call = handler.sa_sigaction;
  // The mask that was in force when the signal came, which a handler's is added to.
  next.mask =
      mask_of(static_cast<const ucontext_t*>(context)->uc_sigmask) | mask_of(handler.sa_mask);
  if ((handler.sa_flags & SA_NODEFER) == 0) next.mask |= SignalMask{1} << (signal - 1);
  return next;
}

}  // namespace xfer
