#include "machine/fault.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>

#include "machine/grid_in_progress.h"
#include "machine/machine.h"
#include "machine/stop_request.h"
#include "machine/time_limit.h"
#include "machine/watch/instruction.h"
#include "xfer/handler_stack.h"
#include "xfer/hold_write_signals.h"

extern "C" __attribute__((visibility("hidden"), used)) void xfer_emulator_fault_work(
    int signal, siginfo_t* info, void* context, xfer::NextHandler* next);
XFER_HANDLER_STACK(xfer_emulator_fault_stack)
XFER_HANDLER(xfer_emulator_on_fault, xfer_emulator_fault_stack, xfer_emulator_fault_work)

namespace xfer::emulator {
namespace {

struct sigaction previous_segv;
struct sigaction previous_bus;

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

const char* name_of(std::optional<bool> wrote) {
  if (!wrote) return "access";
  return *wrote ? "write" : "read";
}

// snprintf with integers and strings only, which takes no locks and allocates nothing in practice.
void describe(char* text, std::size_t size, Machine& machine, std::uintptr_t address,
              const char* who, std::optional<bool> wrote) {
  // The blocks may be changing under another thread; then the address alone is told.
  const std::unique_lock lock(machine.mutex(), std::try_to_lock);
  const GridInProgress* const grid = grid_in_progress();
  const bool settled = grid != nullptr ? !grid->memory_may_change() : lock.owns_lock();
  const DeviceMemory& memory = machine.memory();
  const int device = memory.device_of(address);
  const int head = std::snprintf(text, size, "%s %s of device memory: 0x%" PRIxPTR, who,
                                 name_of(wrote), address);
  if (head < 0 || static_cast<std::size_t>(head) >= size) return;
  text += head;
  size -= static_cast<std::size_t>(head);
  if (!settled) {
    std::snprintf(text, size, " lies in the memory of emulated cuda:%d", device);
  } else if (const auto block = memory.find(address)) {
    std::snprintf(text, size,
                  " lies %" PRIu64 " bytes into a %" PRIu64 "-byte allocation on emulated cuda:%d",
                  static_cast<std::uint64_t>(address - block->address), block->bytes, device);
  } else if (const auto before = memory.find_before(address)) {
    std::snprintf(text, size,
                  " lies in no allocation on emulated cuda:%d, %" PRIu64
                  " bytes past the end of a %" PRIu64 "-byte one",
                  device, static_cast<std::uint64_t>(address - before->address - before->bytes),
                  before->bytes);
  } else {
    std::snprintf(text, size, " lies in no allocation on emulated cuda:%d", device);
  }
}

// Back to the default, where there was no other: the instruction faults again and the program dies
// by the signal.
void chain(int signal, const void* context, NextHandler* next) {
  const struct sigaction& previous = signal == SIGSEGV ? previous_segv : previous_bus;
  if (has_handler(previous))
    *next = next_handler(previous, signal, context);
  else
    sigaction(signal, &previous, nullptr);
}

// The fault was the kernel's that runs in this thread.
void give_up_grid(const char* what, const void* context, NextHandler* next) {
  grid_in_progress()->stopped_at(reinterpret_cast<const void*>(place_of(context)));
  grid_in_progress()->fail(what);
  next->call = [](int, siginfo_t*, void*) { grid_in_progress()->leave(); };
  next->mask = mask_of(static_cast<const ucontext_t*>(context)->uc_sigmask);
}

// Not cut to pieces by what other threads say.
void tell(const char* what, std::optional<bool> wrote) {
  char line[512];
  const int length =
      std::snprintf(line, sizeof(line), "xfercheck: %s; %s\n", what,
                    wrote == true ? "fill a buffer on the host and upload it (cudaMemcpy)"
                                  : "copy it to the host first (cudaMemcpy)");
  const HoldWriteSignals held;
  if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) {
    // There is nowhere to report this.
  }
}

void note_fault(int signal, const siginfo_t& info, void* context, NextHandler* next) {
  if (is_time_limit(info) || is_stop_request(info)) {
    GridInProgress* const grid = grid_in_progress();
    if (grid != nullptr && grid->in_code())
      give_up_grid(is_time_limit(info) ? kTooLong : kAskedToStop, context, next);
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  Machine* const machine = Machine::existing();
  if (machine != nullptr &&
      machine->watched_fault(address, context, nullptr) != HostWatch::Verdict::kNotWatched)
    return;
  const bool device_memory = machine != nullptr && machine->memory().device_of(address) >= 0;
  const std::optional<bool> wrote = was_write(context);
  char what[256] = "";
  if (grid_in_progress() != nullptr) {
    if (device_memory)
      describe(what, sizeof(what), *machine, address, "kernel", wrote);
    else
      std::snprintf(what, sizeof(what), "kernel touched an address that the device cannot reach");
    return give_up_grid(what, context, next);
  }
  if (device_memory) {
    describe(what, sizeof(what), *machine, address, "host", wrote);
    tell(what, wrote);
  }
  chain(signal, context, next);
}

void install(int signal, struct sigaction& previous) {
  sigaction(signal, nullptr, &previous);
  struct sigaction action{};
  action.sa_sigaction = xfer_emulator_on_fault;
  // The one before runs where it would run without this one.
  action.sa_flags =
      SA_SIGINFO | (has_handler(previous) ? previous.sa_flags & SA_ONSTACK : SA_ONSTACK);
  action.sa_mask = all_signals();
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_fault_handler() {
  make_xfer_emulator_fault_stack();
  install(SIGSEGV, previous_segv);
  install(SIGBUS, previous_bus);
}

}  // namespace xfer::emulator

extern "C" void xfer_emulator_fault_work(int signal, siginfo_t* info, void* context,
                                         xfer::NextHandler* next) {
  const int saved_errno = errno;
  xfer::emulator::note_fault(signal, *info, context, next);
  errno = saved_errno;
}
