// Reductions of [outer, n, inner] over n: rows (a small inner) with a block for each result,
// columns with one or a few threads for each. Where n is long, each result is first several partial
// ones, which a second launch combines. CPU reference: backend/cpu/reduce.cc.
#pragma once

#include "kernels/functors.h"
#include "kernels/launch.cuh"

namespace tensorlib::kernels {

// Block b reduces piece b % pieces of row b / pieces.
template <ReduceOp op, class In, class Out>
__global__ void reduce_rows(Out* out, const In* in, int64_t n, int64_t inner, int64_t pieces,
                            double scale) {
  using A = Accumulate<In>;
  const int64_t row = blockIdx.x / pieces, piece = blockIdx.x % pieces;
  const int64_t begin = n * piece / pieces, end = n * (piece + 1) / pieces;
  const In* const from = in + (row / inner * n) * inner + row % inner;
  A value = op == ReduceOp::sum || begin == end ? A(0) : static_cast<A>(from[begin * inner]);
  for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    value = combine<op, A>(value, static_cast<A>(from[i * inner]));
  }
  value = block_reduce(value, [](A a, A b) { return combine<op, A>(a, b); });
  if (threadIdx.x != 0) return;
  if constexpr (std::is_floating_point_v<A>) value = static_cast<A>(value * scale);
  out[blockIdx.x] = static_cast<Out>(value);
}

// Columns side by side: a warp reads neighbours, and walks down. Block (outer, piece, columns) in
// this order has blockDim.x columns and blockDim.y threads for each; with one thread there is no
// barrier. The partial results are [outer, pieces, inner].
template <ReduceOp op, class In, class Out>
__global__ void reduce_columns(Out* out, const In* in, int64_t n, int64_t inner, int64_t pieces,
                               double scale) {
  using A = Accumulate<In>;
  const int64_t across = (inner + blockDim.x - 1) / blockDim.x;
  const int64_t row = blockIdx.x / across, piece = row % pieces;  // row of the partial results
  const int64_t column = blockIdx.x % across * blockDim.x + threadIdx.x;
  const int64_t begin = n * piece / pieces, end = n * (piece + 1) / pieces;
  A value(0);
  if (column < inner) {
    const In* const from = in + (row / pieces * n) * inner + column;
    if (op != ReduceOp::sum && begin < end) value = static_cast<A>(from[begin * inner]);
#if defined(__CUDACC__)
#pragma unroll 8
#endif
    for (int64_t i = begin + threadIdx.y; i < end; i += blockDim.y) {
      value = combine<op, A>(value, static_cast<A>(from[i * inner]));
    }
  }
  if (blockDim.y > 1) {
    __shared__ A values[kThreads];
    const unsigned self = threadIdx.y * blockDim.x + threadIdx.x;
    values[self] = value;
    __syncthreads();
    if (threadIdx.y > 0) return;
    for (unsigned y = 1; y < blockDim.y; ++y) {
      value = combine<op, A>(value, values[self + y * blockDim.x]);
    }
  }
  if (column >= inner) return;
  if constexpr (std::is_floating_point_v<A>) value = static_cast<A>(value * scale);
  out[row * inner + column] = static_cast<Out>(value);
}

template <class A>
struct Chosen {
  A value;
  int64_t index;  // -1: none yet
};

// The first NaN, else the first of the largest (smallest).
template <class A>
__device__ inline Chosen<A> better(Chosen<A> a, Chosen<A> b, bool largest) {
  if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
  const bool first = a.index < b.index;
  if (a_nan || b_nan) return a_nan && (!b_nan || first) ? a : b;
  if (a.value == b.value) return first ? a : b;
  return (a.value > b.value) == largest ? a : b;
}

template <class T>
__global__ void arg_reduce_rows(T* values, int64_t* indices, const T* in, int64_t n, int64_t inner,
                                bool largest) {
  using A = Compute<T>;
  const int64_t row = blockIdx.x;
  const T* const from = in + row / inner * n * inner + row % inner;
  Chosen<A> best{A(0), -1};
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    best = better(best, Chosen<A>{static_cast<A>(from[i * inner]), i}, largest);
  }
  best = block_reduce(best, [largest](Chosen<A> a, Chosen<A> b) { return better(a, b, largest); });
  if (threadIdx.x != 0) return;
  indices[row] = best.index;
  if (values != nullptr) values[row] = from[best.index * inner];
}

template <class T>
__global__ void softmax_rows(T* out, const T* in, int64_t n, int64_t inner, bool log) {
  using C = Compute<T>;
  const int64_t start = blockIdx.x / inner * n * inner + blockIdx.x % inner;
  const T* const from = in + start;
  T* const to = out + start;
  C largest = static_cast<C>(from[0]);
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    largest = combine<ReduceOp::amax, C>(largest, static_cast<C>(from[i * inner]));
  }
  largest = block_reduce(largest, [](C a, C b) { return combine<ReduceOp::amax, C>(a, b); });
  C sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    sum += std::exp(static_cast<C>(from[i * inner]) - largest);
  }
  sum = block_reduce(sum, [](C a, C b) { return a + b; });
  const C shift = largest + std::log(sum);
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const C x = static_cast<C>(from[i * inner]);
    to[i * inner] = static_cast<T>(log ? x - shift : std::exp(x - largest) / sum);
  }
}

}  // namespace tensorlib::kernels
