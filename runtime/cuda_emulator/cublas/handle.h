#pragma once
// What a handle of cuBLAS holds.

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  void* result = nullptr;  ///< of sums whose result goes to the host: on the device, at first use
};
