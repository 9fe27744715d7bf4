#include "backend/cuda/pinned_memory.h"

#include <xfer/annotate.h>

#include "backend/cuda/check.h"
#include "backend/cuda/device_scope.h"
#include "backend/cuda/events.h"

namespace tensorlib::cuda {

void* PinnedMemory::allocate(size_t nbytes) {
  void* data = take(nbytes);
  xfer_allocated(data, nbytes, -1);  // so that a tracer knows it for a pool
  return data;
}

void* PinnedMemory::take(size_t nbytes) {
  constexpr size_t kPage = 4096;
  const size_t size = (nbytes + kPage - 1) / kPage * kPage;
  const std::lock_guard lock(mutex_);
  for (auto it = cached_.lower_bound(size); it != cached_.end() && it->first <= size + size / 4;
       ++it) {
    if (!are_past(it->second.second.copies)) continue;
    char* const data = it->second.first;
    used_.emplace(data, Block{it->first, {}});
    cached_.erase(it);
    return data;
  }
  void* data = nullptr;
  TENSORLIB_CUDA(cudaHostAlloc(&data, size, cudaHostAllocPortable));
  used_.emplace(static_cast<char*>(data), Block{size, {}});
  return data;
}

void PinnedMemory::release(void* data, size_t) noexcept {
  xfer_released(data);
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(static_cast<char*>(data));
  if (found == used_.end()) return;
  cached_.emplace(found->second.size, *found);
  used_.erase(found);
}

std::map<char*, PinnedMemory::Block>::iterator PinnedMemory::block_of(const void* data) {
  const auto after = used_.upper_bound(static_cast<char*>(const_cast<void*>(data)));
  if (after == used_.begin()) return used_.end();
  const auto block = std::prev(after);
  return static_cast<const char*>(data) < block->first + block->second.size ? block : used_.end();
}

void PinnedMemory::used_by_copy(const void* data, int device, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto block = block_of(data);
  if (block == used_.end()) return;
  are_past(block->second.copies);  // drops what is finished
  const DeviceScope scope(device);
  cudaEvent_t event = nullptr;
  TENSORLIB_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  TENSORLIB_CUDA(cudaEventRecord(event, stream));
  block->second.copies.push_back(event);
}

}  // namespace tensorlib::cuda
