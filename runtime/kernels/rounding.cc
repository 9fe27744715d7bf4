// Compiled so that the compiler knows of rounding modes.

#include <xmmintrin.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "kernels/support.h"

namespace xfer::kernels::rounding {
namespace {

/// The rounding mode, until it goes: SSE's alone, as fesetround() sets x87's too and takes ten
/// times as long.
class Mode {
 public:
  explicit Mode(std::uint32_t how) : before_(_mm_getcsr()) {
    constexpr std::uint32_t kModes[] = {_MM_ROUND_NEAREST, _MM_ROUND_TOWARD_ZERO, _MM_ROUND_DOWN,
                                        _MM_ROUND_UP};
    _mm_setcsr((before_ & ~std::uint32_t{_MM_ROUND_MASK}) | kModes[how & 3]);
  }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;
  ~Mode() { _mm_setcsr(before_); }

 private:
  std::uint32_t before_;
};

/// The operation between the two changes of the mode, whatever the optimiser thinks.
template <class Result, class Operation>
Result in_mode(std::uint32_t how, Operation operation) {
  const Mode mode(how);
  volatile Result result = operation();
  return result;
}

template <class To, class From>
To converted(From a, std::uint32_t how) {
  volatile From value = a;
  return in_mode<To>(how, [&] { return static_cast<To>(value); });
}

template <class Integer>
double odd(Integer a) {
  const double down = converted<double>(a, 1);
  const double up = converted<double>(a, a < Integer{} ? 2 : 3);
  if (down == up) return down;
  std::int64_t bits;
  __builtin_memcpy(&bits, &down, sizeof(bits));
  return (bits & 1) != 0 ? down : up;
}

/// The neighbour of `nearest` where the exact result lies beyond it in the direction that `how`
/// names. `error` is the exact result less `nearest`, which is a number and not 0.
template <class T>
T directed(T nearest, double error, std::uint32_t how) {
  const bool up = how == 3 || (how == 1 && nearest < 0);
  if (error == 0 || up != (error > 0)) return nearest;
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  return std::bit_cast<T>(std::bit_cast<Bits>(nearest) + (up == (nearest > 0) ? 1 : -1));
}

/// Changing the mode takes longer than the sum, so the error of the nearest one is computed. None
/// where that may not be exact, or the result's sign is all that there is.
template <class T>
std::optional<T> quick_sum(T x, T y, std::uint32_t how) {
  const T sum = x + y;
  const T of_y = sum - x;
  const T error = (x - (sum - of_y)) + (y - of_y);
  if (how == 0 || sum == 0 || !std::isfinite(sum) || !std::isfinite(error)) return std::nullopt;
  return directed(sum, error, how);
}

std::optional<float> quick_product(float x, float y, std::uint32_t how) {
  const double exact = double{x} * double{y};
  const auto product = static_cast<float>(exact);
  if (how == 0 || product == 0 || !std::isfinite(product)) return std::nullopt;
  return directed(product, exact - double{product}, how);
}

std::optional<double> quick_product(double x, double y, std::uint32_t how) {
  constexpr double kSmallest = std::numeric_limits<double>::min() * (std::uint64_t{1} << 54);
  const double product = x * y;
  if (how == 0 || std::fabs(product) < kSmallest || !std::isfinite(product)) return std::nullopt;
  return directed(product, std::fma(x, y, -product), how);
}

}  // namespace

#define XFER_BINARY(NAME, TYPE, EXPRESSION, QUICK)                   \
  TYPE NAME(TYPE x, TYPE y, std::uint32_t how) {                     \
    if (const std::optional<TYPE> quick = QUICK) return *quick;      \
    volatile TYPE a = x;                                             \
    volatile TYPE b = y;                                             \
    return in_mode<TYPE>(how, [&]() -> TYPE { return EXPRESSION; }); \
  }
XFER_BINARY(add, float, a + b, quick_sum(x, y, how))
XFER_BINARY(add, double, a + b, quick_sum(x, y, how))
XFER_BINARY(mul, float, a* b, quick_product(x, y, how))
XFER_BINARY(mul, double, a* b, quick_product(x, y, how))
XFER_BINARY(div, float, a / b, std::nullopt)
XFER_BINARY(div, double, a / b, std::nullopt)
#undef XFER_BINARY

float fma(float x, float y, float z, std::uint32_t how) {
  volatile float a = x;
  return in_mode<float>(how, [&] { return std::fma(a, y, z); });
}
double fma(double x, double y, double z, std::uint32_t how) {
  volatile double a = x;
  return in_mode<double>(how, [&] { return std::fma(a, y, z); });
}
float sqrt(float x, std::uint32_t how) {
  volatile float a = x;
  return in_mode<float>(how, [&] { return std::sqrt(a); });
}
double sqrt(double x, std::uint32_t how) {
  volatile double a = x;
  return in_mode<double>(how, [&] { return std::sqrt(a); });
}
float to_f32(double a, std::uint32_t how) { return converted<float>(a, how); }
float to_f32(std::int64_t a, std::uint32_t how) { return converted<float>(a, how); }
float to_f32(std::uint64_t a, std::uint32_t how) { return converted<float>(a, how); }
double to_f64(std::int64_t a, std::uint32_t how) { return converted<double>(a, how); }
double to_f64(std::uint64_t a, std::uint32_t how) { return converted<double>(a, how); }
double odd_f64(std::int64_t a) { return odd(a); }
double odd_f64(std::uint64_t a) { return odd(a); }

}  // namespace xfer::kernels::rounding
