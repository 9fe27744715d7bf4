#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/fill.cuh"

namespace tensorlib::cuda {

void CudaBackend::fill(ScalarType type, const Geometry<1>& geometry, void* out, Scalar value) {
  const DeviceScope scope(device_);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const to = static_cast<T*>(out);
    const T number = value.to<T>();
    if (geometry.flat()) {
      TENSORLIB_LAUNCH(geometry.numel, (to, number, geometry.numel), kernels::fill_flat<T>);
    } else {
      TENSORLIB_LAUNCH(geometry.numel, (to, number, geometry), kernels::fill_strided<T>);
    }
  });
}

void CudaBackend::arange(ScalarType type, void* out, int64_t n, Scalar start, Scalar step) {
  const DeviceScope scope(device_);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(n, (static_cast<T*>(out), n, start.toDouble(), step.toDouble()),
                     kernels::arange<T>);
  });
}

void CudaBackend::random(ScalarType type, void* out, int64_t n, const RandomSpec& spec) {
  const DeviceScope scope(device_);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH((n + 3) / 4,
                     (static_cast<T*>(out), n, static_cast<int>(spec.distribution), spec.seed,
                      spec.offset, spec.a, spec.b),
                     kernels::random_fill<T>);
  });
}

void CudaBackend::convert(const Geometry<2>& geometry, void* out, ScalarType to, const void* in,
                          ScalarType from) {
  const DeviceScope scope(device_);
  const int64_t n = geometry.numel;
  if (geometry.flat() && to == from) {
    TENSORLIB_CUDA(cudaMemcpyAsync(out, in, static_cast<size_t>(n) * elementSize(to),
                                   cudaMemcpyDeviceToDevice, stream()));
    return;
  }
  dispatch_all(to, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const target = static_cast<T*>(out);
    if (geometry.flat()) {
      TENSORLIB_LAUNCH(n, (target, in, static_cast<int>(from), n), kernels::convert_flat<T>);
    } else {
      TENSORLIB_LAUNCH(n, (target, in, static_cast<int>(from), geometry),
                       kernels::convert_strided<T>);
    }
  });
}

}  // namespace tensorlib::cuda
