// Filling, converting and copying: fill, arange, random, convert.
#include <cstring>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/parallel.h"
#include "backend/cpu/transpose.h"
#include "backend/dispatch.h"
#include "kernels/functors.h"
#include "kernels/philox.h"

namespace tensorlib::cpu {

void CpuBackend::fill(ScalarType type, const Geometry<1>& geometry, void* out, Scalar value) {
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T number = value.to<T>();
    const int64_t stride = inner_stride(geometry, 0);
    for_each_run(geometry, [&](const int64_t* offsets, int64_t n) {
      T* to = static_cast<T*>(out) + offsets[0];
      if (stride == 1) {
        std::fill_n(to, n, number);
      } else {
        for (int64_t i = 0; i < n; ++i) to[i * stride] = number;
      }
    });
  });
}

void CpuBackend::arange(ScalarType type, void* out, int64_t n, Scalar start, Scalar step) {
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = static_cast<T*>(out);
    if constexpr (std::is_integral_v<T>) {
      const int64_t first = start.toLong(), by = step.toLong();
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(first + i * by);
    } else {
      const double first = start.toDouble(), by = step.toDouble();
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(first + static_cast<double>(i) * by);
    }
  });
}

void CpuBackend::random(ScalarType type, void* out, int64_t n, const RandomSpec& spec) {
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = static_cast<T*>(out);
    parallel_for((n + 3) / 4, kGrain / 32, [&](int64_t begin, int64_t end) {
      for (int64_t group = begin; group < end; ++group) {
        const auto words = kernels::philox(spec.seed, spec.offset + static_cast<uint64_t>(group));
        for (int i = 0; i < 4 && group * 4 + i < n; ++i) {
          to[group * 4 + i] =
              static_cast<T>(kernels::random_number(words, i, spec.distribution, spec.a, spec.b));
        }
      }
    });
  });
}

void CpuBackend::convert(const Geometry<2>& geometry, void* out, ScalarType to, const void* in,
                         ScalarType from) {
  dispatch_all(from, [&](auto from_tag) {
    using From = typename decltype(from_tag)::type;
    dispatch_all(to, [&](auto to_tag) {
      using To = typename decltype(to_tag)::type;
      if constexpr (std::is_same_v<From, To>) {
        if (is_transposed(geometry)) {
          using Bits = BitsOf<sizeof(To)>;
          copy_transposed(geometry, static_cast<Bits*>(out), static_cast<const Bits*>(in));
          return;
        }
      }
      for_each_run(geometry, [&](const int64_t* offsets, int64_t n) {
        To* target = static_cast<To*>(out) + offsets[0];
        const From* source = static_cast<const From*>(in) + offsets[1];
        const int64_t so = inner_stride(geometry, 0), si = inner_stride(geometry, 1);
        if constexpr (std::is_same_v<From, To>) {
          if (so == 1 && si == 1) {
            std::memcpy(target, source, static_cast<size_t>(n) * sizeof(To));
            return;
          }
        }
        for (int64_t i = 0; i < n; ++i) {
          target[i * so] = kernels::convert<To>(source[i * si]);
        }
      });
    });
  });
}

}  // namespace tensorlib::cpu
