#pragma once
// The BLAS that computes matrix products, in a library of its own: the emulated cuBLAS is loaded
// into programs of any kind, and must not put another BLAS before theirs.

#include <cblas.h>

namespace xfer::emulator {

struct Blas {
  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
};

/// Loaded at the first use; null where it is not there, which is said once.
const Blas* blas();

/// D = alpha * op(A) * op(B) + beta * D, column-major.
inline void multiply(const Blas* blas, bool transpose_a, bool transpose_b, int m, int n, int k,
                     float alpha, const float* a, int lda, const float* b, int ldb, float beta,
                     float* d, int ldd) {
  blas->sgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, d,
              ldd);
}
inline void multiply(const Blas* blas, bool transpose_a, bool transpose_b, int m, int n, int k,
                     double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                     double* d, int ldd) {
  blas->dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, d,
              ldd);
}

}  // namespace xfer::emulator
