// The plugin's entry: the devices of this process and the copies between them and the host.
#include "backend/platform.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/cuda/check.h"
#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/pinned_memory.h"
#include "backend/cuda/streams.h"

namespace tensorlib::cuda {

namespace {

// `later` waits for what is in `earlier` now.
void order(int earlier_device, cudaStream_t earlier, int later_device, cudaStream_t later) {
  cudaEvent_t event = nullptr;
  {
    const DeviceScope scope(earlier_device);
    TENSORLIB_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    TENSORLIB_CUDA(cudaEventRecord(event, earlier));
  }
  const DeviceScope scope(later_device);
  TENSORLIB_CUDA(cudaStreamWaitEvent(later, event, 0));
  TENSORLIB_CUDA(cudaEventDestroy(event));
}

// Whether a stream or an event is done, by the answer to its query.
bool is_done(cudaError_t answer, const char* call) {
  if (answer == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(answer, call, __FILE__, __LINE__);
  return true;
}

class Platform final : public CudaPlatform {
 public:
  Platform() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
      cudaGetLastError();
      throw std::runtime_error(error == cudaSuccess
                                   ? "the CUDA runtime finds no device"
                                   : std::string("CUDA says: ") + cudaGetErrorString(error));
    }
    for (int i = 0; i < count; ++i) devices_.push_back(std::make_unique<CudaBackend>(i));
  }

  int device_count() const override { return static_cast<int>(devices_.size()); }
  int current_device() const override {
    int index = 0;
    TENSORLIB_CUDA(cudaGetDevice(&index));
    return index;
  }
  void set_current_device(int index) override { TENSORLIB_CUDA(cudaSetDevice(index)); }
  Backend& device(int index) override { return *devices_[static_cast<size_t>(index)]; }
  Allocator& pinned_host() override { return pinned_; }

  void* stream_from_pool(int device, bool high_priority) override {
    return devices_[static_cast<size_t>(device)]->stream_from_pool(high_priority);
  }
  void* current_stream(int device) const override { return cuda::current_stream(device); }
  void set_current_stream(int device, void* stream) override {
    cuda::set_current_stream(device, static_cast<cudaStream_t>(stream));
  }
  bool is_stream_done(int device, void* stream) override {
    const DeviceScope scope(device);
    return is_done(cudaStreamQuery(static_cast<cudaStream_t>(stream)), "cudaStreamQuery");
  }
  void wait_for_stream(int device, void* stream) override {
    const DeviceScope scope(device);
    TENSORLIB_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
  }
  void* record_event(void* event, int device, void* stream) override {
    const DeviceScope scope(device);
    auto recorded = static_cast<cudaEvent_t>(event);
    if (recorded == nullptr) {
      TENSORLIB_CUDA(cudaEventCreateWithFlags(&recorded, cudaEventDisableTiming));
    }
    TENSORLIB_CUDA(cudaEventRecord(recorded, static_cast<cudaStream_t>(stream)));
    return recorded;
  }
  bool is_event_done(void* event) override {
    return is_done(cudaEventQuery(static_cast<cudaEvent_t>(event)), "cudaEventQuery");
  }
  void wait_for_event(void* event) override {
    TENSORLIB_CUDA(cudaEventSynchronize(static_cast<cudaEvent_t>(event)));
  }
  void drop_event(void* event) noexcept override {
    cudaEventDestroy(static_cast<cudaEvent_t>(event));
  }
  void order_after_event(int device, void* stream, void* event) override {
    const DeviceScope scope(device);
    TENSORLIB_CUDA(
        cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), static_cast<cudaEvent_t>(event), 0));
  }
  void used_on(int device, void* block, void* stream) override {
    devices_[static_cast<size_t>(device)]->used_on(block, static_cast<cudaStream_t>(stream));
  }

  void copy(void* to, Device to_device, const void* from, Device from_device, size_t nbytes,
            bool non_blocking) override {
    if (to_device.is_cuda() && from_device.is_cuda()) {
      copy_between_devices(to, to_device.index(), from, from_device.index(), nbytes);
      return;
    }
    const bool up = to_device.is_cuda();
    const int device = (up ? to_device : from_device).index();
    const DeviceScope scope(device);
    const cudaStream_t stream = cuda::current_stream(device);
    TENSORLIB_CUDA(cudaMemcpyAsync(to, from, nbytes,
                                   up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream));
    if (non_blocking) {
      pinned_.used_by_copy(up ? from : to, device, stream);
    } else {
      TENSORLIB_CUDA(cudaStreamSynchronize(stream));
    }
  }

 private:
  // On the source's stream; the target's stream waits for it, so that the host need not.
  void copy_between_devices(void* to, int to_index, const void* from, int from_index,
                            size_t nbytes) {
    const cudaStream_t source = cuda::current_stream(from_index);
    const cudaStream_t target = cuda::current_stream(to_index);
    if (to_index != from_index) order(to_index, target, from_index, source);
    {
      const DeviceScope scope(from_index);
      TENSORLIB_CUDA(cudaMemcpyPeerAsync(to, to_index, from, from_index, nbytes, source));
    }
    if (to_index != from_index) order(from_index, source, to_index, target);
  }

  std::vector<std::unique_ptr<CudaBackend>> devices_;
  PinnedMemory pinned_;
};

}  // namespace

}  // namespace tensorlib::cuda

extern "C" __attribute__((visibility("default"))) tensorlib::CudaPlatform*
tensorlib_make_cuda_platform() {
  // Never destroyed: tensors of static storage duration outlive it otherwise, and CUDA ends with
  // the process.
  return new tensorlib::cuda::Platform;
}
