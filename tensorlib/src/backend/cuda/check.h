// Every CUDA call goes through here: a failed one throws with the call's text, its place and CUDA's
// reason.
#pragma once

#include <cuda_runtime_api.h>

#include "tensorlib/error.h"

namespace tensorlib::cuda {

[[noreturn]] void throw_cuda_error(cudaError_t error, const char* call, const char* file, int line);

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess) throw_cuda_error(error, call, file, line);
}

}  // namespace tensorlib::cuda

#define TENSORLIB_CUDA(call) ::tensorlib::cuda::check((call), #call, __FILE__, __LINE__)
// After a kernel launch, which returns nothing.
#define TENSORLIB_CUDA_LAUNCHED() TENSORLIB_CUDA(cudaGetLastError())
