// Pooling of [planes, h, w] images, planes in parallel.
#include <algorithm>
#include <limits>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/parallel.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"
#include "kernels/window.h"

namespace tensorlib::cpu {

namespace {

template <class F>
void for_each_plane(const Pool2dShape& s, const F& f) {
  const int64_t work = std::max<int64_t>(1, s.out_h * s.out_w * 8);
  parallel_for(s.planes, std::max<int64_t>(1, kGrain / work), [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) f(plane);
  });
}

// Calls f(plane's input, y, x) for every output element and stores what it returns.
template <class T, class F>
void for_each_output(const Pool2dShape& s, void* out, const void* input, const F& f) {
  for_each_plane(s, [&](int64_t plane) {
    const T* in = static_cast<const T*>(input) + plane * s.h * s.w;
    T* to = static_cast<T*>(out) + plane * s.out_h * s.out_w;
    for (int64_t y = 0; y < s.out_h; ++y) {
      for (int64_t x = 0; x < s.out_w; ++x) *to++ = f(in, y, x);
    }
  });
}

// Calls f(plane's gradient, y, x) for every element of the image and stores what it returns.
template <class T, class F>
void for_each_input(const Pool2dShape& s, void* image, const void* grad, const F& f) {
  for_each_plane(s, [&](int64_t plane) {
    const T* from = static_cast<const T*>(grad) + plane * s.out_h * s.out_w;
    T* to = static_cast<T*>(image) + plane * s.h * s.w;
    for (int64_t y = 0; y < s.h; ++y) {
      for (int64_t x = 0; x < s.w; ++x) *to++ = f(from, y, x);
    }
  });
}

// The sum of a run of elements, in several running sums: vector code.
template <class T>
kernels::Compute<T> sum_of_run(const T* in, int64_t n) {
  using C = kernels::Compute<T>;
  constexpr int kLanes = 16;
  C lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += static_cast<C>(in[i + lane]);
  }
  for (; i < n; ++i) lanes[0] += static_cast<C>(in[i]);
  C total = 0;
  for (const C lane : lanes) total += lane;
  return total;
}

// The maxima of outputs [begin, end) of row y, whose windows lie inside the image from side to
// side. Tap by tap, without a branch: which of a window's elements is the largest cannot be
// predicted.
template <int stride, class T>
void max_of_inner_windows(const Pool2dShape& s, const T* in, int64_t y, int64_t begin, int64_t end,
                          T* out, int64_t* places) {
  using C = kernels::Compute<T>;
  constexpr int64_t kPiece = 64;
  const Window2d& w = s.window;
  const int64_t top = y * w.stride[0] - w.padding[0];
  const kernels::Taps rows = kernels::taps_inside(top, w.kernel[0], w.dilation[0], s.h);
  for (int64_t x = begin; x < end; x += kPiece) {
    const int64_t count = std::min(kPiece, end - x);
    C best[kPiece];
    int32_t place[kPiece];
    const int64_t left = x * stride - w.padding[1];
    const auto tap = [&](int64_t i, int64_t j, auto&& f) {
      const int64_t at = (top + i * w.dilation[0]) * s.w + left + j * w.dilation[1];
      for (int64_t k = 0; k < count; ++k) {
        f(k, static_cast<C>(in[at + k * stride]), static_cast<int32_t>(at + k * stride));
      }
    };
    tap(rows.first, 0, [&](int64_t k, C value, int32_t at) {
      best[k] = value;
      place[k] = at;
    });
    for (int64_t i = rows.first; i < rows.last; ++i) {
      for (int64_t j = 0; j < w.kernel[1]; ++j) {
        tap(i, j, [&](int64_t k, C value, int32_t at) {
          // A NaN takes the place of a number, and keeps it.
          const bool takes = !(value <= best[k]) & (best[k] == best[k]);
          best[k] = takes ? value : best[k];
          place[k] = takes ? at : place[k];
        });
      }
    }
    for (int64_t k = 0; k < count; ++k) out[x + k] = static_cast<T>(best[k]);
    if (places != nullptr) std::copy_n(place, count, places + x);
  }
}

