#pragma once
// The BLAS that computes products and sums, in a library of its own: the emulated cuBLAS is loaded
// into programs of any kind, and must not put another BLAS before theirs.

#include <cblas.h>

#include <cstddef>
#include <type_traits>

namespace xfer::emulator {

template <typename T>
struct VectorBlas {
  void (*axpy)(blasint, T, const T*, blasint, T*, blasint);
  void (*copy)(blasint, const T*, blasint, T*, blasint);
  void (*scal)(blasint, T, T*, blasint);
  void (*swap)(blasint, T*, blasint, T*, blasint);
  T (*dot)(blasint, const T*, blasint, const T*, blasint);
  T (*nrm2)(blasint, const T*, blasint);
  T (*asum)(blasint, const T*, blasint);
  std::size_t (*iamax)(blasint, const T*, blasint);
  std::size_t (*iamin)(blasint, const T*, blasint);
};

struct Blas {
  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
  VectorBlas<float> of_float;
  VectorBlas<double> of_double;
};

/// Loaded at the first use; null where it is not there, which is said once.
const Blas* blas();

/// D = alpha * op(A) * op(B) + beta * D, column-major; of float or double.
template <typename T>
void multiply(const Blas& blas, bool transpose_a, bool transpose_b, int m, int n, int k, T alpha,
              const T* a, int lda, const T* b, int ldb, T beta, T* d, int ldd) {
  const auto gemm = [&] {
    if constexpr (std::is_same_v<T, float>)
      return blas.sgemm;
    else
      return blas.dgemm;
  }();
  gemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans,
       transpose_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, d, ldd);
}

}  // namespace xfer::emulator
