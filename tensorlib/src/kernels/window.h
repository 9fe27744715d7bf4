// One output element of a pooling: the window that it looks at, reduced. The definition for CPU and
// CUDA.
#pragma once

#include "backend/kernel_args.h"
#include "kernels/functors.h"

namespace tensorlib::kernels {

// The taps [first, last) of a window that starts at `start` and lie inside [0, size).
struct Taps {
  int64_t first, last;
};
TENSORLIB_HOST_DEVICE inline Taps taps_inside(int64_t start, int64_t kernel, int64_t dilation,
                                              int64_t size) {
  const int64_t first = start < 0 ? (-start + dilation - 1) / dilation : 0;
  const int64_t room = size <= start ? 0 : (size - start + dilation - 1) / dilation;
  return {first, room < kernel ? room : kernel};
}

template <class T>
TENSORLIB_HOST_DEVICE T max_of_window(const Pool2dShape& s, const T* in, int64_t y, int64_t x) {
  using C = Compute<T>;
  const Window2d& w = s.window;
  const int64_t top = y * w.stride[0] - w.padding[0], left = x * w.stride[1] - w.padding[1];
  const Taps rows = taps_inside(top, w.kernel[0], w.dilation[0], s.h);
  const Taps columns = taps_inside(left, w.kernel[1], w.dilation[1], s.w);
  const T* corner = in + (top + rows.first * w.dilation[0]) * s.w + left;
  C best = static_cast<C>(corner[columns.first * w.dilation[1]]);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    const T* row = in + (top + i * w.dilation[0]) * s.w + left;
    for (int64_t j = columns.first; j < columns.last; ++j) {
      best = combine<ReduceOp::amax, C>(best, static_cast<C>(row[j * w.dilation[1]]));
    }
  }
  return static_cast<T>(best);
}

template <class T>
TENSORLIB_HOST_DEVICE T mean_of_window(const Pool2dShape& s, bool count_padding, const T* in,
                                       int64_t y, int64_t x) {
  using C = Compute<T>;
  const Window2d& w = s.window;
  const int64_t top = y * w.stride[0] - w.padding[0], left = x * w.stride[1] - w.padding[1];
  const Taps rows = taps_inside(top, w.kernel[0], 1, s.h);
  const Taps columns = taps_inside(left, w.kernel[1], 1, s.w);
  C sum = 0;
  for (int64_t i = rows.first; i < rows.last; ++i) {
    for (int64_t j = columns.first; j < columns.last; ++j) {
      sum += static_cast<C>(in[(top + i) * s.w + left + j]);
    }
  }
  // The padding counts as far as it was asked for, not what ceil_mode adds beyond it.
  const int64_t bottom = top + w.kernel[0], right = left + w.kernel[1];
  const int64_t full_h = (bottom < s.h + w.padding[0] ? bottom : s.h + w.padding[0]) - top;
  const int64_t full_w = (right < s.w + w.padding[1] ? right : s.w + w.padding[1]) - left;
  const int64_t inside = (rows.last - rows.first) * (columns.last - columns.first);
  return static_cast<T>(sum / static_cast<C>(count_padding ? full_h * full_w : inside));
}

// The mean of an output's share of the image, for any output size.
template <class T>
TENSORLIB_HOST_DEVICE T mean_of_share(const Pool2dShape& s, const T* in, int64_t y, int64_t x) {
  using C = Compute<T>;
  const int64_t top = y * s.h / s.out_h, bottom = ((y + 1) * s.h + s.out_h - 1) / s.out_h;
  const int64_t left = x * s.w / s.out_w, right = ((x + 1) * s.w + s.out_w - 1) / s.out_w;
  C sum = 0;
  for (int64_t i = top; i < bottom; ++i) {
    for (int64_t j = left; j < right; ++j) sum += static_cast<C>(in[i * s.w + j]);
  }
  return static_cast<T>(sum / static_cast<C>((bottom - top) * (right - left)));
}

// Where element `i` of a convolution's column matrix [channels * kh * kw, out_h * out_w] comes
// from.
template <class T>
TENSORLIB_HOST_DEVICE T column_element(const Conv2dShape& s, const T* image, int64_t row,
                                       int64_t at) {
  const Window2d& w = s.window;
  const int64_t kx = row % w.kernel[1], ky = row / w.kernel[1] % w.kernel[0];
  const int64_t c = row / (w.kernel[0] * w.kernel[1]);
  const int64_t y = at / s.out_w * w.stride[0] - w.padding[0] + ky * w.dilation[0];
  const int64_t x = at % s.out_w * w.stride[1] - w.padding[1] + kx * w.dilation[1];
  return y >= 0 && y < s.h && x >= 0 && x < s.w ? image[(c * s.h + y) * s.w + x] : T(0);
}

}  // namespace tensorlib::kernels
