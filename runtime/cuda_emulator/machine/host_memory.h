#pragma once
// The host memory that the device knows of: pinned, registered, managed. Everything else is
// pageable. Not thread-safe. Cost: O(log n).

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "machine/pinned_memory.h"

namespace xfer::emulator {

enum class HostKind {
  kPinned,      ///< cudaMallocHost, cudaHostAlloc
  kRegistered,  ///< cudaHostRegister: pinned, but not ours to free
  kManaged,     ///< cudaMallocManaged: both sides use it
};

struct HostBlock {
  std::uintptr_t address;
  std::size_t bytes;
  HostKind kind;
  unsigned flags;
  int device;             ///< current when it was made
  bool is_plain = false;  ///< of registered memory: all of it can be read and written, not executed
};

class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// New pinned or managed memory; null when there is none.
  void* allocate(std::size_t bytes, HostKind kind, unsigned flags, int device);
  /// False when the address does not begin a live block of one of these kinds.
  bool release(void* address, bool managed);

  /// False when the range overlaps one that is known already.
  bool add_registered(void* address, std::size_t bytes, unsigned flags, int device);
  bool remove_registered(void* address);

  std::optional<HostBlock> find(std::uintptr_t address) const;
  /// The pinned memory that allocate() gave.
  PinnedMemory& pinned() { return pinned_; }
  const PinnedMemory& pinned() const { return pinned_; }

 private:
  std::map<std::uintptr_t, HostBlock> blocks_;
  PinnedMemory pinned_;
};

}  // namespace xfer::emulator
