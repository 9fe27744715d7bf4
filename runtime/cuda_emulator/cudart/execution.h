#pragma once
// The code that runs when a kernel is launched: its translated PTX, its host version, or none.

#include <memory>
#include <string>

#include "kernels/kernels.h"
#include "machine/kernel_registry.h"
#include "machine/machine.h"

namespace xfer::emulator {

/// One of the two, or why there is none.
struct Execution {
  std::shared_ptr<const HostVersion> host;
  const kernels::Code* code = nullptr;
  std::string why;

  bool skipped() const { return host == nullptr && code == nullptr; }
};

/// As the option emulate_execute says. Translates the kernel if need be. With the machine's lock
/// held.
Execution execution_of(Machine& machine, const Kernel& kernel);

/// Whether the option lets PTX be read at all.
bool reads_ptx(const Options& options);

}  // namespace xfer::emulator