// One row of maxima.
template <class T>
void max_of_row(const Pool2dShape& s, const T* in, int64_t y, T* out, int64_t* places) {
  const Window2d& w = s.window;
  // Outputs [begin, end) have their windows inside.
  int64_t begin = 0, end = 0;
  const bool small = s.h * s.w <= std::numeric_limits<int32_t>::max();
  if (small && (w.stride[1] == 1 || w.stride[1] == 2)) {
    begin = std::min(s.out_w, (w.padding[1] + w.stride[1] - 1) / w.stride[1]);
    const int64_t room = s.w + w.padding[1] - w.dilation[1] * (w.kernel[1] - 1) - 1;
    end = room < 0 ? begin : std::clamp(room / w.stride[1] + 1, begin, s.out_w);
    if (w.stride[1] == 1) {
      max_of_inner_windows<1>(s, in, y, begin, end, out, places);
    } else {
      max_of_inner_windows<2>(s, in, y, begin, end, out, places);
    }
  }
  for (int64_t x = 0; x < s.out_w; ++x) {
    if (x == begin && end > begin) x = end;
    if (x >= s.out_w) break;
    const auto found = kernels::max_of_window(s, in, y, x);
    out[x] = found.value;
    if (places != nullptr) places[x] = found.place;
  }
}

}  // namespace

void CpuBackend::max_pool2d(ScalarType type, const Pool2dShape& shape, void* out, int64_t* places,
                            const void* input) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_plane(shape, [&](int64_t plane) {
      const T* in = static_cast<const T*>(input) + plane * shape.h * shape.w;
      const int64_t first = plane * shape.out_h * shape.out_w;
      for (int64_t y = 0; y < shape.out_h; ++y) {
        const int64_t row = first + y * shape.out_w;
        max_of_row(shape, in, y, static_cast<T*>(out) + row,
                   places == nullptr ? nullptr : places + row);
      }
    });
  });
}

void CpuBackend::max_pool2d_gradient(ScalarType type, const Pool2dShape& shape, void* image,
                                     const void* grad, const int64_t* places) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const int64_t outputs = shape.out_h * shape.out_w;
    for_each_plane(shape, [&](int64_t plane) {
      const T* from = static_cast<const T*>(grad) + plane * outputs;
      T* to = static_cast<T*>(image) + plane * shape.h * shape.w;
      if constexpr (kernels::is_reduced<T>) {  // summed before it is rounded
        for (int64_t y = 0; y < shape.h; ++y) {
          for (int64_t x = 0; x < shape.w; ++x) {
            *to++ = kernels::gradient_of_max(shape, from, places + plane * outputs, y, x);
          }
        }
      } else {
        std::fill_n(to, shape.h * shape.w, T(0));
        for (int64_t i = 0; i < outputs; ++i) to[places[plane * outputs + i]] += from[i];
      }
    });
  });
}

void CpuBackend::avg_pool2d(ScalarType type, const Pool2dShape& shape, bool count_padding,
                            void* out, const void* input) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_output<T>(shape, out, input, [&](const T* in, int64_t y, int64_t x) {
      return kernels::mean_of_window(shape, count_padding, in, y, x);
    });
  });
}

void CpuBackend::adaptive_avg_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                                     const void* input) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_output<T>(shape, out, input, [&](const T* in, int64_t y, int64_t x) {
      const kernels::Share share = kernels::share_of(shape, y, x);
      const int64_t width = share.right - share.left;
      kernels::Compute<T> sum = 0;
      if (width == shape.w) {
        sum = sum_of_run(in + share.top * width, share.size());
      } else {
        for (int64_t i = share.top; i < share.bottom; ++i) {
          sum += sum_of_run(in + i * shape.w + share.left, width);
        }
      }
      return static_cast<T>(sum / static_cast<kernels::Compute<T>>(share.size()));
    });
  });
}

void CpuBackend::avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape, bool count_padding,
                                     void* image, const void* grad) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_input<T>(shape, image, grad, [&](const T* from, int64_t y, int64_t x) {
      return kernels::gradient_of_mean(shape, count_padding, from, y, x);
    });
  });
}

void CpuBackend::adaptive_avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape,
                                              void* image, const void* grad) {
  dispatch_floating(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (kernels::is_reduced<T>) {  // summed before it is rounded
      for_each_input<T>(shape, image, grad, [&](const T* from, int64_t y, int64_t x) {
        return kernels::gradient_of_share(shape, from, y, x);
      });
    } else {
      for_each_plane(shape, [&](int64_t plane) {
        const T* from = static_cast<const T*>(grad) + plane * shape.out_h * shape.out_w;
        T* const to = static_cast<T*>(image) + plane * shape.h * shape.w;
        std::fill_n(to, shape.h * shape.w, T(0));
        for (int64_t y = 0; y < shape.out_h; ++y) {
          for (int64_t x = 0; x < shape.out_w; ++x) {
            const kernels::Share share = kernels::share_of(shape, y, x);
            const T part = *from++ / static_cast<T>(share.size());
            for (int64_t i = share.top; i < share.bottom; ++i) {
              for (int64_t j = share.left; j < share.right; ++j) to[i * shape.w + j] += part;
            }
          }
        }
      });
    }
  });
}

}  // namespace tensorlib::cpu
