#include "machine/fault.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "machine/grid_runner.h"
#include "machine/machine.h"
#include "xfer/call_handler.h"

namespace xfer::emulator {
namespace {

struct sigaction previous_segv;
struct sigaction previous_bus;

enum class Access { kUnknown, kRead, kWrite };

Access access_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  const auto* const machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
  return (machine->gregs[REG_ERR] & 2) != 0 ? Access::kWrite : Access::kRead;
#else
  return Access::kUnknown;
#endif
}

const char* name_of(Access access) {
  switch (access) {
    case Access::kRead: return "read";
    case Access::kWrite: return "write";
    case Access::kUnknown: break;
  }
  return "access";
}

// snprintf with integers and strings only, which takes no locks and allocates nothing in practice.
void describe(char* text, std::size_t size, Machine& machine, std::uintptr_t address,
              const char* who, Access access) {
  // The blocks may be changing under another thread; then the address alone is told.
  const std::unique_lock lock(machine.mutex(), std::try_to_lock);
  const bool settled = lock.owns_lock() || in_grid();
  const DeviceMemory& memory = machine.memory();
  const int device = memory.device_of(address);
  const int head = std::snprintf(text, size, "%s %s of device memory: 0x%" PRIxPTR, who,
                                 name_of(access), address);
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

void chain(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = signal == SIGSEGV ? previous_segv : previous_bus;
  if ((previous.sa_flags & SA_SIGINFO) == 0 &&
      (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)) {
    // Back to the default; the instruction faults again and the program dies by the signal.
    sigaction(signal, &previous, nullptr);
  } else {
    call_handler(previous, signal, info, context);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  Machine* const machine = Machine::existing();
  if (machine != nullptr && machine->host_watch().touched(address)) {
    errno = saved_errno;
    return;
  }
  const bool device_memory = machine != nullptr && machine->memory().device_of(address) >= 0;
  char what[256] = "";
  if (device_memory) {
    describe(what, sizeof(what), *machine, address, "kernel", access_of(context));
  } else {
    std::snprintf(what, sizeof(what), "kernel touched an address that the device cannot reach");
  }
  abandon_grid(what);  // does not return in a thread that runs one

  if (device_memory) {
    char line[512];
    describe(what, sizeof(what), *machine, address, "host", access_of(context));
    const int length = std::snprintf(line, sizeof(line), "xfercheck: %s; %s\n", what,
                                     access_of(context) == Access::kWrite
                                         ? "fill it on the host and copy it there (cudaMemcpy)"
                                         : "copy it to the host first (cudaMemcpy)");
    if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) {
      // Nobody to tell.
    }
  }
  errno = saved_errno;
  chain(signal, info, context);
}

}  // namespace

void install_fault_handler() {
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
}

}  // namespace xfer::emulator
