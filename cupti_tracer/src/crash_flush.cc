#include "crash_flush.h"

#include <csignal>

#include "tracer.h"
#include "tracer_handler.h"

XFER_TRACER_HANDLER(xfer_tracer_on_crash, xfer_tracer_crash_work)

namespace xfer::tracer {
namespace {

// Those of memory faults have a handler of their own: fault_handler.h.
constexpr int kSignals[] = {SIGILL, SIGFPE, SIGABRT, SIGSYS,  SIGTRAP, SIGTERM,
                            SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ};

void on_signal(int signal) {
  if (Tracer* tracer = Tracer::current()) {
    tracer->finish_from_signal();
    tracer->report();
  }
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  // A fault happens again when this returns; a signal that was sent must be sent again. It is
  // blocked until then.
  raise(signal);
}

void install(int signal) noexcept {
  struct sigaction existing = {};
  if (sigaction(signal, nullptr, &existing) != 0 || (existing.sa_flags & SA_SIGINFO) != 0 ||
      existing.sa_handler != SIG_DFL)
    return;
  struct sigaction ours = {};
  ours.sa_sigaction = xfer_tracer_on_crash;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ours.sa_mask = all_signals();
  sigaction(signal, &ours, nullptr);
}

}  // namespace

void install_crash_flush() noexcept {
  make_tracer_handler_stack();
  for (const int signal : kSignals) install(signal);
}

}  // namespace xfer::tracer

void xfer_tracer_crash_work(int signal, siginfo_t*, void*, xfer::NextHandler*) {
  xfer::tracer::on_signal(signal);
}
