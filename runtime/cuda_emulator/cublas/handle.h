#pragma once
// The state of a cuBLAS handle.

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  void* result = nullptr;  ///< of sums whose result goes to the host: on the device, at first use
};

namespace xfer::emulator {

/// Scalars can be read now only if they are on the host.
inline cublasStatus_t check_scalars(cublasHandle_t handle, const void* alpha, const void* beta) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return handle->pointers == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS
                                                      : CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace xfer::emulator
