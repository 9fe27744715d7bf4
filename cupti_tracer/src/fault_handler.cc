#include "fault_handler.h"

#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

#include "program_signals.h"
#include "tracer.h"

namespace xfer::tracer {
namespace {

CudaQueries g_queries;  // set before the handler is there

Fault fault_of(const siginfo_t& info, [[maybe_unused]] const void* context) {
  Fault fault;
  fault.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  stack_t alternate{};
  if (sigaltstack(nullptr, &alternate) == 0 && (alternate.ss_flags & SS_ONSTACK) != 0)
    fault.stack_left = reinterpret_cast<std::uintptr_t>(&alternate) -
                       reinterpret_cast<std::uintptr_t>(alternate.ss_sp);
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

void on_fault(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  Tracer* const tracer = Tracer::current();
  const bool is_fault = info->si_code > 0;  // and no signal that somebody sent
  if (tracer != nullptr && is_fault) tracer->note_fault(fault_of(*info, context));
  const bool goes_on =
      is_fault && g_queries.was_watched(reinterpret_cast<std::uintptr_t>(info->si_addr));
  errno = saved;
  if (goes_on) return;
  if (call_program(signal, info, context)) return;
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
  take_signal(SIGSEGV, on_fault);
  take_signal(SIGBUS, on_fault);
  queries.watch_host(true);
}

}  // namespace xfer::tracer
