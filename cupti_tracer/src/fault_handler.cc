#include "fault_handler.h"

#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

#include "program_signals.h"
#include "tracer.h"
#include "tracer_handler.h"

XFER_TRACER_HANDLER(xfer_tracer_on_fault, xfer_tracer_fault_work)
XFER_TRACER_HANDLER(xfer_tracer_on_trap, xfer_tracer_trap_work)

namespace xfer::tracer {
namespace {

CudaQueries g_queries;  // set before the handler is there

Fault fault_of(const siginfo_t& info, [[maybe_unused]] const void* context) {
  Fault fault;
  fault.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
#if defined(__x86_64__)
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  fault.pc = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
  constexpr greg_t kPageFault = 14;
  constexpr greg_t kWriteBit = 2;
  if (machine.gregs[REG_TRAPNO] == kPageFault)
    fault.access = (machine.gregs[REG_ERR] & kWriteBit) != 0 ? kWrites : kReads;
#elif defined(__aarch64__)
  fault.pc = static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#endif
  return fault;
}

/// The memory was watched: the program goes on.
bool is_of_watch(Fault fault, void* context, Tracer* tracer) {
  CudaQueries::HostTouch touch{};
  switch (g_queries.watched_fault(fault.address, context, touch)) {
    case CudaQueries::WatchedFault::kNone: return false;
    case CudaQueries::WatchedFault::kMayGoOn: return true;
    case CudaQueries::WatchedFault::kTouched: break;
  }
  const std::uintptr_t pc = fault.pc;
  fault = fault_of(touch);
  fault.pc = pc;
  if (tracer != nullptr) tracer->note_fault(fault);
  return true;
}

void on_fault(int signal, const siginfo_t& info, void* context, NextHandler* next) {
  Tracer* const tracer = Tracer::current();
  const bool is_fault = info.si_code > 0;  // and no signal that somebody sent
  if (is_fault && is_of_watch(fault_of(info, context), context, tracer)) return;
  if (tracer != nullptr && is_fault) tracer->note_fault(fault_of(info, context));
  if (program_has_its_way(signal, info, context, next)) return;
  if (tracer != nullptr) {
    tracer->finish_from_signal();
    tracer->report();
  }
  restore_default(signal);
  // A fault happens again when this returns; a signal that was sent must be sent again. It is
  // blocked until then.
  if (!is_fault) raise(signal);
}

}  // namespace

void install_fault_handler(const CudaQueries& queries) noexcept {
  g_queries = queries;
  make_tracer_handler_stack();
  take_signal(SIGSEGV, xfer_tracer_on_fault);
  take_signal(SIGBUS, xfer_tracer_on_fault);
  if (queries.emulated()) take_signal(SIGTRAP, xfer_tracer_on_trap);
}

}  // namespace xfer::tracer

void xfer_tracer_trap_work(int signal, siginfo_t* info, void* context, xfer::NextHandler* next) {
  using namespace xfer::tracer;
  const int saved = errno;
  if (!g_queries.stepped(context) && !program_has_its_way(signal, *info, context, next)) {
    restore_default(signal);
    raise(signal);  // it is blocked until this returns
  }
  errno = saved;
}

void xfer_tracer_fault_work(int signal, siginfo_t* info, void* context, xfer::NextHandler* next) {
  const int saved = errno;
  xfer::tracer::on_fault(signal, *info, context, next);
  errno = saved;
}
