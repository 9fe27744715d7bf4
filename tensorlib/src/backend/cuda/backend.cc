// A device's memory and waiting; the kernels are in the .cu files, one family each.
#include "backend/cuda/cublas.h"
#include "backend/cuda/cuda_backend.h"

namespace tensorlib::cuda {

CudaBackend::CudaBackend(int device)
    : device_(device), memory_(device), cublas_(std::make_unique<Cublas>()) {}
CudaBackend::~CudaBackend() = default;

void* CudaBackend::allocate(size_t nbytes) { return memory_.allocate(nbytes, stream()); }
void CudaBackend::release(void* data, size_t) noexcept { memory_.release(data); }

void CudaBackend::synchronize() {
  const DeviceScope scope(device_);
  TENSORLIB_CUDA(cudaDeviceSynchronize());
}

}  // namespace tensorlib::cuda
