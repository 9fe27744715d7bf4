// Code that all kernels share: CUDA's words (for nvcc and, by the emulator's header, for a host
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

// All threads of a block (a power of two of them, at least 32) give a value and get the combination
// of all, each the same: two barriers and no more, however many they are. A barrier costs an
// emulated device a stack switch a thread, and a GPU the latency of the block's slowest warp.
template <class T, class F>
__device__ inline T block_reduce(T value, F combine) {
  constexpr unsigned kGroups = 16;
  __shared__ __align__(16) char raw[(kThreads + kGroups) * 16];
  T* const values = reinterpret_cast<T*>(raw);
  T* const groups = values + kThreads;
  // An earlier reduction's values were read before its second barrier; its groups are written
  // again behind this one's first, where every thread has read them.
  values[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x < kGroups) {
    for (unsigned i = threadIdx.x + kGroups; i < blockDim.x; i += kGroups) {
      value = combine(value, values[i]);
    }
    groups[threadIdx.x] = value;
  }
  __syncthreads();
  T result = groups[0];
  for (unsigned i = 1; i < kGroups; ++i) result = combine(result, groups[i]);
  return result;
}

}  // namespace tensorlib::kernels
