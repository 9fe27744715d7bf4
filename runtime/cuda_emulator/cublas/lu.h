#pragma once
// LU factors of many small matrices on an emulated device, launched as a kernel, as products are.

#include <cublas_v2.h>

namespace xfer::emulator {

enum class LuCall : int {
  kFactor,       ///< A becomes its factors
  kSolve,        ///< C becomes the solution for it, by A's factors
  kInvert,       ///< C becomes the inverse, by A's factors
  kInvertWhole,  ///< C becomes the inverse of A, which stays
};

/// Of square matrices of n rows, column by column; where they are is in arrays on the device.
template <typename T>
struct LuBatch {
  LuCall call;
  int n;
  const T* const* a;
  int lda;
  const int* pivots;  ///< n of each, counted from 1; null: rows stay where they are
  T* const* c = nullptr;
  int ldc = 0;
  int columns = 0;      ///< of C, where it is solved for
  int* info = nullptr;  ///< of each: the first diagonal element that is 0, counted from 1, or 0
  int batch = 0;
  bool transposed = false;
};

/// Of float and double.
template <typename T>
cublasStatus_t launch_lu(const LuBatch<T>& lu, cudaStream_t stream);

}  // namespace xfer::emulator
