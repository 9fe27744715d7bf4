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

  void copy(void* to, Device to_device, const void* from, Device from_device, size_t nbytes,
            bool non_blocking) override {
    if (to_device.is_cuda() && from_device.is_cuda()) {
      copy_between_devices(to, to_device.index(), from, from_device.index(), nbytes);
      return;
    }
    const bool up = to_device.is_cuda();
    const int device = (up ? to_device : from_device).index();
    const DeviceScope scope(device);
    const cudaStream_t stream = current_stream(device);
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
    const cudaStream_t source = current_stream(from_index), target = current_stream(to_index);
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
