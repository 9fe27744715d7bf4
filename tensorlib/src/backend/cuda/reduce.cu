#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/reduce.cuh"

namespace tensorlib::cuda {

namespace {

// How the rows are dealt out: blocks, their threads, and the pieces of each row (or column).
struct Plan {
  bool columns;
  dim3 threads;
  int64_t pieces;

  unsigned blocks(Rows rows) const {
    const int64_t across = columns ? (rows.inner + threads.x - 1) / threads.x : rows.inner;
    return static_cast<unsigned>(rows.outer * pieces * across);
  }
};

// A block for each row; several, where there are too few rows to fill a GPU.
Plan plan_rows(Rows rows) {
  constexpr int64_t kPiece = 4096, kBlocks = 1024;
  const int64_t results = std::max<int64_t>(1, rows.outer * rows.inner);
  const int64_t pieces =
      std::clamp<int64_t>(std::min(rows.n / kPiece, kBlocks / results), 1, kBlocks);
  return {false, dim3(threads_for(rows.n / pieces)), pieces};
}

// A thread for each column where there are enough of them, else a few. No thread adds up more than
// kLongest elements, for the sake of the sum's exactness.
Plan plan_columns(Rows rows) {
  constexpr int64_t kManyColumns = 1 << 14, kThreads = 1 << 16, kLongest = 512, kShortest = 32;
  const int64_t results = rows.outer * rows.inner;
  const unsigned sharing = results >= kManyColumns || rows.n <= 8 ? 1 : 8;
  const int64_t exact = (rows.n + kLongest * sharing - 1) / (kLongest * sharing);
  const int64_t filling = std::min(rows.n / (kShortest * sharing), kThreads / (results * sharing));
  return {true, dim3(kernels::kThreads / sharing, sharing), std::max<int64_t>({1, exact, filling})};
}

Plan plan(Rows rows) { return rows.inner >= 32 ? plan_columns(rows) : plan_rows(rows); }

template <ReduceOp op, class In, class Out>
void launch(const Plan& plan, Rows rows, Out* out, const In* in, double scale,
            cudaStream_t stream) {
  if (plan.columns) {
    kernels::reduce_columns<op, In, Out><<<plan.blocks(rows), plan.threads, 0, stream>>>(
        out, in, rows.n, rows.inner, plan.pieces, scale);
  } else {
    kernels::reduce_rows<op, In, Out><<<plan.blocks(rows), plan.threads, 0, stream>>>(
        out, in, rows.n, rows.inner, plan.pieces, scale);
  }
  TENSORLIB_CUDA_LAUNCHED();
}

}  // namespace

void CudaBackend::reduce(ReduceOp op, ScalarType type, Rows rows, void* out, const void* in,
                         double scale) {
  const DeviceScope scope(device_);
  const Plan first = plan(rows);
  dispatch_reduce(op, [&](auto constant) {
    constexpr ReduceOp kOp = decltype(constant)::value;
    dispatch_numbers(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      using A = kernels::Accumulate<T>;
      T* const to = static_cast<T*>(out);
      const T* const from = static_cast<const T*>(in);
      if (first.pieces == 1) {
        launch<kOp, T, T>(first, rows, to, from, scale, stream());
        return;
      }
      // The pieces of a row lie one behind the other, those of columns one below the other.
      const Rows rest = first.columns ? Rows{rows.outer, first.pieces, rows.inner}
                                      : Rows{rows.outer * rows.inner, first.pieces, 1};
      Plan second = plan(rest);
      second.pieces = 1;
      const size_t nbytes = static_cast<size_t>(rest.outer * rest.n * rest.inner) * sizeof(A);
      A* const partial = static_cast<A*>(allocate(nbytes));
      launch<kOp, T, A>(first, rows, partial, from, 1.0, stream());
      launch<kOp, A, T>(second, rest, to, partial, scale, stream());
      release(partial, nbytes);  // reused behind these launches, on this stream
    });
  });
}

void CudaBackend::arg_reduce(ReduceOp op, ScalarType type, Rows rows, void* values,
                             int64_t* indices, const void* in) {
  const DeviceScope scope(device_);
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::arg_reduce_rows<T>
        <<<static_cast<unsigned>(rows.outer * rows.inner), threads_for(rows.n), 0, stream()>>>(
            static_cast<T*>(values), indices, static_cast<const T*>(in), rows.n, rows.inner,
            op == ReduceOp::amax);
    TENSORLIB_CUDA_LAUNCHED();
  });
}

void CudaBackend::softmax(ScalarType type, Rows rows, void* out, const void* in, bool log) {
  const DeviceScope scope(device_);
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::softmax_rows<T>
        <<<static_cast<unsigned>(rows.outer * rows.inner), threads_for(rows.n), 0, stream()>>>(
            static_cast<T*>(out), static_cast<const T*>(in), rows.n, rows.inner, log);
    TENSORLIB_CUDA_LAUNCHED();
  });
}

}  // namespace tensorlib::cuda
