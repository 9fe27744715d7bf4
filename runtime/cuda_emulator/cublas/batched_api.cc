// cuBLAS's products of matrices whose places are in arrays.

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "cublas/element.h"
#include "cublas/handle.h"

using namespace xfer::emulator;

namespace {

cublasStatus_t by_pointers(cublasHandle_t handle, std::optional<Element> element, Gemm gemm,
                           std::optional<double> alpha, std::optional<double> beta) {
  if (!element || !alpha || !beta) return CUBLAS_STATUS_NOT_SUPPORTED;
  gemm.alpha = *alpha;
  gemm.beta = *beta;
  return launch_gemm_by_pointers(*element, gemm, handle->stream);
}

/// Of one type, that of the scalars, too.
template <typename T>
cublasStatus_t of_type(cudaDataType type, cublasComputeType_t compute, cublasHandle_t handle,
                       cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                       const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,
                       const T* beta, T* const c[], int ldc, int batch) {
  return cublasGemmBatchedEx(
      handle, transa, transb, m, n, k, alpha, reinterpret_cast<const void* const*>(a), type, lda,
      reinterpret_cast<const void* const*>(b), type, ldb, beta, reinterpret_cast<void* const*>(c),
      type, ldc, batch, compute, CUBLAS_GEMM_DEFAULT);
}

}  // namespace

extern "C" {

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const Aarray[], cudaDataType Atype, int lda,
                                   const void* const Barray[], cudaDataType Btype, int ldb,
                                   const void* beta, void* const Carray[], cudaDataType Ctype,
                                   int ldc, int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t) {
  if (const auto status = check_scalars(handle, alpha, beta); status != CUBLAS_STATUS_SUCCESS)
    return status;
  const auto element = Atype == Btype && Atype == Ctype ? element_of(Atype) : std::nullopt;
  return by_pointers(handle, element,
                     {transa, transb, m, n, k, 0, 0, Aarray, lda, 0, Barray, ldb, 0,
                      const_cast<void**>(Carray), ldc, 0, batchCount},
                     scalar(alpha, computeType), scalar(beta, computeType));
}

cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k, const float* alpha,
                                  const float* const Aarray[], int lda, const float* const Barray[],
                                  int ldb, const float* beta, float* const Carray[], int ldc,
                                  int batchCount) {
  return of_type(CUDA_R_32F, CUBLAS_COMPUTE_32F, handle, transa, transb, m, n, k, alpha, Aarray,
                 lda, Barray, ldb, beta, Carray, ldc, batchCount);
}

cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const double* alpha, const double* const Aarray[], int lda,
                                  const double* const Barray[], int ldb, const double* beta,
                                  double* const Carray[], int ldc, int batchCount) {
  return of_type(CUDA_R_64F, CUBLAS_COMPUTE_64F, handle, transa, transb, m, n, k, alpha, Aarray,
                 lda, Barray, ldb, beta, Carray, ldc, batchCount);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half* alpha, const __half* const Aarray[], int lda,
                                  const __half* const Barray[], int ldb, const __half* beta,
                                  __half* const Carray[], int ldc, int batchCount) {
  return of_type(CUDA_R_16F, CUBLAS_COMPUTE_16F, handle, transa, transb, m, n, k, alpha, Aarray,
                 lda, Barray, ldb, beta, Carray, ldc, batchCount);
}
}
