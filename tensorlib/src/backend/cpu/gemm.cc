// Matrix products: OpenBLAS for float and double, through float for half, a plain loop for
// integers.
#include <cblas.h>

#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"

namespace tensorlib::cpu {

namespace {

CBLAS_TRANSPOSE flag(bool transpose) { return transpose ? CblasTrans : CblasNoTrans; }

void blas_gemm(const GemmShape& s, float* c, const float* a, const float* b) {
  cblas_sgemm(CblasRowMajor, flag(s.transpose_a), flag(s.transpose_b), static_cast<blasint>(s.m),
              static_cast<blasint>(s.n), static_cast<blasint>(s.k), static_cast<float>(s.alpha), a,
              static_cast<blasint>(s.lda), b, static_cast<blasint>(s.ldb),
              static_cast<float>(s.beta), c, static_cast<blasint>(s.ldc));
}

void blas_gemm(const GemmShape& s, double* c, const double* a, const double* b) {
  cblas_dgemm(CblasRowMajor, flag(s.transpose_a), flag(s.transpose_b), static_cast<blasint>(s.m),
              static_cast<blasint>(s.n), static_cast<blasint>(s.k), s.alpha, a,
              static_cast<blasint>(s.lda), b, static_cast<blasint>(s.ldb), s.beta, c,
              static_cast<blasint>(s.ldc));
}

// Sums in A: float for half, the (wrapping) type itself for integers.
template <class T>
void loop_gemm(const GemmShape& s, T* c, const T* a, const T* b) {
  using A = std::conditional_t<std::is_integral_v<T>, uint64_t, float>;
  parallel_for(s.m, std::max<int64_t>(1, kGrain / (s.n * s.k)), [&](int64_t begin, int64_t end) {
    std::vector<A> sums(static_cast<size_t>(s.n));
    for (int64_t i = begin; i < end; ++i) {
      std::fill(sums.begin(), sums.end(), A(0));
      for (int64_t k = 0; k < s.k; ++k) {
        const A left = static_cast<A>(a[s.transpose_a ? k * s.lda + i : i * s.lda + k]);
        for (int64_t j = 0; j < s.n; ++j) {
          sums[j] += left * static_cast<A>(b[s.transpose_b ? j * s.ldb + k : k * s.ldb + j]);
        }
      }
      for (int64_t j = 0; j < s.n; ++j) {
        T& out = c[i * s.ldc + j];
        if constexpr (std::is_integral_v<T>) {
          const auto scaled = static_cast<uint64_t>(static_cast<int64_t>(s.alpha)) * sums[j];
          const auto kept = s.beta == 0 ? uint64_t{0}
                                        : static_cast<uint64_t>(static_cast<int64_t>(s.beta)) *
                                              static_cast<uint64_t>(out);
          out = static_cast<T>(scaled + kept);
        } else {
          const float kept = s.beta == 0 ? 0 : static_cast<float>(s.beta) * static_cast<float>(out);
          out = static_cast<T>(static_cast<float>(s.alpha) * sums[j] + kept);
        }
      }
    }
  });
}

}  // namespace

void CpuBackend::gemm(ScalarType type, const GemmShape& shape, void* c, const void* a,
                      const void* b) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t i = 0; i < shape.batch; ++i) {
      T* out = static_cast<T*>(c) + i * shape.stride_c;
      const T* left = static_cast<const T*>(a) + i * shape.stride_a;
      const T* right = static_cast<const T*>(b) + i * shape.stride_b;
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        blas_gemm(shape, out, left, right);
      } else {
        loop_gemm(shape, out, left, right);
      }
    }
  });
}

}  // namespace tensorlib::cpu
