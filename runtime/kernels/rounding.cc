// Compiled so that the compiler knows of rounding modes.

#include <cfenv>
#include <cmath>
#include <cstdint>

#include "kernels/support.h"

namespace xfer::kernels::rounding {
namespace {

/// The rounding mode, until it goes.
class Mode {
 public:
  explicit Mode(std::uint32_t how) : before_(std::fegetround()) {
    constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(kModes[how & 3]);
  }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;
  ~Mode() { std::fesetround(before_); }

 private:
  int before_;
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

}  // namespace

#define XFER_BINARY(NAME, TYPE, EXPRESSION)                          \
  TYPE NAME(TYPE x, TYPE y, std::uint32_t how) {                     \
    volatile TYPE a = x;                                             \
    volatile TYPE b = y;                                             \
    return in_mode<TYPE>(how, [&]() -> TYPE { return EXPRESSION; }); \
  }
XFER_BINARY(add, float, a + b)
XFER_BINARY(add, double, a + b)
XFER_BINARY(mul, float, a* b)
XFER_BINARY(mul, double, a* b)
XFER_BINARY(div, float, a / b)
XFER_BINARY(div, double, a / b)
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
