// cuBLAS's level 1, of float and double, and its copies of vectors and matrices.

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>

#include "cublas/handle.h"
#include "cublas/vectors.h"

using namespace xfer::emulator;

namespace {

bool on_host(cublasHandle_t handle) { return handle->pointers == CUBLAS_POINTER_MODE_HOST; }

template <typename T>
cublasStatus_t update(cublasHandle_t handle, const Vectors<T>& vectors, bool has_alpha) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (has_alpha && vectors.alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (vectors.n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch_vectors(vectors, on_host(handle), handle->stream);
}

/// A result on the host is waited for.
template <typename Result, typename T>
cublasStatus_t reduce(cublasHandle_t handle, Vectors<T> vectors, Result* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const bool to_host = on_host(handle);
  const bool is_index = vectors.call == VectorCall::kIamax || vectors.call == VectorCall::kIamin;
  if (vectors.n <= 0 || vectors.incx == 0 ||
      ((is_index || vectors.y == nullptr) && vectors.incx < 0)) {
    if (to_host) {
      *result = 0;
      return CUBLAS_STATUS_SUCCESS;
    }
    return cudaMemsetAsync(result, 0, sizeof(Result), handle->stream) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
  }
  if (to_host && handle->result == nullptr &&
      cudaMalloc(&handle->result, sizeof(double)) != cudaSuccess)
    return CUBLAS_STATUS_ALLOC_FAILED;
  vectors.result = to_host ? handle->result : result;
  const cublasStatus_t status = launch_vectors(vectors, true, handle->stream);
  if (status != CUBLAS_STATUS_SUCCESS || !to_host) return status;
  const bool copied = cudaMemcpyAsync(result, handle->result, sizeof(Result),
                                      cudaMemcpyDeviceToHost, handle->stream) == cudaSuccess &&
                      cudaStreamSynchronize(handle->stream) == cudaSuccess;
  return copied ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// Columns of `rows` elements; a column of a vector is one element.
struct Columns {
  int rows, columns, element_bytes;
  const void* from;
  int from_leading;
  void* to;
  int to_leading;
};

cublasStatus_t copy(const Columns& its, cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (its.rows < 0 || its.columns < 0 || its.element_bytes <= 0 ||
      its.from_leading < std::max(1, its.rows) || its.to_leading < std::max(1, its.rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (its.rows == 0 || its.columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = [&](int elements) {
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(its.element_bytes);
  };
  const std::size_t pitch_to = bytes(its.to_leading), pitch_from = bytes(its.from_leading);
  const auto columns = static_cast<std::size_t>(its.columns);
  const std::size_t width = bytes(its.rows);
  // One piece is copied as one, as cuBLAS does.
  const bool whole = pitch_to == width && pitch_from == width;
  const cudaError_t error =
      stream == nullptr
          ? (whole ? cudaMemcpy(its.to, its.from, width * columns, kind)
                   : cudaMemcpy2D(its.to, pitch_to, its.from, pitch_from, width, columns, kind))
          : (whole ? cudaMemcpyAsync(its.to, its.from, width * columns, kind, *stream)
                   : cudaMemcpy2DAsync(its.to, pitch_to, its.from, pitch_from, width, columns, kind,
                                       *stream));
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type, and LETTER part of a name.
#define XFER_LEVEL_1(LETTER, T)                                                                    \
  cublasStatus_t cublas##LETTER##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, \
                                         int incx, T* y, int incy) {                               \
    return update<T>(handle, {VectorCall::kAxpy, n, x, incx, y, incy, alpha}, true);               \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, \
                                         int incy) {                                               \
    return update<T>(handle, {VectorCall::kCopy, n, x, incx, y, incy}, false);                     \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,       \
                                         int incx) {                                               \
    return update<T>(handle, {VectorCall::kScal, n, x, incx, nullptr, 0, alpha}, true);            \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y,       \
                                         int incy) {                                               \
    return update<T>(handle, {VectorCall::kSwap, n, x, incx, y, incy}, false);                     \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##dot_v2(cublasHandle_t handle, int n, const T* x, int incx,        \
                                        const T* y, int incy, T* result) {                         \
    return reduce(handle, Vectors<T>{VectorCall::kDot, n, x, incx, y, incy}, result);              \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx,       \
                                         T* result) {                                              \
    return reduce(handle, Vectors<T>{VectorCall::kNrm2, n, x, incx, nullptr, 0}, result);          \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##asum_v2(cublasHandle_t handle, int n, const T* x, int incx,       \
                                         T* result) {                                              \
    return reduce(handle, Vectors<T>{VectorCall::kAsum, n, x, incx, nullptr, 0}, result);          \
  }
// NOLINTEND(bugprone-macro-parentheses)
XFER_LEVEL_1(S, float)
XFER_LEVEL_1(D, double)
#undef XFER_LEVEL_1

cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float* x, int incx,
                               int* result) {
  return reduce(handle, Vectors<float>{VectorCall::kIamax, n, x, incx, nullptr, 0}, result);
}
cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n, const double* x, int incx,
                               int* result) {
  return reduce(handle, Vectors<double>{VectorCall::kIamax, n, x, incx, nullptr, 0}, result);
}
cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n, const float* x, int incx,
                               int* result) {
  return reduce(handle, Vectors<float>{VectorCall::kIamin, n, x, incx, nullptr, 0}, result);
}
cublasStatus_t cublasIdamin_v2(cublasHandle_t handle, int n, const double* x, int incx,
                               int* result) {
  return reduce(handle, Vectors<double>{VectorCall::kIamin, n, x, incx, nullptr, 0}, result);
}

cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* devicePtr,
                               int incy) {
  return copy({1, n, elemSize, x, incx, devicePtr, incy}, cudaMemcpyHostToDevice, nullptr);
}
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy({1, n, elemSize, x, incx, y, incy}, cudaMemcpyDeviceToHost, nullptr);
}
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx,
                                    void* devicePtr, int incy, cudaStream_t stream) {
  return copy({1, n, elemSize, hostPtr, incx, devicePtr, incy}, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx,
                                    void* hostPtr, int incy, cudaStream_t stream) {
  return copy({1, n, elemSize, devicePtr, incx, hostPtr, incy}, cudaMemcpyDeviceToHost, &stream);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copy({rows, cols, elemSize, A, lda, B, ldb}, cudaMemcpyHostToDevice, nullptr);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copy({rows, cols, elemSize, A, lda, B, ldb}, cudaMemcpyDeviceToHost, nullptr);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copy({rows, cols, elemSize, A, lda, B, ldb}, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copy({rows, cols, elemSize, A, lda, B, ldb}, cudaMemcpyDeviceToHost, &stream);
}
}
