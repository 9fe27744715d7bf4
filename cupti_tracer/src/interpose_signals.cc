// Stands in front of the C library's ways to set a signal handler, where the library is preloaded.
// Calls that do not concern a signal of the tracer's go straight on.

#include <dlfcn.h>

#include <csignal>

#include "program_signals.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

using SetHandler = sighandler_t (*)(int, sighandler_t) noexcept;

sighandler_t set_handler(int number, sighandler_t handler, int flags, const char* name) {
  if (!xfer::tracer::has_taken(number)) {
    const auto next = reinterpret_cast<SetHandler>(dlsym(RTLD_NEXT, name));
    return next != nullptr ? next(number, handler) : SIG_ERR;
  }
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  if (xfer::tracer::program_sigaction(number, &action, &before) != 0) return SIG_ERR;
  return before.sa_handler;
}

}  // namespace

extern "C" {

XFER_EXPORT int sigaction(int number, const struct sigaction* action,
                          struct sigaction* before) noexcept {
  return xfer::tracer::program_sigaction(number, action, before);
}

XFER_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART, "signal");
}

XFER_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER, "__sysv_signal");
}

XFER_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return sysv_signal(number, handler);
}
}
