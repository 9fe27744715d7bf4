#include "backend/cuda/streams.h"

#include <array>

#include "backend/cuda/check.h"
#include "backend/cuda/device_scope.h"

namespace tensorlib::cuda {

namespace {

constexpr size_t kPooled = 32;        // as many as LibTorch has
constexpr size_t kMostDevices = 128;  // a device's index is one signed byte

thread_local std::array<cudaStream_t, kMostDevices> current{};

}  // namespace

cudaStream_t current_stream(int device) { return current[static_cast<size_t>(device)]; }
void set_current_stream(int device, cudaStream_t stream) {
  current[static_cast<size_t>(device)] = stream;
}

cudaStream_t StreamPool::next(int device, bool high_priority) {
  const std::lock_guard lock(mutex_);
  Ring& ring = rings_[high_priority];
  if (ring.streams.size() < kPooled) {
    const DeviceScope scope(device);
    cudaStream_t stream = nullptr;
    TENSORLIB_CUDA(
        cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, high_priority ? -1 : 0));
    ring.streams.push_back(stream);
    return stream;
  }
  return ring.streams[ring.next++ % kPooled];
}

}  // namespace tensorlib::cuda
