// Reductions over the middle of [outer, n, inner].
//
// Floating sums are kept in several lanes per block of elements and the blocks are added in double,
// which is both vector code and more exact than one running sum.
#include <memory>

#include "backend/cpu/loops.h"
#include "backend/cpu/parallel.h"
#include "backend/cpu/vector_math.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"

namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL {

namespace {

using kernels::Compute;

// The type in which the blocks' results are added up.
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
  const auto totals = std::make_unique<Total<T>[]>(static_cast<size_t>(pieces));
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      totals[p] = reduce_range<op, T>(in + p * kPiece, std::min(kPiece, n - p * kPiece));
    }
  });
  Total<T> total = totals[0];
  for (int64_t p = 1; p < pieces; ++p) {
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
                 const auto totals = std::make_unique<Total<T>[]>(static_cast<size_t>(rows.inner));
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

void Loops::reduce(ReduceOp op, ScalarType type, Rows rows, void* out, const void* in,
                   double scale) {
  dispatch_reduce(op, [&](auto constant) {
    dispatch_numbers(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      reduce_rows<decltype(constant)::value, T>(rows, static_cast<T*>(out),
                                                static_cast<const T*>(in), scale);
    });
  });
}

void Loops::arg_reduce(ReduceOp op, ScalarType type, Rows rows, void* values, int64_t* indices,
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

namespace {

// The last step of a softmax, by the largest element and the sum of exp(element - largest).
template <class T>
void finish_softmax(T* result, const T* row, int64_t n, int64_t stride, Compute<T> largest,
                    double sum, bool log) {
  using C = Compute<T>;
  const C shift = largest + static_cast<C>(std::log(sum));
  const C factor = static_cast<C>(1 / sum);
  for (int64_t r = 0; r < n; ++r) {
    T& value = result[r * stride];
    value = log ? static_cast<T>(static_cast<C>(row[r * stride]) - shift)
                : static_cast<T>(static_cast<C>(value) * factor);
  }
}

// A row without gaps: each step is a loop that becomes vector code.
template <class T>
void softmax_row(T* result, const T* row, int64_t n, bool log) {
  using C = Compute<T>;
  constexpr int64_t kPiece = 512;
  const C largest = static_cast<C>(reduce_range<ReduceOp::amax, T>(row, n));
  double sum = 0;
  C exponentials[kPiece];
  for (int64_t at = 0; at < n; at += kPiece) {
    const int64_t count = std::min(kPiece, n - at);
    for (int64_t i = 0; i < count; ++i) {
      exponentials[i] = std::exp(static_cast<C>(row[at + i]) - largest);
    }
    sum += reduce_block<ReduceOp::sum, C>(exponentials, count);
    if (!log) std::copy_n(exponentials, count, result + at);
  }
  finish_softmax(result, row, n, 1, largest, sum, log);
}

template <class T>
void softmax_column(T* result, const T* row, int64_t n, int64_t stride, bool log) {
  using C = Compute<T>;
  C largest = static_cast<C>(row[0]);
  for (int64_t r = 1; r < n; ++r) {
    largest = kernels::combine<ReduceOp::amax, C>(largest, static_cast<C>(row[r * stride]));
  }
  double sum = 0;
  for (int64_t r = 0; r < n; ++r) {
    const C e = std::exp(static_cast<C>(row[r * stride]) - largest);
    sum += static_cast<double>(e);
    if (!log) result[r * stride] = static_cast<T>(e);
  }
  finish_softmax(result, row, n, stride, largest, sum, log);
}

}  // namespace

void Loops::softmax(ScalarType type, Rows rows, void* out, const void* in, bool log) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    parallel_for(rows.outer * rows.inner, std::max<int64_t>(1, kGrain / 16 / rows.n),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t at = begin; at < end; ++at) {
                     const int64_t start = at / rows.inner * rows.n * rows.inner + at % rows.inner;
                     const T* row = static_cast<const T*>(in) + start;
                     T* result = static_cast<T*>(out) + start;
                     if (rows.inner == 1) {
                       softmax_row(result, row, rows.n, log);
                     } else {
                       softmax_column(result, row, rows.n, rows.inner, log);
                     }
                   }
                 });
  });
}

}  // namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL
