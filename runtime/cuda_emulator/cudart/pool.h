#pragma once
// Pools of stream-ordered memory. They account for what programs take from them; the memory itself
// goes back to the device at once.

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>

#include "cudart/graph/graph_memory.h"
#include "cudart/graph/handled.h"

namespace xfer::emulator {

/// Its address is what a cudaMemPool_t points to. With the machine's lock held.
struct MemoryPool : Handled<MemoryPool>, std::enable_shared_from_this<MemoryPool> {
  int device = 0;
  std::uint64_t most = 0;  ///< bytes; 0: as much as there is
  std::uint64_t release_threshold = 0;
  int reuse[3] = {1, 1, 1};  ///< the attributes from cudaMemPoolReuseFollowEventDependencies on
  HighWater used;
  HighWater reserved;
  std::map<int, cudaMemAccessFlags> access;  ///< by device, where it is not the pool's own

  bool has_room(std::uint64_t bytes) const {
    return most == 0 || (bytes <= most && used.now <= most - bytes);
  }
  void add(std::uintptr_t address, std::uint64_t bytes);
  /// Gives back what is not in use, but for so much.
  void trim(std::uint64_t keep);
};

/// The memory was freed.
void take_from_pool(std::uintptr_t address);

std::shared_ptr<MemoryPool> default_pool(int device);
std::shared_ptr<MemoryPool> current_pool(int device);
/// Null: the default one.
void set_current_pool(int device, std::shared_ptr<MemoryPool> pool);
/// Forgets the device's pools: the memory that was taken from them is gone.
void forget_pools(int device);

std::shared_ptr<MemoryPool> create_pool(int device, std::uint64_t most);
/// False: it is not one that create_pool made.
bool destroy_pool(MemoryPool* pool);

}  // namespace xfer::emulator
