#pragma once
// How a product goes into a sum, for each kind of elements.

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/matrix/matrix.h"
#include "kernels/support.h"

namespace xfer::kernels::matrix {

/// Calls with_floats(step) or with_integers(step), where step(sum, a, b) gives the next sum.
template <typename WithFloats, typename WithIntegers>
void with_step(const Product& product, std::uint32_t how, WithFloats with_floats,
               WithIntegers with_integers) {
  if (product.a == Element::kF64 && (how & kRounding) != 0) {
    with_floats([how](double sum, double a, double b) {
      return rounding::fma(a, b, sum, how & kRounding);
    });
  } else if (product.a == Element::kF64) {
    with_floats([](double sum, double a, double b) { return std::fma(a, b, sum); });
  } else if (!kind_of(product.a).integer) {
    with_floats([](double sum, double a, double b) { return sum + a * b; });
  } else if (product.a != Element::kB1) {
    with_integers([](std::int32_t sum, std::int32_t a, std::int32_t b) { return sum + a * b; });
  } else {
    with_integers([how](std::int32_t sum, std::int32_t a, std::int32_t b) {
      const std::int32_t bits = (how & kAnd) != 0 ? a & b : a ^ b;
      return sum + std::popcount(static_cast<std::uint32_t>(bits));
    });
  }
}

}  // namespace xfer::kernels::matrix
