#include "core/mersenne_twister.h"

#include <cmath>
#include <type_traits>

#include "kernels/functors.h"

namespace tensorlib {

namespace {

constexpr double kTwoPi = 6.283185307179586;

// Eight pairs of uniform numbers become eight pairs of normal ones, by Box and Muller.
template <class T>
void normals_of_sixteen(T* data, T mean, T deviation) {
  for (int i = 0; i < 8; ++i) {
    const T u = 1 - data[i];
    const T radius = std::sqrt(-2 * std::log(u));
    const T angle = static_cast<T>(kTwoPi) * data[i + 8];
    data[i] = radius * std::cos(angle) * deviation + mean;
    data[i + 8] = radius * std::sin(angle) * deviation + mean;
  }
}

}  // namespace

template <class T>
T MersenneTwister::unit() {
  if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>(random64() & ((uint64_t{1} << 53) - 1)) * 0x1p-53;
  } else {
    return static_cast<float>(random() & ((uint32_t{1} << 24) - 1)) * 0x1p-24f;
  }
}

template <class T>
void MersenneTwister::fill_normal(T* out, int64_t n, double mean, double deviation) {
  if constexpr (kernels::is_reduced<T>) {
    for (int64_t i = 0; i < n; ++i) {
      float number = 0;
      fill_normal(&number, 1, mean, deviation);
      out[i] = T(number);
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    if (n >= 16) {
      const T centre = static_cast<T>(mean), scale = static_cast<T>(deviation);
      for (int64_t i = 0; i < n; ++i) out[i] = unit<T>();
      for (int64_t i = 0; i + 16 <= n; i += 16) normals_of_sixteen(out + i, centre, scale);
      if (n % 16 != 0) {  // the last sixteen once more, from new numbers
        for (int64_t i = n - 16; i < n; ++i) out[i] = unit<T>();
        normals_of_sixteen(out + n - 16, centre, scale);
      }
      return;
    }
    for (int64_t i = 0; i < n; ++i) {
      double normal;
      if (next_normal_) {
        normal = *next_normal_;
        next_normal_.reset();
      } else {
        const double angle = kTwoPi * unit<double>();
        const double radius = std::sqrt(-2 * std::log1p(-unit<double>()));
        normal = radius * std::cos(angle);
        next_normal_ = radius * std::sin(angle);
      }
      out[i] = static_cast<T>(normal * deviation + mean);
    }
  }
}

template <class T>
void MersenneTwister::fill(T* out, int64_t n, Distribution distribution, double a, double b) {
  using U = std::conditional_t<std::is_same_v<T, double>, double, float>;
  switch (distribution) {
    case Distribution::uniform:
      for (int64_t i = 0; i < n; ++i) {
        out[i] = static_cast<T>(unit<U>() * static_cast<U>(b - a) + static_cast<U>(a));
      }
      return;
    case Distribution::normal: fill_normal(out, n, a, b); return;
    case Distribution::integer: {
      const auto range = static_cast<uint64_t>(b - a);
      const auto low = static_cast<int64_t>(a);
      for (int64_t i = 0; i < n; ++i) {
        const uint64_t word = range >= uint64_t{1} << 32 ? random64() : random();
        out[i] = static_cast<T>(static_cast<int64_t>(word % range) + low);
      }
      return;
    }
    case Distribution::bernoulli:
      for (int64_t i = 0; i < n; ++i) {
        out[i] = static_cast<T>(unit<double>() < 1 - a ? static_cast<U>(b) : U(0));
      }
      return;
  }
}

#define TENSORLIB_SCALAR_TYPE(type, name, text) \
  template void MersenneTwister::fill<type>(type*, int64_t, Distribution, double, double);
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE

}  // namespace tensorlib
