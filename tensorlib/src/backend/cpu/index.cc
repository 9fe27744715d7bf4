// Picking elements by their places: gather, index_select and what adds back to there, topk.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"

namespace tensorlib::cpu {

void CpuBackend::gather(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                        const int64_t* index, const Caller&) {
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = static_cast<T*>(out);
    const T* from = static_cast<const T*>(in);
    for (int64_t o = 0; o < rows.outer; ++o) {
      for (int64_t i = 0; i < out_n * rows.inner; ++i) {
        const int64_t at = o * out_n * rows.inner + i;
        to[at] = from[(o * rows.n + index[at]) * rows.inner + i % rows.inner];
      }
    }
  });
}

void CpuBackend::scatter_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                             const int64_t* index, const Caller&) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = static_cast<T*>(out);
    const T* from = static_cast<const T*>(in);
    for (int64_t o = 0; o < rows.outer; ++o) {
      for (int64_t i = 0; i < in_n * rows.inner; ++i) {
        const int64_t at = o * in_n * rows.inner + i;
        kernels::add_to(to[(o * rows.n + index[at]) * rows.inner + i % rows.inner], from[at]);
      }
    }
  });
}

void CpuBackend::index_select(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                              const int64_t* index, const Caller&) {
  const auto row_bytes = static_cast<int64_t>(elementSize(type)) * rows.inner;
  char* to = static_cast<char*>(out);
  const char* from = static_cast<const char*>(in);
  parallel_for(rows.outer * out_n, std::max<int64_t>(1, kGrain / rows.inner),
               [&](int64_t begin, int64_t end) {
                 for (int64_t row = begin; row < end; ++row) {
                   const int64_t chosen = row / out_n * rows.n + index[row % out_n];
                   std::memcpy(to + row * row_bytes, from + chosen * row_bytes,
                               static_cast<size_t>(row_bytes));
                 }
               });
}

void CpuBackend::index_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                           const int64_t* index, const Caller&) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t row = 0; row < rows.outer * in_n; ++row) {
      T* to = static_cast<T*>(out) + (row / in_n * rows.n + index[row % in_n]) * rows.inner;
      const T* from = static_cast<const T*>(in) + row * rows.inner;
      for (int64_t i = 0; i < rows.inner; ++i) kernels::add_to(to[i], from[i]);
    }
  });
}

void CpuBackend::index_put(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                           const int64_t* index, const Caller&) {
  const auto row_bytes = static_cast<int64_t>(elementSize(type)) * rows.inner;
  for (int64_t row = 0; row < rows.outer * in_n; ++row) {
    const int64_t chosen = row / in_n * rows.n + index[row % in_n];
    std::memcpy(static_cast<char*>(out) + chosen * row_bytes,
                static_cast<const char*>(in) + row * row_bytes, static_cast<size_t>(row_bytes));
  }
}

void CpuBackend::cumulative_sum(ScalarType type, Rows rows, void* out, const void* in) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using A = kernels::Accumulate<T>;
    parallel_for(rows.outer * rows.inner, std::max<int64_t>(1, kGrain / rows.n),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t line = begin; line < end; ++line) {
                     const int64_t first =
                         line / rows.inner * rows.n * rows.inner + line % rows.inner;
                     const T* from = static_cast<const T*>(in) + first;
                     T* to = static_cast<T*>(out) + first;
                     A sum{};
                     for (int64_t i = 0; i < rows.n * rows.inner; i += rows.inner) {
                       sum = kernels::wrapping_add(sum, static_cast<A>(from[i]));
                       to[i] = static_cast<T>(sum);
                     }
                   }
                 });
  });
}

void CpuBackend::topk(ScalarType type, Rows rows, int64_t k, bool largest, void* values,
                      int64_t* indices, const void* in) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Ranked = kernels::Ranked<kernels::Compute<T>>;
    const auto rank = [largest](const Ranked& a, const Ranked& b) {
      return kernels::ranks_before(a, b, largest);
    };
    parallel_for(rows.outer * rows.inner, std::max<int64_t>(1, kGrain / 8 / rows.n),
                 [&](int64_t begin, int64_t end) {
                   std::vector<Ranked> row(static_cast<size_t>(rows.n));
                   for (int64_t at = begin; at < end; ++at) {
                     const int64_t o = at / rows.inner, r = at % rows.inner;
                     const T* from = static_cast<const T*>(in) + o * rows.n * rows.inner + r;
                     for (int64_t i = 0; i < rows.n; ++i) {
                       row[i] = {static_cast<kernels::Compute<T>>(from[i * rows.inner]), i};
                     }
                     std::partial_sort(row.begin(), row.begin() + k, row.end(), rank);
                     for (int64_t i = 0; i < k; ++i) {
                       const int64_t target = (o * k + i) * rows.inner + r;
                       indices[target] = row[i].index;
                       static_cast<T*>(values)[target] = from[row[i].index * rows.inner];
                     }
                   }
                 });
  });
}

}  // namespace tensorlib::cpu
