#pragma once
// Matrix products on an emulated device: OpenBLAS on the memory that kernels see, launched as
// kernels so that streams order them and tracers see which buffers they read and write.

#include <cublas_v2.h>

namespace xfer::emulator {

enum class Element { kFloat, kDouble, kHalf, kBfloat16 };

/// C = alpha * op(A) * op(B) + beta * C for each of `batch` products, column-major.
struct Gemm {
  cublasOperation_t transa;
  cublasOperation_t transb;
  int m;
  int n;
  int k;
  double alpha;
  double beta;
  const void* a;
  int lda;
  long long stride_a;
  const void* b;
  int ldb;
  long long stride_b;
  void* c;
  int ldc;
  long long stride_c;
  int batch;
};

cublasStatus_t launch_gemm(Element element, const Gemm& gemm, cudaStream_t stream);

}  // namespace xfer::emulator
