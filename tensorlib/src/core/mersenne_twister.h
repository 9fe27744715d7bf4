// LibTorch's random numbers on the CPU: MT19937 and its distributions, number for number. One
// sequence, drawn one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "backend/kernel_args.h"
#include "tensorlib/scalar_type.h"

namespace tensorlib {

class MersenneTwister {
 public:
  explicit MersenneTwister(uint64_t seed) : engine_(static_cast<uint32_t>(seed)) {}

  uint32_t random() { return engine_(); }
  uint64_t random64() {
    const uint64_t high = engine_();
    return high << 32 | engine_();
  }

  // n numbers of type T; a and b as in RandomSpec.
  template <class T>
  void fill(T* out, int64_t n, Distribution distribution, double a, double b);

 private:
  // Of [0, 1), with as many bits as T has.
  template <class T>
  T unit();
  template <class T>
  void fill_normal(T* out, int64_t n, double mean, double deviation);

  std::mt19937 engine_;
  std::optional<double> next_normal_;  // they come in pairs
};

}  // namespace tensorlib
