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

// The maximum, and where in the plane it is: the first NaN, else the first of the largest.
template <class T>
struct MaxOfWindow {
  T value;
  int64_t place;
};
template <class T>
TENSORLIB_HOST_DEVICE MaxOfWindow<T> max_of_window(const Pool2dShape& s, const T* in, int64_t y,
                                                   int64_t x) {
  using C = Compute<T>;
  const Window2d& w = s.window;
  const int64_t top = y * w.stride[0] - w.padding[0], left = x * w.stride[1] - w.padding[1];
  const Taps rows = taps_inside(top, w.kernel[0], w.dilation[0], s.h);
  const Taps columns = taps_inside(left, w.kernel[1], w.dilation[1], s.w);
  int64_t place = (top + rows.first * w.dilation[0]) * s.w + left + columns.first * w.dilation[1];
  C best = static_cast<C>(in[place]);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    const int64_t row = (top + i * w.dilation[0]) * s.w + left;
    for (int64_t j = columns.first; j < columns.last; ++j) {
      const int64_t at = row + j * w.dilation[1];
      const C value = static_cast<C>(in[at]);
      if (!(value <= best) && best == best) {  // a NaN takes the place of a number, and keeps it
        best = value;
        place = at;
      }
    }
  }
  return {static_cast<T>(best), place};
}

// The windows of one direction that contain `at`: those that start at a multiple of the stride.
struct Windows {
  int64_t first, last;  // [first, last)
};
TENSORLIB_HOST_DEVICE inline Windows windows_over(const Window2d& w, int d, int64_t at,
                                                  int64_t out) {
  const int64_t reach = w.dilation[d] * (w.kernel[d] - 1) + 1;
  const int64_t end = at + w.padding[d];  // the last start, the padding before the image counted
  const int64_t first = end < reach ? 0 : (end - reach) / w.stride[d] + 1;
  const int64_t last = end / w.stride[d] + 1;
  return {first, last < out ? last : out};
}

// The gradient of a plane's element (y, x) from that of the maxima: of the windows that took it.
template <class T>
TENSORLIB_HOST_DEVICE T gradient_of_max(const Pool2dShape& s, const T* grad, const int64_t* places,
                                        int64_t y, int64_t x) {
  Compute<T> sum = 0;
  const Windows rows = windows_over(s.window, 0, y, s.out_h);
  const Windows columns = windows_over(s.window, 1, x, s.out_w);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    for (int64_t j = columns.first; j < columns.last; ++j) {
      const int64_t at = i * s.out_w + j;
      if (places[at] == y * s.w + x) sum += static_cast<Compute<T>>(grad[at]);
    }
  }
  return static_cast<T>(sum);
}

// How many elements window (y, x) averages. The padding counts as far as it was asked for, not what
// ceil_mode adds beyond it.
TENSORLIB_HOST_DEVICE inline int64_t averaged(const Pool2dShape& s, bool count_padding, int64_t y,
                                              int64_t x) {
  const Window2d& w = s.window;
  const int64_t top = y * w.stride[0] - w.padding[0], left = x * w.stride[1] - w.padding[1];
  if (!count_padding) {
    const Taps rows = taps_inside(top, w.kernel[0], 1, s.h);
    const Taps columns = taps_inside(left, w.kernel[1], 1, s.w);
    return (rows.last - rows.first) * (columns.last - columns.first);
  }
  const int64_t bottom = top + w.kernel[0], right = left + w.kernel[1];
  return ((bottom < s.h + w.padding[0] ? bottom : s.h + w.padding[0]) - top) *
         ((right < s.w + w.padding[1] ? right : s.w + w.padding[1]) - left);
}

// The gradient of a plane's element (y, x) from that of the means.
template <class T>
TENSORLIB_HOST_DEVICE T gradient_of_mean(const Pool2dShape& s, bool count_padding, const T* grad,
                                         int64_t y, int64_t x) {
  using C = Compute<T>;
  C sum = 0;
  const Windows rows = windows_over(s.window, 0, y, s.out_h);
  const Windows columns = windows_over(s.window, 1, x, s.out_w);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    for (int64_t j = columns.first; j < columns.last; ++j) {
      sum +=
          static_cast<C>(grad[i * s.out_w + j]) / static_cast<C>(averaged(s, count_padding, i, j));
    }
  }
  return static_cast<T>(sum);
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
  return static_cast<T>(sum / static_cast<C>(averaged(s, count_padding, y, x)));
}

// The part of an image that output (y, x) is the mean of, where the output may have any size.
struct Share {
  int64_t top, bottom, left, right;

  TENSORLIB_HOST_DEVICE int64_t size() const { return (bottom - top) * (right - left); }
  TENSORLIB_HOST_DEVICE bool holds(int64_t y, int64_t x) const {
    return y >= top && y < bottom && x >= left && x < right;
  }
};
TENSORLIB_HOST_DEVICE inline Share share_of(const Pool2dShape& s, int64_t y, int64_t x) {
  return {y * s.h / s.out_h, ((y + 1) * s.h + s.out_h - 1) / s.out_h, x * s.w / s.out_w,
          ((x + 1) * s.w + s.out_w - 1) / s.out_w};
}

template <class T>
TENSORLIB_HOST_DEVICE T mean_of_share(const Pool2dShape& s, const T* in, int64_t y, int64_t x) {
  using C = Compute<T>;
  const Share share = share_of(s, y, x);
  C sum = 0;
  for (int64_t i = share.top; i < share.bottom; ++i) {
    for (int64_t j = share.left; j < share.right; ++j) sum += static_cast<C>(in[i * s.w + j]);
  }
  return static_cast<T>(sum / static_cast<C>(share.size()));
}

// The gradient of a plane's element (y, x) from that of the means of shares. Shares overlap
// where the image's size is no multiple of the output's.
template <class T>
TENSORLIB_HOST_DEVICE T gradient_of_share(const Pool2dShape& s, const T* grad, int64_t y,
                                          int64_t x) {
  using C = Compute<T>;
  C sum = 0;
  for (int64_t i = y * s.out_h / s.h; i < s.out_h && i * s.h / s.out_h <= y; ++i) {
    for (int64_t j = x * s.out_w / s.w; j < s.out_w && j * s.w / s.out_w <= x; ++j) {
      const Share share = share_of(s, i, j);
      if (!share.holds(y, x)) continue;
      sum += static_cast<C>(grad[i * s.out_w + j]) / static_cast<C>(share.size());
    }
  }
  return static_cast<T>(sum);
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

// The transposed of that: the sum of the column matrix's elements that come from (c, y, x).
template <class T>
TENSORLIB_HOST_DEVICE T sum_of_columns(const Conv2dShape& s, const T* columns, int64_t c, int64_t y,
                                       int64_t x) {
  const Window2d& w = s.window;
  Compute<T> sum = 0;
  for (int64_t ky = 0; ky < w.kernel[0]; ++ky) {
    const int64_t top = y + w.padding[0] - ky * w.dilation[0], i = top / w.stride[0];
    if (top < 0 || top % w.stride[0] != 0 || i >= s.out_h) continue;
    for (int64_t kx = 0; kx < w.kernel[1]; ++kx) {
      const int64_t left = x + w.padding[1] - kx * w.dilation[1], j = left / w.stride[1];
      if (left < 0 || left % w.stride[1] != 0 || j >= s.out_w) continue;
      const int64_t row = (c * w.kernel[0] + ky) * w.kernel[1] + kx;
      sum += static_cast<Compute<T>>(columns[(row * s.out_h + i) * s.out_w + j]);
    }
  }
  return static_cast<T>(sum);
}

}  // namespace tensorlib::kernels
