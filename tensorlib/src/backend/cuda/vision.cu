#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/vision.cuh"

namespace tensorlib::cuda {

namespace {

template <kernels::Pooling pooling>
void pool(cudaStream_t on, ScalarType type, const Pool2dShape& shape, void* out, int64_t* places,
          const void* input) {
  const auto stream = [on] { return on; };
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(
        shape.planes * shape.out_h * shape.out_w,
        (static_cast<T*>(out), places, static_cast<const T*>(input), shape.planes, shape.h, shape.w,
         shape.out_h, shape.out_w, TENSORLIB_WINDOW_ARGUMENTS(shape.window)),
        kernels::pool2d<pooling, T>);
  });
}

template <kernels::Pooling pooling>
void pool_gradient(cudaStream_t on, ScalarType type, const Pool2dShape& shape, void* image,
                   const void* grad, const int64_t* places) {
  const auto stream = [on] { return on; };
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(
        shape.planes * shape.h * shape.w,
        (static_cast<T*>(image), static_cast<const T*>(grad), places, shape.planes, shape.h,
         shape.w, shape.out_h, shape.out_w, TENSORLIB_WINDOW_ARGUMENTS(shape.window)),
        kernels::pool2d_gradient<pooling, T>);
  });
}

}  // namespace

void CudaBackend::max_pool2d(ScalarType type, const Pool2dShape& shape, void* out, int64_t* places,
                             const void* input) {
  const DeviceScope scope(device_);
  pool<kernels::Pooling::max>(stream(), type, shape, out, places, input);
}

void CudaBackend::max_pool2d_gradient(ScalarType type, const Pool2dShape& shape, void* image,
                                      const void* grad, const int64_t* places) {
  const DeviceScope scope(device_);
  pool_gradient<kernels::Pooling::max>(stream(), type, shape, image, grad, places);
}

void CudaBackend::avg_pool2d(ScalarType type, const Pool2dShape& shape, bool count_padding,
                             void* out, const void* input) {
  const DeviceScope scope(device_);
  if (count_padding) {
    pool<kernels::Pooling::average_of_padded>(stream(), type, shape, out, nullptr, input);
  } else {
    pool<kernels::Pooling::average>(stream(), type, shape, out, nullptr, input);
  }
}

void CudaBackend::adaptive_avg_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                                      const void* input) {
  const DeviceScope scope(device_);
  pool<kernels::Pooling::adaptive>(stream(), type, shape, out, nullptr, input);
}

void CudaBackend::avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape, bool count_padding,
                                      void* image, const void* grad) {
  const DeviceScope scope(device_);
  if (count_padding) {
    pool_gradient<kernels::Pooling::average_of_padded>(stream(), type, shape, image, grad, nullptr);
  } else {
    pool_gradient<kernels::Pooling::average>(stream(), type, shape, image, grad, nullptr);
  }
}

void CudaBackend::adaptive_avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape,
                                               void* image, const void* grad) {
  const DeviceScope scope(device_);
  pool_gradient<kernels::Pooling::adaptive>(stream(), type, shape, image, grad, nullptr);
}

void CudaBackend::batch_stats(ScalarType type, const BatchNormShape& shape, void* mean,
                              void* variance, const void* input) {
  const DeviceScope scope(device_);
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::channel_stats<T>
        <<<static_cast<unsigned>(shape.c), threads_for(shape.n * shape.inner), 0, stream()>>>(
            static_cast<T*>(mean), static_cast<T*>(variance), static_cast<const T*>(input), shape.n,
            shape.c, shape.inner);
    TENSORLIB_CUDA_LAUNCHED();
  });
}

void CudaBackend::batch_norm(ScalarType type, const BatchNormShape& shape, void* out,
                             const void* input, const BatchNormStats& stats) {
  const DeviceScope scope(device_);
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto pointer = [](const void* data) { return static_cast<const T*>(data); };
    const int64_t total = shape.n * shape.c * shape.inner;
    TENSORLIB_LAUNCH(
        total,
        (static_cast<T*>(out), pointer(input), pointer(stats.weight), pointer(stats.bias),
         pointer(stats.mean), pointer(stats.variance), total, shape.c, shape.inner, shape.eps),
        kernels::normalize_channels<T>);
  });
}

void CudaBackend::batch_norm_gradient(ScalarType type, const BatchNormShape& shape, bool training,
                                      const BatchNormGradient& out, const void* grad,
                                      const void* input, const BatchNormStats& stats) {
  const DeviceScope scope(device_);
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = kernels::Compute<T>;
    const auto pointer = [](const void* data) { return static_cast<const T*>(data); };
    C* const sums = static_cast<C*>(out.scratch);
    const int64_t count = shape.n * shape.inner, total = count * shape.c;
    kernels::channel_gradient_sums<T, C>
        <<<static_cast<unsigned>(shape.c), threads_for(count), 0, stream()>>>(
            sums, static_cast<T*>(out.weight), static_cast<T*>(out.bias), pointer(grad),
            pointer(input), pointer(stats.mean), pointer(stats.variance), shape.n, shape.c,
            shape.inner, shape.eps);
    TENSORLIB_CUDA_LAUNCHED();
    if (out.input == nullptr) return;
    const double part = training ? 1.0 / static_cast<double>(count) : 0.0;
    TENSORLIB_LAUNCH(total,
                     (static_cast<T*>(out.input), sums, pointer(grad), pointer(input),
                      pointer(stats.weight), pointer(stats.mean), pointer(stats.variance), total,
                      shape.c, shape.inner, shape.eps, part),
                     kernels::channel_gradient<T, C>);
  });
}

}  // namespace tensorlib::cuda
