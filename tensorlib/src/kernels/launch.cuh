// What all kernels share: CUDA's words (for nvcc and, by the emulator's header, for a host
// compiler), indices, and reductions of a block.
#pragma once

#include "backend/kernel_args.h"
#include "xfer/emulator/host_kernel.h"

namespace tensorlib::kernels {

constexpr int kThreads = 256;

// Kernels walk [0, n) by the whole grid, so any grid is right for any n.
#define TENSORLIB_GRID_LOOP(i, n)                                                        \
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); \
       i += static_cast<int64_t>(gridDim.x) * blockDim.x)

// The offsets of element `i` of a geometry's operands.
template <int N>
__device__ inline void offsets_of(const Geometry<N>& g, int64_t i, int64_t (&offsets)[N]) {
  for (int k = 0; k < N; ++k) offsets[k] = 0;
  for (int d = g.ndim - 1; d >= 0; --d) {
    const int64_t at = i % g.sizes[d];
    i /= g.sizes[d];
    for (int k = 0; k < N; ++k) offsets[k] += at * g.strides[k][d];
  }
}

// All threads of a block (a power of two of them) give a value and get the combination of all.
template <class T, class F>
__device__ inline T block_reduce(T value, F combine) {
  __shared__ __align__(16) char raw[kThreads * 16];
  T* const values = reinterpret_cast<T*>(raw);
  __syncthreads();  // the shared values of an earlier reduction have been read
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      values[threadIdx.x] = combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
    __syncthreads();
  }
  return values[0];
}

}  // namespace tensorlib::kernels
