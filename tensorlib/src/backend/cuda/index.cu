#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/index_faults.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/index.cuh"

namespace tensorlib::cuda {

template <Places places>
void CudaBackend::launch_gather(ScalarType type, Rows rows, int64_t out_n, void* out,
                                const void* in, const int64_t* index, const Caller& caller) {
  const DeviceScope scope(device_);
  const int64_t total = rows.outer * out_n * rows.inner;
  const FaultArguments fault = fault_arguments(caller);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(total,
                     (static_cast<T*>(out), static_cast<const T*>(in), index, rows.n, out_n,
                      rows.inner, total, fault.note, fault.call),
                     kernels::gather<places, T>);
  });
}

template <Places places>
void CudaBackend::launch_scatter_add(ScalarType type, Rows rows, int64_t in_n, void* out,
                                     const void* in, const int64_t* index, const Caller& caller) {
  const DeviceScope scope(device_);
  const int64_t lines = rows.outer * rows.inner;
  const FaultArguments fault = fault_arguments(caller);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(lines,
                     (static_cast<T*>(out), static_cast<const T*>(in), index, rows.n, in_n,
                      rows.inner, lines, fault.note, fault.call),
                     kernels::scatter_add<places, T>);
  });
}

void CudaBackend::gather(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                         const int64_t* index, const Caller& caller) {
  launch_gather<Places::each>(type, rows, out_n, out, in, index, caller);
}

void CudaBackend::scatter_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                              const int64_t* index, const Caller& caller) {
  launch_scatter_add<Places::each>(type, rows, in_n, out, in, index, caller);
}

void CudaBackend::index_select(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                               const int64_t* index, const Caller& caller) {
  launch_gather<Places::shared>(type, rows, out_n, out, in, index, caller);
}

void CudaBackend::index_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                            const int64_t* index, const Caller& caller) {
  launch_scatter_add<Places::shared>(type, rows, in_n, out, in, index, caller);
}

void CudaBackend::index_put(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                            const int64_t* index, const Caller& caller) {
  const DeviceScope scope(device_);
  const int64_t total = rows.outer * in_n * rows.inner;
  const FaultArguments fault = fault_arguments(caller);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(total,
                     (static_cast<T*>(out), static_cast<const T*>(in), index, rows.n, in_n,
                      rows.inner, total, fault.note, fault.call),
                     kernels::put_rows<T>);
  });
}

void CudaBackend::cumulative_sum(ScalarType type, Rows rows, void* out, const void* in) {
  const DeviceScope scope(device_);
  const int64_t lines = rows.outer * rows.inner;
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(lines,
                     (static_cast<T*>(out), static_cast<const T*>(in), rows.n, rows.inner, lines),
                     kernels::cumulative_sum<T>);
  });
}

void CudaBackend::topk(ScalarType type, Rows rows, int64_t k, bool largest, void* values,
                       int64_t* indices, const void* in) {
  const DeviceScope scope(device_);
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::topk_rows<T>
        <<<static_cast<unsigned>(rows.outer * rows.inner), threads_for(rows.n), 0, stream()>>>(
            static_cast<T*>(values), indices, static_cast<const T*>(in), rows.n, rows.inner, k,
            largest);
    TENSORLIB_CUDA_LAUNCHED();
  });
}

}  // namespace tensorlib::cuda
