#include "cublas/lu.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "cublas/registered.h"
#include "machine/cost_model.h"
#include "machine/hooks.h"

namespace xfer::emulator {
namespace {

/// The arguments as the kernel takes them; the names below spell the same list.
template <typename T>
struct LuArguments {
  const T* const* a;
  int* pivots;
  int* info;
  T* const* c;
  int call, n, lda, ldc, columns, batch, transposed;

  template <typename Visit>
  void each(Visit visit) {
    visit(a), visit(pivots), visit(info), visit(c);
    visit(call), visit(n), visit(lda), visit(ldc), visit(columns), visit(batch), visit(transposed);
  }
};

/// A matrix, column by column.
template <typename T>
struct Columns {
  T* at;
  std::ptrdiff_t leading;
  T& operator()(int row, int column) const { return at[column * leading + row]; }
};

/// The first element of the diagonal that is 0, counted from 1, or 0.
template <typename T>
int factor(int n, Columns<T> a, int* pivots) {
  int info = 0;
  for (int k = 0; k < n; ++k) {
    int best = k;
    if (pivots != nullptr) {
      for (int row = k + 1; row < n; ++row)
        if (std::abs(a(row, k)) > std::abs(a(best, k))) best = row;
      pivots[k] = best + 1;
      if (best != k)
        for (int column = 0; column < n; ++column) std::swap(a(k, column), a(best, column));
    }
    if (a(k, k) == 0) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int row = k + 1; row < n; ++row) a(row, k) /= a(k, k);
    for (int column = k + 1; column < n; ++column)
      for (int row = k + 1; row < n; ++row) a(row, column) -= a(row, k) * a(k, column);
  }
  return info;
}

template <typename T>
void exchange(int n, const int* pivots, bool back, T* x) {
  for (int i = 0; i < n && pivots != nullptr; ++i) {
    const int k = back ? n - 1 - i : i;
    std::swap(x[k], x[pivots[k] - 1]);
  }
}

/// x of A x = b, in b's place; of the transposed A if asked for.
template <typename T>
void solve(int n, Columns<const T> a, const int* pivots, bool transposed, T* x) {
  if (!transposed) {
    exchange(n, pivots, false, x);
    for (int k = 0; k < n; ++k)
      for (int row = k + 1; row < n; ++row) x[row] -= a(row, k) * x[k];
    for (int k = n - 1; k >= 0; --k) {
      x[k] /= a(k, k);
      for (int row = 0; row < k; ++row) x[row] -= a(row, k) * x[k];
    }
    return;
  }
  for (int k = 0; k < n; ++k) {
    for (int row = 0; row < k; ++row) x[k] -= a(row, k) * x[row];
    x[k] /= a(k, k);
  }
  for (int k = n - 1; k >= 0; --k)
    for (int row = k + 1; row < n; ++row) x[k] -= a(row, k) * x[row];
  exchange(n, pivots, true, x);
}

/// An info on the diagonal of factors.
template <typename T>
int zero_of(int n, Columns<const T> a) {
  for (int k = 0; k < n; ++k)
    if (a(k, k) == 0) return k + 1;
  return 0;
}

template <typename T>
void invert(int n, Columns<const T> factors, const int* pivots, Columns<T> inverse) {
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < n; ++row) inverse(row, column) = row == column ? T{1} : T{0};
    solve(n, factors, pivots, false, &inverse(0, column));
  }
}

template <typename T>
int lu_of_one(const LuArguments<T>& g, T* a, int* pivots, T* c) {
  const Columns<const T> factors{a, g.lda};
  switch (static_cast<LuCall>(g.call)) {
    case LuCall::kFactor: return factor(g.n, Columns<T>{a, g.lda}, pivots);
    case LuCall::kSolve:
      for (int column = 0; column < g.columns; ++column)
        solve(g.n, factors, pivots, g.transposed != 0, c + std::ptrdiff_t{column} * g.ldc);
      return 0;
    case LuCall::kInvert: {
      const int info = zero_of(g.n, factors);
      if (info == 0) invert(g.n, factors, pivots, Columns<T>{c, g.ldc});
      return info;
    }
    case LuCall::kInvertWhole: break;
  }
  std::vector<T> copy;
  for (int column = 0; column < g.n; ++column)
    copy.insert(copy.end(), &factors(0, column), &factors(0, column) + g.n);
  std::vector<int> order(static_cast<std::size_t>(g.n));
  const int info = factor(g.n, Columns<T>{copy.data(), g.n}, order.data());
  if (info == 0)
    invert(g.n, Columns<const T>{copy.data(), g.n}, order.data(), Columns<T>{c, g.ldc});
  return info;
}

template <typename T>
void run_lu(const LaunchContext*, void** args) {
  const auto g = read_arguments<LuArguments<T>>(args);
  const auto matrix = [](const T* const* pointers, int i) -> T* {
    if (pointers == nullptr) return nullptr;
    return static_cast<T*>(xfer_emulator_kernel_view(pointers[i]));
  };
  for (int i = 0; i < g.batch; ++i) {
    int* const pivots = g.pivots == nullptr ? nullptr : g.pivots + std::ptrdiff_t{i} * g.n;
    const int info = lu_of_one(g, matrix(g.a, i), pivots, matrix(g.c, i));
    if (g.info != nullptr) g.info[i] = info;
  }
}

/// Mangled: a tracer reads from it what is written.
template <typename T>
const char* lu_name() {
  return std::is_same_v<T, float> ? "_Z24emulated_cublas_sluBatchPKPKfPiS3_PKPfiiiiiii"
                                  : "_Z24emulated_cublas_dluBatchPKPKdPiS3_PKPdiiiiiii";
}

}  // namespace

template <typename T>
cublasStatus_t launch_lu(const LuBatch<T>& lu, cudaStream_t stream) {
  const auto count = static_cast<std::size_t>(lu.batch);
  // The launch goes out all the same: as on a device, the fault shows at the next call.
  if (!is_reachable(lu.a, count * sizeof(void*)) ||
      (lu.c != nullptr && !is_reachable(lu.c, count * sizeof(void*))) ||
      (lu.info != nullptr && !is_reachable(lu.info, count * sizeof(int))))
    return CUBLAS_STATUS_SUCCESS;
  LuArguments<T> arguments{lu.a,
                           const_cast<int*>(lu.pivots),
                           lu.info,
                           lu.c,
                           static_cast<int>(lu.call),
                           lu.n,
                           lu.lda,
                           lu.ldc,
                           lu.columns,
                           lu.batch,
                           lu.transposed ? 1 : 0};
  const double elements = static_cast<double>(lu.n) * lu.n * lu.batch;
  xfer_emulator_next_kernel_ns(cost::gemm_ns(elements * lu.n, elements * sizeof(T) * 2));
  return launch_kernel(library_stub<LuArguments<T>, &run_lu<T>>(lu_name<T>()),
                       dim3(static_cast<unsigned>(lu.batch)), places_of(arguments), stream);
}

template cublasStatus_t launch_lu(const LuBatch<float>&, cudaStream_t);
template cublasStatus_t launch_lu(const LuBatch<double>&, cudaStream_t);

}  // namespace xfer::emulator
