#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/reduce.cuh"

namespace tensorlib::cuda {

namespace {

// Pieces of a row that are worth a block each, when there are too few rows to fill a GPU.
int64_t pieces_of(Rows rows) {
  constexpr int64_t kPiece = 4096, kBlocks = 1024;
  const int64_t results = std::max<int64_t>(1, rows.outer * rows.inner);
  return std::clamp<int64_t>(std::min(rows.n / kPiece, kBlocks / results), 1, kBlocks);
}

}  // namespace

void CudaBackend::reduce(ReduceOp op, ScalarType type, Rows rows, void* out, const void* in,
                         double scale) {
  const DeviceScope scope(device_);
  const auto results = static_cast<unsigned>(rows.outer * rows.inner);
  const int64_t pieces = pieces_of(rows);
  dispatch_reduce(op, [&](auto constant) {
    constexpr ReduceOp kOp = decltype(constant)::value;
    dispatch_numbers(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      using A = kernels::Accumulate<T>;
      T* const to = static_cast<T*>(out);
      const T* const from = static_cast<const T*>(in);
      if (pieces == 1) {
        kernels::reduce_rows<kOp, T, T>
            <<<results, threads_for(rows.n), 0, stream()>>>(to, from, rows.n, rows.inner, 1, scale);
        TENSORLIB_CUDA_LAUNCHED();
        return;
      }
      const size_t nbytes = static_cast<size_t>(results * pieces) * sizeof(A);
      A* const partial = static_cast<A*>(allocate(nbytes));
      kernels::reduce_rows<kOp, T, A>
          <<<static_cast<unsigned>(results * pieces), kernels::kThreads, 0, stream()>>>(
              partial, from, rows.n, rows.inner, pieces, 1.0);
      TENSORLIB_CUDA_LAUNCHED();
      kernels::reduce_rows<kOp, A, T>
          <<<results, threads_for(pieces), 0, stream()>>>(to, partial, pieces, 1, 1, scale);
      TENSORLIB_CUDA_LAUNCHED();
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
