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

// Calls f(plane's input, y, x) for every output element and stores what it returns.
template <class T, class F>
void for_each_output(const Pool2dShape& s, void* out, const void* input, const F& f) {
  const int64_t image = std::max<int64_t>(1, s.out_h * s.out_w * 8);
  parallel_for(s.planes, std::max<int64_t>(1, kGrain / image), [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const T* in = static_cast<const T*>(input) + plane * s.h * s.w;
      T* to = static_cast<T*>(out) + plane * s.out_h * s.out_w;
      for (int64_t y = 0; y < s.out_h; ++y) {
        for (int64_t x = 0; x < s.out_w; ++x) *to++ = f(in, y, x);
      }
    }
  });
}

}  // namespace

void CpuBackend::max_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                            const void* input) {
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_output<T>(shape, out, input, [&](const T* in, int64_t y, int64_t x) {
      return kernels::max_of_window(shape, in, y, x);
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

}  // namespace tensorlib::cpu
