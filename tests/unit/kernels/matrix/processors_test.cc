// Products of matrices give the same bits on every processor that they are compiled for.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>

#include "kernels/matrix/matrix.h"
#include "kernels/matrix/multiply_together.h"

namespace xfer::kernels::matrix {
namespace {

using AllRegisters = std::array<std::byte, sizeof(Registers) * kLanes>;

/// Any bits, infinities and NaNs among them; of doubles those below 2, as processors differ in
/// which of two NaNs they give.
AllRegisters any_registers(std::mt19937& random, bool doubles) {
  AllRegisters registers;
  for (std::size_t at = 0; at < registers.size(); at += 4) {
    const auto word = static_cast<std::uint32_t>(random()) & (doubles ? 0xBFFFFFFF : 0xFFFFFFFF);
    std::memcpy(registers.data() + at, &word, sizeof(word));
  }
  return registers;
}

void expect_alike(const Product& product, std::uint32_t how) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const AllRegisters given = any_registers(random, product.a == Element::kF64);
    AllRegisters first = given;
    together::multiplies().front()(std::bit_cast<std::uint64_t>(product), how, first.data());
    for (const together::Multiply multiply : together::multiplies()) {
      AllRegisters result = given;
      multiply(std::bit_cast<std::uint64_t>(product), how, result.data());
      EXPECT_EQ(std::memcmp(result.data(), first.data(), result.size()), 0)
          << kind_of(product.a).name << ' ' << kind_of(product.d).name;
    }
  }
}

TEST(Processors, GiveTheSameProducts) {
  for (const Element sums : {Element::kF32, Element::kF16}) {
    expect_alike({16, 8, 16, Element::kF16, Element::kF16, sums, sums}, 0);
    expect_alike({32, 8, 16, Element::kF16, Element::kF16, sums, sums}, 0);
  }
  for (const Element small : {Element::kE4m3, Element::kE5m2})
    expect_alike({16, 8, 32, small, small, Element::kF32, Element::kF32}, 0);
  expect_alike({8, 32, 16, Element::kBf16, Element::kBf16, Element::kF32, Element::kF32}, 0);
  expect_alike({16, 16, 8, Element::kTf32, Element::kTf32, Element::kF32, Element::kF32}, 0);
}

TEST(Processors, RoundOnceInDoubles) {
  for (const std::uint32_t rounding : {0U, 1U, 2U, 3U})
    expect_alike({16, 8, 8, Element::kF64, Element::kF64, Element::kF64, Element::kF64}, rounding);
}

TEST(Processors, GiveTheSameProductsOfIntegers) {
  for (const std::uint32_t how : {0U, kSaturate}) {
    expect_alike({16, 16, 16, Element::kS8, Element::kU8, Element::kS32, Element::kS32}, how);
    expect_alike({16, 8, 64, Element::kU4, Element::kS4, Element::kS32, Element::kS32}, how);
  }
  for (const std::uint32_t how : {0U, kAnd})
    expect_alike({16, 8, 256, Element::kB1, Element::kB1, Element::kS32, Element::kS32}, how);
}

}  // namespace
}  // namespace xfer::kernels::matrix
