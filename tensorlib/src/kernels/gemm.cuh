// The matrix product of integers, which cuBLAS does not have; one thread for each result.
// CPU reference: loop_gemm of backend/cpu/gemm.cc.
#pragma once

#include "kernels/functors.h"
#include "kernels/launch.cuh"

namespace tensorlib::kernels {

template <class T>
__global__ void integer_gemm(T* c, const T* a, const T* b, GemmShape s) {
  TENSORLIB_GRID_LOOP(at, s.batch * s.m * s.n) {
    const int64_t j = at % s.n, i = at / s.n % s.m, batch = at / (s.n * s.m);
    const T* const left = a + batch * s.stride_a;
    const T* const right = b + batch * s.stride_b;
    uint64_t sum = 0;  // wraps
    for (int64_t k = 0; k < s.k; ++k) {
      sum += static_cast<uint64_t>(left[s.transpose_a ? k * s.lda + i : i * s.lda + k]) *
             static_cast<uint64_t>(right[s.transpose_b ? j * s.ldb + k : k * s.ldb + j]);
    }
    T& out = c[batch * s.stride_c + i * s.ldc + j];
    sum *= static_cast<uint64_t>(static_cast<int64_t>(s.alpha));
    if (s.beta != 0) {
      sum += static_cast<uint64_t>(static_cast<int64_t>(s.beta)) * static_cast<uint64_t>(out);
    }
    out = static_cast<T>(sum);
  }
}

}  // namespace tensorlib::kernels
