#pragma once
// The arguments of a launch, copied when it is queued.
//
// Of a host version every device pointer in them is turned into an address that the kernel may
// touch; translated code does so itself, whenever it uses one. A pointer is any 8-byte-aligned word
// that lies in a device's memory, so structs of pointers work too. A pointer to memory of a device
// that the launching one may not access, or to pageable host memory, is made one that leads
// nowhere: to touch either faults, as it would there.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grid/launch.h"
#include "kernels/kernels.h"
#include "machine/machine.h"

namespace xfer::emulator {

class KernelArguments {
 public:
  /// Of a host version: `sizes` as it registered them.
  KernelArguments(Machine& machine, int device, const std::vector<std::size_t>& sizes,
                  void* const* args);
  /// Of translated code, in one piece.
  KernelArguments(Machine& machine, int device, const kernels::Code& code, void* const* args);

  void** pointers() { return pointers_.data(); }
  const std::byte* bytes() const { return begin_; }
  /// The pinned and managed memory that the arguments point into: whole blocks.
  const std::vector<HostRange>& host_ranges() const { return host_ranges_; }
  /// The arguments that are pointers to host memory that no device can reach, for a message.
  const std::string& unreachable() const { return unreachable_; }

 private:
  static constexpr std::size_t kAlign = 64;  // the strictest that there is, vector types included
  static constexpr std::uintptr_t kUnreachable = std::uintptr_t{1} << 55;  // in no address space

  void make_room(std::size_t bytes);
  void block_unreachable(Machine& machine, std::size_t index, std::byte* argument);
  /// Looks at every word that may be a pointer.
  void examine(Machine& machine, int device, std::byte* argument, std::size_t bytes,
               bool translate);

  std::vector<std::max_align_t> storage_;
  std::byte* begin_ = nullptr;
  std::vector<void*> pointers_;
  std::vector<HostRange> host_ranges_;
  std::string unreachable_;
};

/// One line about a kernel that touched what it must not, with what may explain it; the device is
/// lost from here on.
void report_kernel_fault(Machine& machine, const Kernel& kernel, const grid::Failure& failure,
                         const std::string& explanation);

}  // namespace xfer::emulator
