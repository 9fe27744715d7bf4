// Sums and products rounded in each direction, against the processor's own in that mode. Compiled
// so that the compiler knows of rounding modes.

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>

#include "kernels/support.h"

namespace xfer::kernels {
namespace {

constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

template <class T, class Operation>
T in_mode(std::uint32_t how, T x, T y, Operation operation) {
  volatile T a = x;
  volatile T b = y;
  std::fesetround(kModes[how]);
  volatile T result = operation(a, b);
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Any bits, of like exponents, small numbers with few bits, and numbers that are hardly any.
template <class T>
class Pairs {
 public:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr unsigned kFraction = sizeof(T) == 4 ? 23 : 52;
  static constexpr Bits kMask = (Bits{1} << kFraction) - 1;

  std::pair<T, T> next() {
    auto x = static_cast<Bits>(random_());
    auto y = static_cast<Bits>(random_());
    switch (count_++ % 4) {
      case 0: break;
      case 1:
        y = (y & kMask) | ((x & ~kMask) + (static_cast<Bits>(random_() % 5) << kFraction));
        break;
      case 2: return {few(), few()};
      case 3: x &= 2 * kMask; break;
    }
    return {std::bit_cast<T>(x), std::bit_cast<T>(y)};
  }

 private:
  T few() { return static_cast<T>(static_cast<int>(random_() % 2001) - 1000) / 8; }

  std::mt19937_64 random_{7};
  unsigned count_ = 0;
};

template <class T>
void expect_same(T got, T expected, std::pair<T, T> of, std::uint32_t how) {
  if (std::isnan(got) && std::isnan(expected)) return;
  using Bits = typename Pairs<T>::Bits;
  ASSERT_EQ(std::bit_cast<Bits>(got), std::bit_cast<Bits>(expected))
      << std::hexfloat << of.first << ", " << of.second << ", mode " << how;
}

template <class T>
void check_all() {
  Pairs<T> pairs;
  for (int i = 0; i < 200'000; ++i) {
    const auto of = pairs.next();
    const auto [x, y] = of;
    for (std::uint32_t how = 0; how < 4; ++how) {
      expect_same(rounding::add(x, y, how), in_mode(how, x, y, [](T a, T b) { return a + b; }), of,
                  how);
      expect_same(rounding::mul(x, y, how), in_mode(how, x, y, [](T a, T b) { return a * b; }), of,
                  how);
      expect_same(rounding::div(x, y, how), in_mode(how, x, y, [](T a, T b) { return a / b; }), of,
                  how);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Rounding, OfFloats) { check_all<float>(); }
TEST(Rounding, OfDoubles) { check_all<double>(); }

}  // namespace
}  // namespace xfer::kernels
