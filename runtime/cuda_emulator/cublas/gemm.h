#pragma once
// Matrix products on an emulated device: OpenBLAS on the memory that kernels see, launched as
// kernels so that streams order them and tracers see which buffers they read and write.

#include <cublas_v2.h>

namespace xfer::emulator {

enum class Element { kFloat, kDouble, kHalf, kBfloat16 };
enum class Activation { kNone, kRelu, kGelu };

/// D = activation(alpha * op(A) * op(B) + beta * C + bias) for each of `batch` products,
/// column-major. `bias` has one value for each row of D.
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
  void* d;
  int ldd;
  long long stride_d;
  int batch;
  const void* c = nullptr;  ///< null: what D holds
  int ldc = 0;
  long long stride_c = 0;
  const void* bias = nullptr;  ///< null: none
  Activation activation = Activation::kNone;
};

cublasStatus_t launch_gemm(Element element, const Gemm& gemm, cudaStream_t stream);
/// A, B and D are arrays of `batch` pointers on the device, to the matrices of each product.
cublasStatus_t launch_gemm_by_pointers(Element element, const Gemm& gemm, cudaStream_t stream);

/// A product that is not computed here: a launch that is skipped, and says what it would read and
/// write.
struct OtherProduct {
  const void* reads[4];  ///< some may be null
  void* writes[2];
};
cublasStatus_t launch_other_product(const OtherProduct& product, cudaStream_t stream);

}  // namespace xfer::emulator
