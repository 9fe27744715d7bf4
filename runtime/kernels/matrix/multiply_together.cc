// Products of matrices for a warp at once, compiled for several processors. Each sum is made as in
// multiply.cc, in the same order.

#include "kernels/matrix/multiply_together.h"

#include <cmath>

#include "kernels/matrix/product_of_warp.h"

namespace xfer::kernels::matrix::together {
namespace {

void multiply_anywhere(std::uint64_t product, std::uint32_t how, std::byte* registers) {
  multiply_warp(product, how, registers,
                [](double sum, double a, double b) { return std::fma(a, b, sum); });
}

#ifdef __x86_64__
[[gnu::target("avx2,fma")]] void multiply_avx2(std::uint64_t product, std::uint32_t how,
                                               std::byte* registers) {
  multiply_warp(product, how, registers,
                [](double sum, double a, double b) { return __builtin_fma(a, b, sum); });
  __builtin_ia32_vzeroupper();  // which GCC 12 forgets
}

[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,fma")]] void multiply_avx512(
    std::uint64_t product, std::uint32_t how, std::byte* registers) {
  multiply_warp(product, how, registers,
                [](double sum, double a, double b) { return __builtin_fma(a, b, sum); });
  __builtin_ia32_vzeroupper();
}
#endif

std::vector<Multiply> found_multiplies() {
  std::vector<Multiply> found;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    found.push_back(multiply_avx512);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    found.push_back(multiply_avx2);
#endif
  found.push_back(multiply_anywhere);
  return found;
}

}  // namespace

const std::vector<Multiply>& multiplies() {
  static const std::vector<Multiply> all = found_multiplies();
  return all;
}

void multiply(std::uint64_t product, std::uint32_t how, std::byte* registers) {
  static const Multiply best = multiplies().front();
  best(product, how, registers);
}

}  // namespace xfer::kernels::matrix::together
