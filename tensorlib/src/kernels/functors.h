// The arithmetic of each element-wise and reducing operation: the one definition for CPU and CUDA.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "backend/kernel_args.h"
#include "tensorlib/bfloat16.h"
#include "tensorlib/half.h"

namespace tensorlib::kernels {

// A storage type: a floating one that nothing is computed in.
template <class T>
constexpr bool is_reduced = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// The type that arithmetic on a type is done in.
template <class T>
struct ComputeType {
  using type = std::conditional_t<is_reduced<T>, float, T>;
};
template <class T>
using Compute = typename ComputeType<T>::type;

// The type that sums are kept in.
template <class T>
using Accumulate = Compute<T>;

// A number as another type. Out of an integer's range it is the nearest one there (and NaN is 0),
// where C++ leaves it undefined.
template <class To, class From>
TENSORLIB_HOST_DEVICE To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_reduced<From>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (is_reduced<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    constexpr To kLowest = std::numeric_limits<To>::min();
    constexpr To kLargest = std::numeric_limits<To>::max();
    if (value != value) return To(0);
    if (value <= static_cast<From>(kLowest)) return kLowest;
    if (value >= static_cast<From>(kLargest)) return kLargest;
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

// Integer sums and products wrap around, as in LibTorch; unsigned arithmetic says so to the
// compiler.
template <class T>
TENSORLIB_HOST_DEVICE T wrapping_add_mul(T a, T alpha, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || (alpha && b);
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<std::common_type_t<T, int>>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(alpha) * static_cast<U>(b));
  } else {
    return a + alpha * b;
  }
}
template <class T>
TENSORLIB_HOST_DEVICE T wrapping_add(T a, T b) {
  return wrapping_add_mul(a, T(1), b);
}
template <class T>
TENSORLIB_HOST_DEVICE void add_to(T& sum, T number) {
  sum = static_cast<T>(wrapping_add(static_cast<Compute<T>>(sum), static_cast<Compute<T>>(number)));
}
template <class T>
TENSORLIB_HOST_DEVICE T wrapping_mul(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return wrapping_add_mul(T(0), a, b);
  } else {
    return a * b;  // keeps the sign of zero
  }
}

template <class T>
TENSORLIB_HOST_DEVICE bool is_negative(T x) {
  if constexpr (std::is_unsigned_v<T>) {
    return false;
  } else {
    return x < T(0);
  }
}

template <class T>
TENSORLIB_HOST_DEVICE T negated(T x) {
  if constexpr (std::is_integral_v<T>) {
    return wrapping_mul(x, static_cast<T>(-1));
  } else {
    return -x;
  }
}

// Operations that are defined for integers too; the others are of floating types only.
constexpr bool takes_integers(UnaryOp op) {
  return op == UnaryOp::abs || op == UnaryOp::neg || op == UnaryOp::sign || op == UnaryOp::square ||
         op == UnaryOp::relu;
}

template <UnaryOp op, class T>
TENSORLIB_HOST_DEVICE T apply(T x) {
  switch (op) {
    case UnaryOp::abs: return is_negative(x) ? negated(x) : x;
    case UnaryOp::neg: return negated(x);
    case UnaryOp::sign: return static_cast<T>((x > T(0)) - is_negative(x));
    case UnaryOp::square: return wrapping_mul(x, x);
    case UnaryOp::relu: return is_negative(x) ? T(0) : x;  // keeps NaN
    default: break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
      case UnaryOp::exp: return std::exp(x);
      case UnaryOp::log: return std::log(x);
      case UnaryOp::log1p: return std::log1p(x);
      case UnaryOp::sqrt: return std::sqrt(x);
      case UnaryOp::rsqrt: return T(1) / std::sqrt(x);
      case UnaryOp::reciprocal: return T(1) / x;
      case UnaryOp::sin: return std::sin(x);
      case UnaryOp::cos: return std::cos(x);
      case UnaryOp::erf: return std::erf(x);
      case UnaryOp::tanh: return std::tanh(x);
      case UnaryOp::sigmoid: return T(1) / (T(1) + std::exp(-x));
      case UnaryOp::floor: return std::floor(x);
      case UnaryOp::ceil: return std::ceil(x);
      case UnaryOp::round: return std::nearbyint(x);  // ties to even
      case UnaryOp::trunc: return std::trunc(x);
      case UnaryOp::expm1: return std::expm1(x);
      case UnaryOp::log2: return std::log2(x);
      case UnaryOp::log10: return std::log10(x);
      case UnaryOp::tan: return std::tan(x);
      case UnaryOp::asin: return std::asin(x);
      case UnaryOp::acos: return std::acos(x);
      case UnaryOp::atan: return std::atan(x);
      case UnaryOp::sinh: return std::sinh(x);
      case UnaryOp::cosh: return std::cosh(x);
      default: break;
    }
  }
  return x;
}

