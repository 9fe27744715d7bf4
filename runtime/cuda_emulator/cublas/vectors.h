#pragma once
// Level 1 of BLAS on an emulated device: OpenBLAS on the memory that kernels see, launched as
// kernels, as matrix products are.

#include <cublas_v2.h>

namespace xfer::emulator {

enum class VectorCall { kAxpy, kCopy, kScal, kSwap, kDot, kNrm2, kAsum, kIamax, kIamin };

/// Of n elements; x's and y's are `incx` and `incy` apart. Those that a call does not have are null
/// and 0.
template <typename T>
struct Vectors {
  VectorCall call;
  int n;
  const T* x;  ///< written by scal and swap
  int incx;
  const T* y;  ///< written by axpy, copy and swap
  int incy;
  const T* alpha = nullptr;
  void* result = nullptr;  ///< on the device; a T, an int for an index, which counts from 1
};

/// Of float and double. Alpha is on the host where `host_alpha` says so, and is read now.
template <typename T>
cublasStatus_t launch_vectors(const Vectors<T>& vectors, bool host_alpha, cudaStream_t stream);

}  // namespace xfer::emulator
