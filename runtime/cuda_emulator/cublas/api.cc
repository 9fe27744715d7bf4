// cuBLAS's handles and matrix products. Of products the scalars are on the host.

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include "cublas/element.h"
#include "cublas/handle.h"

using namespace xfer::emulator;

namespace {

cublasStatus_t gemm(cublasHandle_t handle, Element element, const Gemm& request) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return launch_gemm(element, request, handle->stream);
}

template <typename T>
cublasStatus_t gemv(cublasHandle_t handle, Element element, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  if (const auto status = check_scalars(handle, alpha, beta); status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  if (incx < 1 || incy < 1) return CUBLAS_STATUS_NOT_SUPPORTED;
  // y' = op(A) * x as a product whose result is one row, so that strides become leading dimensions.
  const bool plain = trans == CUBLAS_OP_N;
  const int rows = plain ? m : n;
  const int depth = plain ? n : m;
  return gemm(handle, element,
              {CUBLAS_OP_N, plain ? CUBLAS_OP_T : CUBLAS_OP_N, 1, rows, depth, *alpha, *beta, x,
               incx, 0, a, lda, 0, y, incy, 0, 1});
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaFree(handle->result);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = streamId;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* streamId) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (streamId == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *streamId = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->math;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointers = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->pointers;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const float* alpha,
                              const float* A, int lda, const float* B, int ldb, const float* beta,
                              float* C, int ldc) {
  return cublasSgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0,
                                   beta, C, ldc, 0, 1);
}

cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const double* alpha,
                              const double* A, int lda, const double* B, int ldb,
                              const double* beta, double* C, int ldc) {
  return cublasDgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0,
                                   beta, C, ldc, 0, 1);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc) {
  if (const auto status = check_scalars(handle, alpha, beta); status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  return gemm(handle, Element::kHalf,
              {transa, transb, m, n, k, double{__half2float(*alpha)}, double{__half2float(*beta)},
               A, lda, 0, B, ldb, 0, C, ldc, 0, 1});
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float* alpha, const float* A, int lda,
                                         long long strideA, const float* B, int ldb,
                                         long long strideB, const float* beta, float* C, int ldc,
                                         long long strideC, int batchCount) {
  if (const auto status = check_scalars(handle, alpha, beta); status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  return gemm(handle, Element::kFloat,
              {transa, transb, m, n, k, *alpha, *beta, A, lda, strideA, B, ldb, strideB, C, ldc,
               strideC, batchCount});
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const double* alpha, const double* A, int lda,
                                         long long strideA, const double* B, int ldb,
                                         long long strideB, const double* beta, double* C, int ldc,
                                         long long strideC, int batchCount) {
  if (const auto status = check_scalars(handle, alpha, beta); status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  return gemm(handle, Element::kDouble,
              {transa, transb, m, n, k, *alpha, *beta, A, lda, strideA, B, ldb, strideB, C, ldc,
               strideC, batchCount});
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B,
    cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype,
    int ldc, long long strideC, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  if (const auto status = check_scalars(handle, alpha, beta); status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  const auto element = element_of(Atype);
  const auto scale_a = scalar(alpha, computeType);
  const auto scale_c = scalar(beta, computeType);
  if (!element || Atype != Btype || Atype != Ctype || !scale_a || !scale_c) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return gemm(handle, *element,
              {transa, transb, m, n, k, *scale_a, *scale_c, A, lda, strideA, B, ldb, strideB, C,
               ldc, strideC, batchCount});
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, 0, B,
                                    Btype, ldb, 0, beta, C, Ctype, ldc, 0, 1, computeType, algo);
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                              const float* alpha, const float* A, int lda, const float* x, int incx,
                              const float* beta, float* y, int incy) {
  return gemv(handle, Element::kFloat, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                              const double* alpha, const double* A, int lda, const double* x,
                              int incx, const double* beta, double* y, int incy) {
  return gemv(handle, Element::kDouble, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

const char* cublasGetStatusName(cublasStatus_t status) { return status_name(status); }
const char* cublasGetStatusString(cublasStatus_t status) { return status_text(status); }

int xfer_emulated_cublas_not_supported(const char* name) { return say_not_supported(name); }
}