// Integer power by squaring; a negative exponent is 0, but of 1 and -1.
template <class T>
TENSORLIB_HOST_DEVICE T integer_power(T base, T exponent) {
  if (is_negative(exponent)) {
    return base == T(1) ? T(1) : base == T(-1) ? (exponent % 2 == 0 ? T(1) : T(-1)) : T(0);
  }
  // Wraps instead of overflowing.
  using U = std::make_unsigned_t<std::common_type_t<T, int>>;
  U result = 1, factor = static_cast<U>(base);
  for (U e = static_cast<U>(exponent); e != 0; e = static_cast<U>(e >> 1)) {
    if (e & 1) result = static_cast<U>(result * factor);
    factor = static_cast<U>(factor * factor);
  }
  return static_cast<T>(result);
}

// Of the divisor's sign. By an integer 0 it is 0 here: operations refuse that where they can see
// it.
template <class T>
TENSORLIB_HOST_DEVICE T remainder_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == T(0)) return T(0);
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return T(0);  // the least number by -1 is a trap
    }
    const T rest = static_cast<T>(a % b);
    return rest != T(0) && is_negative(rest) != is_negative(b) ? static_cast<T>(rest + b) : rest;
  } else {
    const T rest = std::fmod(a, b);
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? rest + b : rest;
  }
}

// `alpha` matters to add and slope alone.
template <BinaryOp op, class T>
TENSORLIB_HOST_DEVICE auto apply(T a, T b, T alpha) {
  if constexpr (op == BinaryOp::add) {
    return wrapping_add_mul(a, alpha, b);
  } else if constexpr (op == BinaryOp::mul) {
    return wrapping_mul(a, b);
  } else if constexpr (op == BinaryOp::div) {
    return static_cast<T>(a / b);
  } else if constexpr (op == BinaryOp::pow) {
    if constexpr (std::is_same_v<T, bool>) {
      return a || !b;
    } else if constexpr (std::is_integral_v<T>) {
      return integer_power(a, b);
    } else {
      return std::pow(a, b);
    }
  } else if constexpr (op == BinaryOp::remainder) {
    if constexpr (std::is_same_v<T, bool>) {
      return false;  // refused
    } else {
      return remainder_of(a, b);
    }
  } else if constexpr (is_integer_only(op)) {
    if constexpr (!std::is_integral_v<T>) {
      return a;  // refused
    } else if constexpr (op == BinaryOp::bitwise_and) {
      return static_cast<T>(a & b);
    } else if constexpr (op == BinaryOp::bitwise_or) {
      return static_cast<T>(a | b);
    } else {
      return static_cast<T>(a ^ b);
    }
  } else if constexpr (op == BinaryOp::maximum) {
    return a != a || a > b ? a : b;  // NaN wins
  } else if constexpr (op == BinaryOp::minimum) {
    return a != a || a < b ? a : b;
  } else if constexpr (op == BinaryOp::slope) {
    // Not 0 times an infinite gradient.
    return b > T(0) ? a : alpha == T(0) ? T(0) : alpha * a;
  } else if constexpr (op == BinaryOp::sigmoid_gradient) {
    return a * (T(1) - b) * b;
  } else if constexpr (op == BinaryOp::tanh_gradient) {
    return a * (T(1) - b * b);
  } else if constexpr (op == BinaryOp::eq) {
    return a == b;
  } else if constexpr (op == BinaryOp::ne) {
    return a != b;
  } else if constexpr (op == BinaryOp::lt) {
    return a < b;
  } else if constexpr (op == BinaryOp::le) {
    return a <= b;
  } else if constexpr (op == BinaryOp::gt) {
    return a > b;
  } else {
    static_assert(op == BinaryOp::ge);
    return a >= b;
  }
}

// An element and its place in its row.
template <class C>
struct Ranked {
  C value;
  int64_t index;
};
// The order of topk: the largest (smallest) first, of equal ones the first; NaN is the largest.
template <class C>
TENSORLIB_HOST_DEVICE bool ranks_before(const Ranked<C>& a, const Ranked<C>& b, bool largest) {
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
  if (a_nan != b_nan) return a_nan == largest;
  if (a_nan || a.value == b.value) return a.index < b.index;
  return (a.value > b.value) == largest;
}

template <ReduceOp op, class T>
TENSORLIB_HOST_DEVICE T combine(T a, T b) {
  if constexpr (op == ReduceOp::sum) {
    return wrapping_add(a, b);
  } else if constexpr (op == ReduceOp::amax) {
    return a != a || a > b ? a : b;
  } else {
    return a != a || a < b ? a : b;
  }
}

}  // namespace tensorlib::kernels
