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

// `places`: of max alone, and there it may be null.
template <Pooling pooling, class T>
__global__ void pool2d(T* out, int64_t* places, const T* input, int64_t planes, int64_t h,
                       int64_t w, int64_t out_h, int64_t out_w, TENSORLIB_WINDOW_PARAMETERS) {
  const Pool2dShape s{planes, h, w, out_h, out_w, TENSORLIB_WINDOW};
  TENSORLIB_GRID_LOOP(i, planes * out_h * out_w) {
    const int64_t x = i % out_w, y = i / out_w % out_h;
    const T* const in = input + i / (out_h * out_w) * h * w;
    if constexpr (pooling == Pooling::max) {
      const MaxOfWindow<T> found = max_of_window(s, in, y, x);
      out[i] = found.value;
      if (places != nullptr) places[i] = found.place;
    } else if constexpr (pooling == Pooling::adaptive) {
      out[i] = mean_of_share(s, in, y, x);
    } else {
      out[i] = mean_of_window(s, pooling == Pooling::average_of_padded, in, y, x);
    }
  }
}

// One thread for each element of the image: it looks at the windows over it, so that nothing is
// added by two threads.
template <Pooling pooling, class T>
__global__ void pool2d_gradient(T* image, const T* grad, const int64_t* places, int64_t planes,
                                int64_t h, int64_t w, int64_t out_h, int64_t out_w,
                                TENSORLIB_WINDOW_PARAMETERS) {
  const Pool2dShape s{planes, h, w, out_h, out_w, TENSORLIB_WINDOW};
  TENSORLIB_GRID_LOOP(i, planes * h * w) {
    const int64_t x = i % w, y = i / w % h, plane = i / (h * w) * out_h * out_w;
    const T* const from = grad + plane;
    if constexpr (pooling == Pooling::max) {
      image[i] = gradient_of_max(s, from, places + plane, y, x);
    } else if constexpr (pooling == Pooling::adaptive) {
      image[i] = gradient_of_share(s, from, y, x);
    } else {
      image[i] = gradient_of_mean(s, pooling == Pooling::average_of_padded, from, y, x);
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

// The transposed of columns(): each element of `channels` channels of the images is the sum of the
// column elements that come from it.
template <class T>
__global__ void image_of_columns(T* image, const T* columns, int64_t images, int64_t channels,
                                 int64_t image_stride, int64_t h, int64_t w, int64_t out_h,
                                 int64_t out_w, TENSORLIB_WINDOW_PARAMETERS) {
  const Conv2dShape s{1, channels, h, w, 1, out_h, out_w, 1, TENSORLIB_WINDOW};
  const int64_t own = channels * h * w, places = out_h * out_w;
  TENSORLIB_GRID_LOOP(i, images * own) {
    const int64_t n = i / own, at = i % own;
    const T* const from = columns + n * channels * kernel_h * kernel_w * places;
    image[n * image_stride + at] = sum_of_columns(s, from, at / (h * w), at / w % h, at % w);
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

// The sums over a channel that the gradients of batch norm are made of, one block for each channel:
// of the gradient, and of the gradient times the normalised input. sums is [2, c]; weight and bias
// (may be null) get them in the tensors' type.
template <class T, class C>
__global__ void channel_gradient_sums(C* sums, T* weight, T* bias, const T* grad, const T* input,
                                      const T* mean, const T* variance, int64_t n, int64_t c,
                                      int64_t inner, double eps) {
  const auto add = [](C a, C b) { return a + b; };
  const C centre = static_cast<C>(mean[blockIdx.x]);
  const C s = C(1) / std::sqrt(static_cast<C>(variance[blockIdx.x]) + static_cast<C>(eps));
  C sum = 0, weighted = 0;
  for (int64_t i = threadIdx.x; i < n * inner; i += blockDim.x) {
    const int64_t at = (i / inner * c + blockIdx.x) * inner + i % inner;
    const C g = static_cast<C>(grad[at]);
    sum += g;
    weighted += g * (static_cast<C>(input[at]) - centre) * s;
  }
  sum = block_reduce(sum, add);
  weighted = block_reduce(weighted, add);
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = sum;
  sums[c + blockIdx.x] = weighted;
  if (weight != nullptr) weight[blockIdx.x] = static_cast<T>(weighted);
  if (bias != nullptr) bias[blockIdx.x] = static_cast<T>(sum);
}

// `part`: 1 / (elements of a channel) where mean and variance are the batch's own, else 0.
template <class T, class C>
__global__ void channel_gradient(T* out, const C* sums, const T* grad, const T* input,
                                 const T* weight, const T* mean, const T* variance, int64_t total,
                                 int64_t c, int64_t inner, double eps, double part) {
  TENSORLIB_GRID_LOOP(i, total) {
    const int64_t channel = i / inner % c;
    const C s = C(1) / std::sqrt(static_cast<C>(variance[channel]) + static_cast<C>(eps));
    const C normal = (static_cast<C>(input[i]) - static_cast<C>(mean[channel])) * s;
    const C share = static_cast<C>(part);
    const C centred =
        static_cast<C>(grad[i]) - share * sums[channel] - share * normal * sums[c + channel];
    const C scale = weight != nullptr ? s * static_cast<C>(weight[channel]) : s;
    out[i] = static_cast<T>(centred * scale);
  }
}

}  // namespace tensorlib::kernels
