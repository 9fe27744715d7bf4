// Kernels on images: pooling, a convolution's columns, batch norm. CPU references:
// backend/cpu/{pool,conv,norm}.cc.
#pragma once

#include "kernels/functors.h"
#include "kernels/launch.cuh"
#include "kernels/window.h"

namespace tensorlib::kernels {

enum class Pooling : uint8_t { max, average, average_of_padded, adaptive };

// A Window2d as kernel parameters, as an argument list, and back.
#define TENSORLIB_WINDOW_PARAMETERS                                                          \
  int64_t kernel_h, int64_t kernel_w, int64_t stride_h, int64_t stride_w, int64_t padding_h, \
      int64_t padding_w, int64_t dilation_h, int64_t dilation_w
#define TENSORLIB_WINDOW_ARGUMENTS(w)                                                         \
  (w).kernel[0], (w).kernel[1], (w).stride[0], (w).stride[1], (w).padding[0], (w).padding[1], \
      (w).dilation[0], (w).dilation[1]
#define TENSORLIB_WINDOW                                                                           \
  Window2d {                                                                                       \
    {kernel_h, kernel_w}, {stride_h, stride_w}, {padding_h, padding_w}, { dilation_h, dilation_w } \
  }

template <Pooling pooling, class T>
__global__ void pool2d(T* out, const T* input, int64_t planes, int64_t h, int64_t w, int64_t out_h,
                       int64_t out_w, TENSORLIB_WINDOW_PARAMETERS) {
  const Pool2dShape s{planes, h, w, out_h, out_w, TENSORLIB_WINDOW};
  TENSORLIB_GRID_LOOP(i, planes * out_h * out_w) {
    const int64_t x = i % out_w, y = i / out_w % out_h;
    const T* const in = input + i / (out_h * out_w) * h * w;
    if constexpr (pooling == Pooling::max) {
      out[i] = max_of_window(s, in, y, x);
    } else if constexpr (pooling == Pooling::adaptive) {
      out[i] = mean_of_share(s, in, y, x);
    } else {
      out[i] = mean_of_window(s, pooling == Pooling::average_of_padded, in, y, x);
    }
  }
}

// The column matrices [rows, out_h * out_w] of `images` images that lie `image_stride` elements
// apart.
template <class T>
__global__ void columns(T* out, const T* input, int64_t images, int64_t rows, int64_t image_stride,
                        int64_t h, int64_t w, int64_t out_h, int64_t out_w,
                        TENSORLIB_WINDOW_PARAMETERS) {
  const Conv2dShape s{1, 1, h, w, 1, out_h, out_w, 1, TENSORLIB_WINDOW};
  const int64_t places = out_h * out_w;
  TENSORLIB_GRID_LOOP(i, images * rows * places) {
    const T* const image = input + i / (rows * places) * image_stride;
    out[i] = column_element(s, image, i / places % rows, i % places);
  }
}

// One block for each channel; two passes, as the CPU does.
template <class T>
__global__ void channel_stats(T* mean, T* variance, const T* input, int64_t n, int64_t c,
                              int64_t inner) {
  using C = Compute<T>;
  const auto add = [](C a, C b) { return a + b; };
  const int64_t count = n * inner;
  const auto value = [&](int64_t i) {
    return static_cast<C>(input[(i / inner * c + blockIdx.x) * inner + i % inner]);
  };
  C sum = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) sum += value(i);
  const C average = block_reduce(sum, add) / static_cast<C>(count);
  C squares = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    const C distance = value(i) - average;
    squares += distance * distance;
  }
  squares = block_reduce(squares, add);
  if (threadIdx.x != 0) return;
  mean[blockIdx.x] = static_cast<T>(average);
  variance[blockIdx.x] = static_cast<T>(squares / static_cast<C>(count));
}

// weight and bias may be null.
template <class T>
__global__ void normalize_channels(T* out, const T* input, const T* weight, const T* bias,
                                   const T* mean, const T* variance, int64_t total, int64_t c,
                                   int64_t inner, double eps) {
  using C = Compute<T>;
  TENSORLIB_GRID_LOOP(i, total) {
    const int64_t channel = i / inner % c;
    const C scale = (weight != nullptr ? static_cast<C>(weight[channel]) : C(1)) /
                    std::sqrt(static_cast<C>(variance[channel]) + static_cast<C>(eps));
    const C shift = bias != nullptr ? static_cast<C>(bias[channel]) : C(0);
    out[i] =
        static_cast<T>((static_cast<C>(input[i]) - static_cast<C>(mean[channel])) * scale + shift);
  }
}

}  // namespace tensorlib::kernels
