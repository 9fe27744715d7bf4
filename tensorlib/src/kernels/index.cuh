// Kernels that pick elements by their places. An index out of range is noted and stops the kernel.
// CPU reference: backend/cpu/index.cc.
#pragma once

#include "kernels/functors.h"
#include "kernels/index_fault.h"
#include "kernels/launch.cuh"

namespace tensorlib::kernels {

// The place for element `at`, which lies at i. One out of range stops the kernel.
template <Places places>
__device__ int64_t place_of(const int64_t* index, int64_t at, int64_t i, int64_t n, uint64_t note,
                            uint64_t call) {
  const int64_t which = places == Places::each ? at : i;
  const int64_t place = index[which];
  if (place < 0 || place >= n) {
    auto* const fault = reinterpret_cast<volatile IndexFault*>(~note);
    fault->index = place;
    fault->size = n;
    fault->at = which;
    fault->call = call;
    __threadfence_system();
    __trap();
  }
  return place;
}

// out[o, i, r] = in[o, place, r]
template <Places places, class T>
__global__ void gather(T* out, const T* in, const int64_t* index, int64_t n, int64_t out_n,
                       int64_t inner, int64_t total, uint64_t note, uint64_t call) {
  TENSORLIB_GRID_LOOP(at, total) {
    const int64_t place = place_of<places>(index, at, at / inner % out_n, n, note, call);
    out[at] = in[(at / (out_n * inner) * n + place) * inner + at % inner];
  }
}

// out[o, place, r] += in[o, i, r]: one thread for each o and r, so that the order of the sums is
// always the same.
template <Places places, class T>
__global__ void scatter_add(T* out, const T* in, const int64_t* index, int64_t n, int64_t in_n,
                            int64_t inner, int64_t lines, uint64_t note, uint64_t call) {
  TENSORLIB_GRID_LOOP(line, lines) {
    const int64_t o = line / inner, r = line % inner;
    for (int64_t i = 0; i < in_n; ++i) {
      const int64_t at = (o * in_n + i) * inner + r;
      add_to(out[(o * n + place_of<places>(index, at, i, n, note, call)) * inner + r], in[at]);
    }
  }
}

// out[o, index[i], r] = in[o, i, r]: of equal places any thread's stays.
template <class T>
__global__ void put_rows(T* out, const T* in, const int64_t* index, int64_t n, int64_t in_n,
                         int64_t inner, int64_t total, uint64_t note, uint64_t call) {
  TENSORLIB_GRID_LOOP(at, total) {
    const int64_t place = place_of<Places::shared>(index, at, at / inner % in_n, n, note, call);
    out[(at / (in_n * inner) * n + place) * inner + at % inner] = in[at];
  }
}

// One thread for each o and r adds up its line.
template <class T>
__global__ void cumulative_sum(T* out, const T* in, int64_t n, int64_t inner, int64_t lines) {
  TENSORLIB_GRID_LOOP(line, lines) {
    const int64_t first = line / inner * n * inner + line % inner;
    Accumulate<T> sum{};
    for (int64_t i = 0; i < n; ++i) {
      const int64_t at = first + i * inner;
      sum = wrapping_add(sum, static_cast<Accumulate<T>>(in[at]));
      out[at] = static_cast<T>(sum);
    }
  }
}

// One block for each row finds its k first, one after the other: k passes over the row, meant for
// the few first of many.
template <class T>
__global__ void topk_rows(T* values, int64_t* indices, const T* in, int64_t n, int64_t inner,
                          int64_t k, bool largest) {
  using Candidate = Ranked<Compute<T>>;
  const int64_t o = blockIdx.x / inner, r = blockIdx.x % inner;
  const T* const from = in + o * n * inner + r;
  const auto first = [largest](Candidate a, Candidate b) {
    if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
    return ranks_before(a, b, largest) ? a : b;
  };
  Candidate last{0, -1};
  for (int64_t place = 0; place < k; ++place) {
    Candidate best{0, -1};
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
      const Candidate candidate{static_cast<Compute<T>>(from[i * inner]), i};
      if (place == 0 || ranks_before(last, candidate, largest)) best = first(best, candidate);
    }
    last = block_reduce(best, first);
    if (threadIdx.x != 0) continue;
    indices[(o * k + place) * inner + r] = last.index;
    values[(o * k + place) * inner + r] = from[last.index * inner];
  }
}

}  // namespace tensorlib::kernels
