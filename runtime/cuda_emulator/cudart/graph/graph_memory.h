#pragma once
// Memory of a graph's allocation nodes. A node's address is the same in every launch, so the memory
// is there from the node's making on; between a launch and a free it is the program's.

#include <cstdint>
#include <memory>

#include "machine/machine.h"

namespace xfer::emulator {

class GraphMemory {
 public:
  /// Null: there is not so much memory.
  static std::shared_ptr<GraphMemory> reserve(Machine& machine, int device, std::uint64_t bytes);
  /// The graph's memory that begins at the address; null: none does.
  static GraphMemory* at(std::uintptr_t address);
  /// The device's memory is gone.
  static void forget(int device);

  GraphMemory(Machine& machine, int device, std::uintptr_t address, std::uint64_t bytes);
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  /// No graph has it any more. If it is in use, it becomes memory like any other.
  ~GraphMemory();

  std::uintptr_t address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }
  int device() const { return device_; }
  bool used() const { return used_; }
  void use(bool used);

 private:
  Machine& machine_;
  const int device_;
  std::uintptr_t address_;  ///< 0: gone
  const std::uint64_t bytes_;
  bool used_ = false;
};

/// Bytes, now and at most.
struct HighWater {
  std::uint64_t now = 0;
  std::uint64_t high = 0;

  void add(std::uint64_t bytes) {
    now += bytes;
    if (now > high) high = now;
  }
};

struct GraphMemoryUse {
  HighWater used;
  HighWater reserved;
};
GraphMemoryUse& graph_memory_use(int device);

}  // namespace xfer::emulator
