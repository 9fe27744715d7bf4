// Reductions over the middle of [outer, n, inner].
//
// Floating sums are kept in several lanes per block of elements and the blocks are added in double,
// which is both vector code and more exact than one running sum.
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"

namespace tensorlib::cpu {

namespace {

using kernels::Compute;

// What a block's result is added up in.
template <class T>
using Total = std::conditional_t<std::is_integral_v<T>, T, double>;

template <ReduceOp op, class T>
Total<T> reduce_block(const T* in, int64_t n) {
  using C = Compute<T>;
  constexpr int kLanes = 16;
  C lanes[kLanes];
  const C start = op == ReduceOp::sum ? C(0) : static_cast<C>(in[0]);
  for (C& lane : lanes) lane = start;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = kernels::combine<op, C>(lanes[lane], static_cast<C>(in[i + lane]));
    }
  }
  for (; i < n; ++i) lanes[0] = kernels::combine<op, C>(lanes[0], static_cast<C>(in[i]));
  Total<T> total = static_cast<Total<T>>(lanes[0]);
  for (int lane = 1; lane < kLanes; ++lane) {
    total = kernels::combine<op, Total<T>>(total, static_cast<Total<T>>(lanes[lane]));
  }
  return total;
}

constexpr int64_t kBlock = 4096;

template <ReduceOp op, class T>
Total<T> reduce_range(const T* in, int64_t n) {
  Total<T> total = reduce_block<op, T>(in, std::min(n, kBlock));
  for (int64_t at = kBlock; at < n; at += kBlock) {
    total = kernels::combine<op, Total<T>>(total,
                                           reduce_block<op, T>(in + at, std::min(kBlock, n - at)));
  }
  return total;
}

// One long row: its pieces in parallel, joined in order so that the result does not depend on the
// threads.
template <ReduceOp op, class T>
Total<T> reduce_row(const T* in, int64_t n) {
  constexpr int64_t kPiece = 1 << 16;
  const int64_t pieces = (n + kPiece - 1) / kPiece;
  if (pieces < 2) return reduce_range<op, T>(in, n);
  std::vector<Total<T>> totals(static_cast<size_t>(pieces));
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      totals[static_cast<size_t>(p)] =
          reduce_range<op, T>(in + p * kPiece, std::min(kPiece, n - p * kPiece));
    }
  });
  Total<T> total = totals[0];
  for (size_t p = 1; p < totals.size(); ++p) {
    total = kernels::combine<op, Total<T>>(total, totals[p]);
  }
  return total;
}

template <class T>
T finish(Total<T> total, double scale) {
  if constexpr (std::is_integral_v<T>) {
    return total;
  } else {
    return static_cast<T>(static_cast<Compute<T>>(total * scale));
  }
}

template <ReduceOp op, class T>
void reduce_rows(Rows rows, T* out, const T* in, double scale) {
  if (rows.n == 0) {
    std::fill_n(out, rows.outer * rows.inner,
                finish<T>(0, scale));  // sums only; mean of none is NaN
    return;
  }
  if (rows.inner == 1) {
    if (rows.outer == 1) {
      *out = finish<T>(reduce_row<op, T>(in, rows.n), scale);
      return;
    }
    parallel_for(rows.outer, std::max<int64_t>(1, kGrain / rows.n),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t o = begin; o < end; ++o) {
                     out[o] = finish<T>(reduce_range<op, T>(in + o * rows.n, rows.n), scale);
                   }
                 });
    return;
  }
  parallel_for(rows.outer, std::max<int64_t>(1, kGrain / (rows.n * rows.inner)),
               [&](int64_t begin, int64_t end) {
                 std::vector<Total<T>> totals(static_cast<size_t>(rows.inner));
                 for (int64_t o = begin; o < end; ++o) {
                   const T* row = in + o * rows.n * rows.inner;
                   for (int64_t i = 0; i < rows.inner; ++i) {
                     totals[i] = static_cast<Total<T>>(static_cast<Compute<T>>(row[i]));
                   }
                   for (int64_t r = 1; r < rows.n; ++r) {
                     row += rows.inner;
                     for (int64_t i = 0; i < rows.inner; ++i) {
                       totals[i] = kernels::combine<op, Total<T>>(
                           totals[i], static_cast<Total<T>>(static_cast<Compute<T>>(row[i])));
                     }
                   }
                   for (int64_t i = 0; i < rows.inner; ++i) {
                     out[o * rows.inner + i] = finish<T>(totals[i], scale);
                   }
                 }
               });
}

}  // namespace

void CpuBackend::reduce(ReduceOp op, ScalarType type, Rows rows, void* out, const void* in,
                        double scale) {
  dispatch_reduce(op, [&](auto constant) {
    dispatch_numbers(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      reduce_rows<decltype(constant)::value, T>(rows, static_cast<T*>(out),
                                                static_cast<const T*>(in), scale);
    });
  });
}

void CpuBackend::arg_reduce(ReduceOp op, ScalarType type, Rows rows, void* values, int64_t* indices,
                            const void* in) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = Compute<T>;
    const T* from = static_cast<const T*>(in);
    T* chosen = static_cast<T*>(values);
    parallel_for(rows.outer * rows.inner, std::max<int64_t>(1, kGrain / rows.n),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t at = begin; at < end; ++at) {
                     const T* row = from + at / rows.inner * rows.n * rows.inner + at % rows.inner;
                     int64_t best = 0;
                     C best_value = static_cast<C>(row[0]);
                     for (int64_t r = 1; r < rows.n && best_value == best_value; ++r) {
                       const C value = static_cast<C>(row[r * rows.inner]);
                       const bool better =
                           op == ReduceOp::amax ? value > best_value : value < best_value;
                       if (better || value != value) {  // the first NaN is chosen
                         best = r;
                         best_value = value;
                       }
                     }
                     indices[at] = best;
                     if (chosen != nullptr) chosen[at] = row[best * rows.inner];
                   }
                 });
  });
}

void CpuBackend::softmax(ScalarType type, Rows rows, void* out, const void* in, bool log) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = Compute<T>;
    parallel_for(rows.outer * rows.inner, std::max<int64_t>(1, kGrain / 16 / rows.n),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t at = begin; at < end; ++at) {
                     const int64_t start = at / rows.inner * rows.n * rows.inner + at % rows.inner;
                     const T* row = static_cast<const T*>(in) + start;
                     T* result = static_cast<T*>(out) + start;
                     C largest = static_cast<C>(row[0]);
                     for (int64_t r = 1; r < rows.n; ++r) {
                       largest = kernels::combine<ReduceOp::amax, C>(
                           largest, static_cast<C>(row[r * rows.inner]));
                     }
                     double sum = 0;
                     for (int64_t r = 0; r < rows.n; ++r) {
                       const C e = std::exp(static_cast<C>(row[r * rows.inner]) - largest);
                       sum += static_cast<double>(e);
                       if (!log) result[r * rows.inner] = static_cast<T>(e);
                     }
                     const C shift = largest + static_cast<C>(std::log(sum));
                     const C factor = static_cast<C>(1 / sum);
                     for (int64_t r = 0; r < rows.n; ++r) {
                       T& value = result[r * rows.inner];
                       value = log ? static_cast<T>(static_cast<C>(row[r * rows.inner]) - shift)
                                   : static_cast<T>(static_cast<C>(value) * factor);
                     }
                   }
                 });
  });
}

}  // namespace tensorlib::cpu
