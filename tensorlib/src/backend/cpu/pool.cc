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

}  // namespace

void CpuBackend::max_pool2d(ScalarType type, const Pool2dShape& shape, void* out, int64_t* places,
                            const void* input) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_plane(shape, [&](int64_t plane) {
      const T* in = static_cast<const T*>(input) + plane * shape.h * shape.w;
      const int64_t first = plane * shape.out_h * shape.out_w;
      T* to = static_cast<T*>(out) + first;
      int64_t* place = places == nullptr ? nullptr : places + first;
      for (int64_t y = 0; y < shape.out_h; ++y) {
        for (int64_t x = 0; x < shape.out_w; ++x) {
          const auto found = kernels::max_of_window(shape, in, y, x);
          *to++ = found.value;
          if (place != nullptr) *place++ = found.place;
        }
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
      return kernels::mean_of_share(shape, in, y, x);
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
    for_each_input<T>(shape, image, grad, [&](const T* from, int64_t y, int64_t x) {
      return kernels::gradient_of_share(shape, from, y, x);
    });
  });
}

}  // namespace tensorlib::cpu
