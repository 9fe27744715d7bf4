// Stands in front of the C library's ways to set a signal handler, where the library is preloaded.
// Calls that do not concern a signal of the tracer's go straight on.

#include <dlfcn.h>

#include <csignal>
#include <cstdlib>

#include "next_function.h"
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

/// A fault of a thread that has blocked its signal ends the process, and on emulated devices memory
/// beside what a device uses faults: see host_watch.h. So these stay unblocked there.
class WithoutFaults {
 public:
  WithoutFaults(int how, const sigset_t* wanted) : set_(wanted) {
    if (wanted == nullptr || how == SIG_UNBLOCK || !is_emulated()) return;
    ours_ = *wanted;
    for (const int fault : {SIGSEGV, SIGBUS, SIGTRAP}) sigdelset(&ours_, fault);
    set_ = &ours_;
  }
  const sigset_t* get() const { return set_; }

 private:
  // Before CUDA starts, too: threads inherit the mask.
  static bool is_emulated() {
    static const bool asked = std::getenv("XFERCHECK_EMULATE") != nullptr;
    return asked;
  }
  sigset_t ours_{};
  const sigset_t* set_;
};

constinit xfer::tracer::NextFunction<int(int, const sigset_t*, sigset_t*)> g_thread_mask(
    "pthread_sigmask");
constinit xfer::tracer::NextFunction<int(int, const sigset_t*, sigset_t*)> g_process_mask(
    "sigprocmask");

// So that a signal handler, which may call them, need not.
__attribute__((constructor)) void find_masks() {
  g_thread_mask.get();
  g_process_mask.get();
  WithoutFaults(SIG_BLOCK, nullptr);
}

}  // namespace

extern "C" {

XFER_EXPORT int pthread_sigmask(int how, const sigset_t* wanted, sigset_t* before) noexcept {
  return g_thread_mask.get()(how, WithoutFaults(how, wanted).get(), before);
}

XFER_EXPORT int sigprocmask(int how, const sigset_t* wanted, sigset_t* before) noexcept {
  return g_process_mask.get()(how, WithoutFaults(how, wanted).get(), before);
}

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
