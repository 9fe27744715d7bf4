#pragma once
// The arguments of a launch, copied when it is queued, with every device pointer in them turned
// into an address that the kernel may touch. A pointer is any 8-byte-aligned word that lies in a
// device's memory, so structs of pointers work too. Memory of a device that the launching one may
// not access stays as it is, and a pointer to pageable host memory is made one that leads nowhere:
// to touch either faults, as it would there.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace xfer::emulator {

class KernelArguments {
 public:
  KernelArguments(Machine& machine, int device, const std::vector<std::size_t>& sizes,
                  void* const* args);

  void** pointers() { return pointers_.data(); }
  /// The pinned and managed memory that the arguments point into: whole blocks.
  const std::vector<HostRange>& host_ranges() const { return host_ranges_; }
  /// The arguments that are pointers to host memory that no device can reach, for a message.
  const std::string& unreachable() const { return unreachable_; }

 private:
  static constexpr std::uintptr_t kUnreachable = std::uintptr_t{1} << 55;  // in no address space

  void block_unreachable(Machine& machine, std::size_t index, std::byte* argument);
  void translate(Machine& machine, int device, std::byte* argument, std::size_t bytes);

  std::vector<std::max_align_t> storage_;
  std::vector<void*> pointers_;
  std::vector<HostRange> host_ranges_;
  std::string unreachable_;
};

/// One line about a kernel that touched what it must not; the device is lost from here on.
void report_kernel_fault(Machine& machine, const Kernel& kernel, const std::string& what);

}  // namespace xfer::emulator
