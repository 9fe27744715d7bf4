#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/vision.cuh"

namespace tensorlib::cuda {

namespace {

template <kernels::Pooling pooling>
void pool(cudaStream_t on, ScalarType type, const Pool2dShape& shape, void* out,
          const void* input) {
  const auto stream = [on] { return on; };
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    TENSORLIB_LAUNCH(shape.planes * shape.out_h * shape.out_w,
                     (static_cast<T*>(out), static_cast<const T*>(input), shape.planes, shape.h,
                      shape.w, shape.out_h, shape.out_w, TENSORLIB_WINDOW_ARGUMENTS(shape.window)),
                     kernels::pool2d<pooling, T>);
  });
}

}  // namespace

void CudaBackend::max_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                             const void* input) {
  const DeviceScope scope(device_);
  pool<kernels::Pooling::max>(stream(), type, shape, out, input);
}

void CudaBackend::avg_pool2d(ScalarType type, const Pool2dShape& shape, bool count_padding,
                             void* out, const void* input) {
  const DeviceScope scope(device_);
  if (count_padding) {
    pool<kernels::Pooling::average_of_padded>(stream(), type, shape, out, input);
  } else {
    pool<kernels::Pooling::average>(stream(), type, shape, out, input);
  }
}

void CudaBackend::adaptive_avg_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                                      const void* input) {
  const DeviceScope scope(device_);
  pool<kernels::Pooling::adaptive>(stream(), type, shape, out, input);
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

// A convolution is the product of the weights with the image's columns; a 1x1 one reads the image
// itself.
void CudaBackend::conv2d(ScalarType type, const Conv2dShape& s, void* out, const void* input,
                         const Weight& weight, const void* bias) {
  const DeviceScope scope(device_);
  const Window2d& w = s.window;
  const int64_t size = static_cast<int64_t>(elementSize(type));
  const int64_t group_c = s.c / s.groups, group_out = s.out_c / s.groups;
  const int64_t rows = group_c * w.kernel[0] * w.kernel[1], places = s.out_h * s.out_w;
  const auto at = [size](const void* data, int64_t element) {
    return static_cast<char*>(const_cast<void*>(data)) + element * size;
  };
  bool plain = true;
  for (int d = 0; d < 2; ++d) {
    plain = plain && w.kernel[d] == 1 && w.stride[d] == 1 && w.padding[d] == 0;
  }
  if (bias != nullptr) {  // the product is added to it
    Geometry<2> spread;
    spread.ndim = 3;
    spread.numel = s.n * s.out_c * places;
    const int64_t sizes[3] = {s.n, s.out_c, places};
    const int64_t out_strides[3] = {s.out_c * places, places, 1}, bias_strides[3] = {0, 1, 0};
    for (int d = 0; d < 3; ++d) {
      spread.sizes[d] = sizes[d];
      spread.strides[0][d] = out_strides[d];
      spread.strides[1][d] = bias_strides[d];
    }
    convert(spread, out, type, bias, type);
  }
  // As many images at a time as a bounded buffer of columns holds.
  constexpr int64_t kColumnBytes = int64_t{256} << 20;
  const int64_t at_once =
      plain ? s.n : std::clamp<int64_t>(kColumnBytes / (rows * places * size), 1, s.n);
  const size_t buffer_bytes = plain ? 0 : static_cast<size_t>(at_once * rows * places * size);
  void* const buffer = plain ? nullptr : allocate(buffer_bytes);
  for (int64_t n = 0; n < s.n; n += at_once) {
    const int64_t images = std::min(at_once, s.n - n);
    for (int64_t g = 0; g < s.groups; ++g) {
      const void* const image = at(input, (n * s.c + g * group_c) * s.h * s.w);
      const void* columns = image;
      if (!plain) {
        columns = buffer;
        dispatch_floating(type, [&](auto tag) {
          using T = typename decltype(tag)::type;
          TENSORLIB_LAUNCH(
              images * rows * places,
              (static_cast<T*>(buffer), static_cast<const T*>(image), images, rows, s.c * s.h * s.w,
               s.h, s.w, s.out_h, s.out_w, TENSORLIB_WINDOW_ARGUMENTS(w)),
              kernels::columns<T>);
        });
      }
      const GemmShape product{images,
                              group_out,
                              places,
                              rows,
                              false,
                              false,
                              rows,
                              places,
                              places,
                              0,
                              plain ? s.c * places : rows * places,
                              s.out_c * places,
                              1.0,
                              bias != nullptr ? 1.0 : 0.0};
      gemm(type, product, at(out, (n * s.out_c + g * group_out) * places),
           at(weight.data, g * group_out * rows), columns);
    }
  }
  if (buffer != nullptr) release(buffer, buffer_bytes);
}

}  // namespace tensorlib::cuda
