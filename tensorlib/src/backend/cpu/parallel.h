// Work split over the threads of OpenMP (oneDNN's threads too). Small work stays on the calling
// thread.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "backend/kernel_args.h"

namespace tensorlib::cpu {
constexpr int64_t kGrain = 32768;  // elements of light work that are worth a thread
}

// Of the level (loops.h): a file of wide vectors must not lend its copy to the others.
namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL {

// A callable by its address: what hands out work is compiled once, not once for each kernel.
template <class... Arguments>
class Callable {
 public:
  template <class F>
  explicit Callable(const F& f)
      : object_(&f), call_([](const void* object, Arguments... arguments) {
          (*static_cast<const F*>(object))(arguments...);
        }) {}
  void operator()(Arguments... arguments) const { call_(object_, arguments...); }

 private:
  const void* object_;
  void (*call_)(const void*, Arguments...);
};

inline void hand_out(int64_t n, int64_t grain, Callable<int64_t, int64_t> f) {
  const int64_t chunks = std::min<int64_t>(omp_get_max_threads(), n / std::max<int64_t>(1, grain));
  if (chunks <= 1 || omp_in_parallel()) {
    if (n > 0) f(int64_t{0}, n);
    return;
  }
#pragma omp parallel for schedule(static, 1) num_threads(static_cast<int>(chunks))
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    f(n * chunk / chunks, n * (chunk + 1) / chunks);
  }
}

// Calls f(begin, end) on ranges that cover [0, n), each of at least `grain`.
template <class F>
void parallel_for(int64_t n, int64_t grain, const F& f) {
  hand_out(n, grain, Callable<int64_t, int64_t>(f));
}

template <int N>
int64_t inner_stride(const Geometry<N>& g, int k) {
  return g.ndim == 0 ? 0 : g.strides[k][g.ndim - 1];
}

template <int N>
void hand_out_runs(const Geometry<N>& g, Callable<const int64_t*, int64_t> run) {
  if (g.ndim <= 1) {
    parallel_for(g.numel, kGrain, [&](int64_t begin, int64_t end) {
      int64_t offsets[N];
      for (int k = 0; k < N; ++k) offsets[k] = begin * inner_stride(g, k);
      run(offsets, end - begin);
    });
    return;
  }
  const int64_t inner = g.sizes[g.ndim - 1];
  parallel_for(g.numel / inner, std::max<int64_t>(1, kGrain / inner),
               [&](int64_t begin, int64_t end) {
                 int64_t index[Geometry<N>::kDims] = {};
                 int64_t offsets[N] = {};
                 int64_t rest = begin;
                 for (int d = g.ndim - 2; d >= 0; --d) {
                   index[d] = rest % g.sizes[d];
                   rest /= g.sizes[d];
                   for (int k = 0; k < N; ++k) offsets[k] += index[d] * g.strides[k][d];
                 }
                 for (int64_t row = begin; row < end; ++row) {
                   run(offsets, inner);
                   for (int d = g.ndim - 2; d >= 0; --d) {
                     for (int k = 0; k < N; ++k) offsets[k] += g.strides[k][d];
                     if (++index[d] < g.sizes[d]) break;
                     for (int k = 0; k < N; ++k) offsets[k] -= g.sizes[d] * g.strides[k][d];
                     index[d] = 0;
                   }
                 }
               });
}

// Calls run(offsets, count) for pieces of the innermost dimension: element i of operand k of a
// piece is at offsets[k] + i * inner_stride(g, k).
template <int N, class F>
void for_each_run(const Geometry<N>& g, const F& run) {
  hand_out_runs(g, Callable<const int64_t*, int64_t>(run));
}

}  // namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL

namespace tensorlib::cpu {
using TENSORLIB_CPU_LEVEL::for_each_run;
using TENSORLIB_CPU_LEVEL::inner_stride;
using TENSORLIB_CPU_LEVEL::parallel_for;
}  // namespace tensorlib::cpu
