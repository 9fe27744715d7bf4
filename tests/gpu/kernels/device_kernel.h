#pragma once
// A kernel of a text of PTX on the first CUDA device, compiled by its driver.

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace xfer::gpu {

class DeviceKernel {
 public:
  /// Throws std::runtime_error with what the driver's compiler says.
  DeviceKernel(const std::string& ptx, const char* name);
  ~DeviceKernel();
  DeviceKernel(const DeviceKernel&) = delete;
  DeviceKernel& operator=(const DeviceKernel&) = delete;

  /// One block of so many threads, to its end; all parameters are addresses. Throws
  /// std::runtime_error.
  void run(unsigned threads, std::vector<const void*> addresses) const;

 private:
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

/// Throws std::runtime_error, unless it is cudaSuccess.
void check(cudaError_t error, const std::string& doing);

}  // namespace xfer::gpu
