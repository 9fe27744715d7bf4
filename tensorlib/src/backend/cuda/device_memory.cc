#include "backend/cuda/device_memory.h"

#include <xfer/annotate.h>

#include <algorithm>
#include <string>
#include <utility>

#include "backend/cuda/check.h"
#include "backend/cuda/device_scope.h"
#include "backend/cuda/events.h"

namespace tensorlib::cuda {

namespace {

// Small blocks to 512 bytes, large ones to 2 MiB (the size of a GPU's pages).
size_t rounded(size_t nbytes) {
  const size_t unit = nbytes < (size_t{1} << 20) ? 512 : size_t{2} << 20;
  return (nbytes + unit - 1) / unit * unit;
}

}  // namespace

void* DeviceMemory::take_cached(size_t size, cudaStream_t stream) {
  auto& blocks = cached_[stream];
  const auto found = blocks.lower_bound(size);
  if (found == blocks.end() || found->first > size + size / 4) return nullptr;
  void* data = found->second;
  used_.emplace(data, Block{found->first, stream, {}});
  used_bytes_ += found->first;
  blocks.erase(found);
  return data;
}

void* DeviceMemory::allocate(size_t nbytes, cudaStream_t stream) {
  void* data = take(nbytes, stream);
  // A tracer would else think that a block lives as long as its cudaMalloc.
  xfer_allocated(data, nbytes, device_);
  return data;
}

void* DeviceMemory::take(size_t nbytes, cudaStream_t stream) {
  const size_t size = rounded(nbytes);
  {
    const std::lock_guard lock(mutex_);
    if (!busy_.empty()) collect();
    if (void* data = take_cached(size, stream)) return data;
  }
  const DeviceScope scope(device_);
  void* data = nullptr;
  cudaError_t error = cudaMalloc(&data, size);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the error was seen
    trim();
    error = cudaMalloc(&data, size);
  }
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    const std::lock_guard lock(mutex_);
    throw DeviceError("out of memory on cuda:" + std::to_string(device_) + ": " +
                          std::to_string(nbytes) + " bytes asked for, " + std::to_string(free) +
                          " of " + std::to_string(total) + " are free, tensors hold " +
                          std::to_string(used_bytes_),
                      CallSite::none());
  }
  TENSORLIB_CUDA(error);
  const std::lock_guard lock(mutex_);
  used_.emplace(data, Block{size, stream, {}});
  used_bytes_ += size;
  return data;
}

void DeviceMemory::release(void* data) noexcept {
  xfer_released(data);
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(data);
  if (found == used_.end()) return;
  Block block = std::move(found->second);
  used_bytes_ -= block.size;
  used_.erase(found);
  if (block.others.empty()) {
    cached_[block.stream].emplace(block.size, data);
    return;
  }
  int current = 0;
  cudaGetDevice(&current);
  cudaSetDevice(device_);
  Busy busy{data, block, {}};
  for (const cudaStream_t other : block.others) {
    cudaEvent_t event = nullptr;
    // Without an event nobody could tell when the stream is done: then the host waits.
    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess ||
        cudaEventRecord(event, other) != cudaSuccess) {
      cudaStreamSynchronize(other);
      if (event != nullptr) cudaEventDestroy(event);
      continue;
    }
    busy.uses.push_back(event);
  }
  cudaSetDevice(current);
  busy_.push_back(std::move(busy));
}

void DeviceMemory::used_on(void* data, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(data);
  if (found == used_.end() || found->second.stream == stream) return;
  auto& others = found->second.others;
  if (std::find(others.begin(), others.end(), stream) == others.end()) others.push_back(stream);
}

void DeviceMemory::collect() {
  const auto is_done = [this](Busy& busy) {
    if (!are_past(busy.uses)) return false;
    cached_[busy.block.stream].emplace(busy.block.size, busy.data);
    return true;
  };
  busy_.erase(std::remove_if(busy_.begin(), busy_.end(), is_done), busy_.end());
}

void DeviceMemory::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& [stream, blocks] : cached_) {
    for (const auto& [size, data] : blocks) cudaFree(data);
    blocks.clear();
  }
}

}  // namespace tensorlib::cuda
