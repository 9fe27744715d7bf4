// DeviceMemory: one device's memory in blocks that are kept for reuse, because cudaMalloc and
// cudaFree wait for the device.
//
// A block is reused on the stream that it was used on, so that no wait is needed: what the old
// owner still has pending comes first. Sizes are rounded up, and a block up to a quarter larger
// than asked for is taken. One that other streams used as well is reused when they are done with
// it. Safe to use from several threads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tensorlib::cuda {

class DeviceMemory {
 public:
  explicit DeviceMemory(int device) : device_(device) {}

  // Throws DeviceError when neither the cache nor the device has room.
  void* allocate(size_t nbytes, cudaStream_t stream);
  void release(void* data) noexcept;
  // Another stream than the block's own uses it.
  void used_on(void* data, cudaStream_t stream);
  // Gives all blocks that no tensor uses back to CUDA.
  void trim() noexcept;

 private:
  struct Block {
    size_t size;
    cudaStream_t stream;
    std::vector<cudaStream_t> others;  // that use it too
  };
  // A released block, and what the other streams have to pass before it can be reused.
  struct Busy {
    void* data;
    Block block;
    std::vector<cudaEvent_t> uses;
  };
  void* take(size_t nbytes, cudaStream_t stream);
  // Busy blocks whose uses are done go to the cache.
  void collect();
  void* take_cached(size_t size, cudaStream_t stream);

  const int device_;
  std::mutex mutex_;
  std::unordered_map<void*, Block> used_;
  std::vector<Busy> busy_;
  std::map<cudaStream_t, std::multimap<size_t, void*>> cached_;
  size_t used_bytes_ = 0;
};

}  // namespace tensorlib::cuda
