// cuBLAS's LU factors of many matrices, and what is solved and inverted by them.

#include <cublas_v2.h>

#include <algorithm>

#include "cublas/handle.h"
#include "cublas/lu.h"

using namespace xfer::emulator;

namespace {

constexpr int kMostInverted = 32;  // rows that cublas<t>matinvBatched takes

template <typename T>
cublasStatus_t start(cublasHandle_t handle, const LuBatch<T>& lu) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int least = std::max(1, lu.n);
  if (lu.n < 0 || lu.batch < 0 || lu.lda < least || (lu.c != nullptr && lu.ldc < least) ||
      lu.columns < 0 || (lu.call == LuCall::kInvertWhole && lu.n > kMostInverted))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (lu.n == 0 || lu.batch == 0) return CUBLAS_STATUS_SUCCESS;
  return launch_lu(lu, handle->stream);
}

/// Its info is on the host: which of its own arguments is wrong.
template <typename T>
cublasStatus_t start_solving(cublasHandle_t handle, cublasOperation_t transposed, LuBatch<T> lu,
                             int* info) {
  lu.transposed = transposed != CUBLAS_OP_N;
  if (info != nullptr) *info = 0;
  return start(handle, lu);
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type, and LETTER part of a name.
#define XFER_LU(LETTER, T)                                                                         \
  cublasStatus_t cublas##LETTER##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, \
                                              int* P, int* info, int batchSize) {                  \
    return start<T>(handle, {.call = LuCall::kFactor,                                              \
                             .n = n,                                                               \
                             .a = A,                                                               \
                             .lda = lda,                                                           \
                             .pivots = P,                                                          \
                             .info = info,                                                         \
                             .batch = batchSize});                                                 \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##getriBatched(cublasHandle_t handle, int n, const T* const A[],    \
                                              int lda, const int* P, T* const C[], int ldc,        \
                                              int* info, int batchSize) {                          \
    return start<T>(handle, {.call = LuCall::kInvert,                                              \
                             .n = n,                                                               \
                             .a = A,                                                               \
                             .lda = lda,                                                           \
                             .pivots = P,                                                          \
                             .c = C,                                                               \
                             .ldc = ldc,                                                           \
                             .info = info,                                                         \
                             .batch = batchSize});                                                 \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##getrsBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const Aarray[],    \
      int lda, const int* devIpiv, T* const Barray[], int ldb, int* info, int batchSize) {         \
    return start_solving<T>(handle, trans,                                                         \
                            {.call = LuCall::kSolve,                                               \
                             .n = n,                                                               \
                             .a = Aarray,                                                          \
                             .lda = lda,                                                           \
                             .pivots = devIpiv,                                                    \
                             .c = Barray,                                                          \
                             .ldc = ldb,                                                           \
                             .columns = nrhs,                                                      \
                             .batch = batchSize},                                                  \
                            info);                                                                 \
  }                                                                                                \
  cublasStatus_t cublas##LETTER##matinvBatched(cublasHandle_t handle, int n, const T* const A[],   \
                                               int lda, T* const Ainv[], int lda_inv, int* info,   \
                                               int batchSize) {                                    \
    return start<T>(handle, {.call = LuCall::kInvertWhole,                                         \
                             .n = n,                                                               \
                             .a = A,                                                               \
                             .lda = lda,                                                           \
                             .pivots = nullptr,                                                    \
                             .c = Ainv,                                                            \
                             .ldc = lda_inv,                                                       \
                             .info = info,                                                         \
                             .batch = batchSize});                                                 \
  }
// NOLINTEND(bugprone-macro-parentheses)
XFER_LU(S, float)
XFER_LU(D, double)
#undef XFER_LU
}
