#include "program_signals.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "xfer/handler_stack.h"

namespace xfer::tracer {
namespace {

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);

constexpr int kSignals = 32;

struct Taken {
  std::atomic<int> process{0};  ///< whose; a vfork child shares this memory, not the handlers
  SignalHandler handler = nullptr;
  struct sigaction program{};
};
Taken g_taken[kSignals];
std::atomic_flag g_lock = ATOMIC_FLAG_INIT;
const sigset_t g_all_signals = all_signals();

/// A spin lock is safe in a handler as long as no handler can interrupt who holds it.
class Locked {
 public:
  Locked() {
    pthread_sigmask(SIG_SETMASK, &g_all_signals, &before_);
    while (g_lock.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Locked() {
    g_lock.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  sigset_t before_;
};

// The next library's, so that other tools which stand there (a sanitizer, libjsig) see the call.
Sigaction next_sigaction() {
  static std::atomic<Sigaction> found{nullptr};
  Sigaction next = found.load(std::memory_order_relaxed);
  if (next == nullptr) {
    next = reinterpret_cast<Sigaction>(dlsym(RTLD_NEXT, "sigaction"));
    found.store(next, std::memory_order_relaxed);
  }
  return next;
}

int real_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  const Sigaction next = next_sigaction();
  if (next != nullptr) return next(signal, action, before);
  errno = ENOSYS;
  return -1;
}

// A program's handler that wants the alternate stack gets it, and one that does not, does not. With
// the lock: a handler may call this on a stack of its own that has little room left.
int install(int signal, struct sigaction* before) {
  const Taken& taken = g_taken[signal];
  const bool has_handler =
      (taken.program.sa_flags & SA_SIGINFO) != 0 ||
      (taken.program.sa_handler != SIG_DFL && taken.program.sa_handler != SIG_IGN);
  static struct sigaction ours;
  ours.sa_sigaction = taken.handler;
  ours.sa_flags = SA_SIGINFO | (has_handler ? taken.program.sa_flags & SA_ONSTACK : SA_ONSTACK);
  ours.sa_mask = g_all_signals;
  return real_sigaction(signal, &ours, before);
}

}  // namespace

bool has_taken(int signal) noexcept {
  return signal > 0 && signal < kSignals &&
         g_taken[signal].process.load(std::memory_order_acquire) == getpid();
}

void take_signal(int signal, SignalHandler handler) noexcept {
  if (signal <= 0 || signal >= kSignals || has_taken(signal)) return;
  Taken& taken = g_taken[signal];
  const Locked locked;
  taken.handler = handler;
  if (real_sigaction(signal, nullptr, &taken.program) == 0 && install(signal, &taken.program) == 0)
    taken.process.store(getpid(), std::memory_order_release);
}

int program_sigaction(int signal, const struct sigaction* action,
                      struct sigaction* before) noexcept {
  if (!has_taken(signal)) return real_sigaction(signal, action, before);
  struct sigaction wanted{};
  struct sigaction old{};
  if (action != nullptr) wanted = *action;
  {
    const Locked locked;
    old = g_taken[signal].program;
    if (action != nullptr) {
      g_taken[signal].program = wanted;
      install(signal, nullptr);
    }
  }
  if (before != nullptr) *before = old;
  return 0;
}

bool program_has_its_way(int signal, const siginfo_t& info, const void* context,
                         NextHandler* next) noexcept {
  struct sigaction program{};
  {
    const Locked locked;
    program = g_taken[signal].program;
    if ((program.sa_flags & SA_RESETHAND) != 0) g_taken[signal].program.sa_handler = SIG_DFL;
  }
  if ((program.sa_flags & SA_SIGINFO) == 0) {
    if (program.sa_handler == SIG_DFL) return false;
    // A fault cannot be ignored; a signal that somebody sent can.
    if (program.sa_handler == SIG_IGN) return info.si_code <= 0;
  }
  *next = next_handler(program, signal, context);
  return true;
}

void restore_default(int signal) noexcept {
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  if (signal > 0 && signal < kSignals) g_taken[signal].process.store(0, std::memory_order_release);
  real_sigaction(signal, &plain, nullptr);
}

}  // namespace xfer::tracer
