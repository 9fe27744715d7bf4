#pragma once
// A product of matrices for a warp at once. All of it becomes part of the function that calls it,
// and is compiled for that one's processor.

#include <bit>
#include <cmath>
#include <cstring>

#include "kernels/matrix/decode_unit.h"
#include "kernels/matrix/matrix.h"
#include "kernels/matrix/values.h"
#include "kernels/matrix/warp_registers.h"
#include "kernels/support.h"

namespace xfer::kernels::matrix::together {

inline constexpr unsigned kMostRows = 32;
inline constexpr unsigned kMostColumns = 32;

/// Calls put(row, column, value of the unit) for the units of a matrix. `decode` takes a unit as it
/// lies in registers.
template <typename Unit, unsigned kRun, typename Decode, typename Put>
XFER_WITH_CALLER void for_each_decoded(const Tile& tile, const std::byte* registers, Decode decode,
                                       Put put) {
  using Its = Block<Unit, kRun>;
  for_each_block<Its>(tile, registers, [&](unsigned row, unsigned column, const std::byte* at) {
    Its block;
    block.load(at);
    decltype(decode(Unit{})) values[Its::kUnits];
    for (unsigned i = 0; i < Its::kUnits; ++i) values[i] = decode(block.units[i]);
    for (unsigned i = 0; i < kBlockRows; ++i)
      for (unsigned j = 0; j < Its::kWide; ++j)
        put(row + i, column + j, values[i * Its::kWide + j]);
  });
}

/// The way back: unit(row, column) of each place.
template <typename Unit, unsigned kRun, typename Encode>
XFER_WITH_CALLER void encode_each(const Tile& tile, std::byte* registers, Encode unit) {
  using Its = Block<Unit, kRun>;
  for_each_block<Its>(tile, registers, [&](unsigned row, unsigned column, std::byte* at) {
    Its block;
    for (unsigned i = 0; i < kBlockRows; ++i)
      for (unsigned j = 0; j < Its::kWide; ++j)
        block.units[i * Its::kWide + j] = unit(row + i, column + j);
    block.store(at);
  });
}

/// Calls put(row, k, value) for all of A, or of B, whose rows are its columns.
template <typename Put>
XFER_WITH_CALLER void for_each_factor(Element element, const Tile& tile, const std::byte* registers,
                                      double /*of these*/, Put put) {
  using U8 = std::uint8_t;
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  switch (element) {
    case Element::kF64:
      return for_each_decoded<std::uint64_t, 1>(
          tile, registers, [](std::uint64_t unit) { return std::bit_cast<double>(unit); }, put);
    case Element::kTf32:
      return for_each_decoded<U32, 1>(
          tile, registers, [](U32 unit) { return from_tf32(unit); }, put);
    case Element::kBf16:
      return for_each_decoded<U16, 2>(
          tile, registers, [](U16 unit) { return from_bf16(unit); }, put);
    case Element::kF16:
      return for_each_decoded<U16, 2>(
          tile, registers, [](U16 unit) { return from_f16(unit); }, put);
    case Element::kE5m2:
      return for_each_decoded<U8, 4>(tile, registers, [](U8 unit) { return from_e5m2(unit); }, put);
    default:
      return for_each_decoded<U8, 4>(tile, registers, [](U8 unit) { return from_e4m3(unit); }, put);
  }
}
template <typename Put>
XFER_WITH_CALLER void for_each_factor(Element element, const Tile& tile, const std::byte* registers,
                                      std::int32_t /*of these*/, Put put) {
  using U32 = std::uint32_t;
  const auto as_it_is = [](U32 unit) { return unit; };
  const auto nibbles = [&](auto decode) {
    for_each_decoded<U32, 1>(tile, registers, as_it_is, [&](unsigned row, unsigned k, U32 word) {
      for (unsigned i = 0; i < kNibbles; ++i) put(row, k * kNibbles + i, decode(word, 28 - 4 * i));
    });
  };
  switch (element) {
    case Element::kS8:
      return for_each_decoded<std::int8_t, 4>(
          tile, registers, [](std::int8_t unit) { return std::int32_t{unit}; }, put);
    case Element::kU8:
      return for_each_decoded<std::uint8_t, 4>(
          tile, registers, [](std::uint8_t unit) { return std::int32_t{unit}; }, put);
    case Element::kS4:
      return nibbles([](U32 word, unsigned shift) { return from_s4(word, shift); });
    case Element::kU4:
      return nibbles([](U32 word, unsigned shift) { return from_u4(word, shift); });
    default:
      return for_each_decoded<U32, 1>(
          tile, registers, [](U32 unit) { return static_cast<std::int32_t>(unit); }, put);
  }
}

/// A and B; B is kept turned back, so that the sums of a row are made side by side.
template <typename Value>
struct Factors {
  XFER_WITH_CALLER Factors(const Product& product, const std::byte* registers)
      : depth(product.a_tile().columns * values_of_unit(product.a)) {
    for_each_factor(product.a, product.a_tile(), registers, Value{},
                    [this](unsigned row, unsigned k, auto value) { a[row][k] = value; });
    for_each_factor(product.b, product.b_tile(), registers + place_of(offsetof(Registers, b), 0),
                    Value{},
                    [this](unsigned column, unsigned k, auto value) { b[k][column] = value; });
  }

  unsigned depth;
  Value a[kMostRows][kMostDepth<Value>];
  Value b[kMostDepth<Value>][kMostColumns];
};

template <typename Value>
using Sums = Value[kMostRows][kMostColumns];

/// Values side by side, of which the compiler makes what its processor has.
template <typename Value>
struct SideBySide {
  static constexpr unsigned kCount = 8;  // n is a multiple of it
  typedef Value Vector [[gnu::vector_size(kCount * sizeof(Value))]];
};

/// step(sums, a, b) adds to sums: it takes a value of A and some of B. Rows are made several at
/// once, so that no sum waits for its own.
template <typename Value, typename Step>
XFER_WITH_CALLER void add_products(const Product& product, const Factors<Value>& factors,
                                   Sums<Value>& sums, Step step) {
  using Some = SideBySide<Value>;
  constexpr unsigned kRows = 4;  // m is a multiple of it
  for (unsigned row = 0; row < product.m; row += kRows)
    for (unsigned first = 0; first < product.n; first += Some::kCount) {
      typename Some::Vector some[kRows];
      typename Some::Vector b;
#pragma GCC unroll 4
      for (unsigned r = 0; r < kRows; ++r)
        std::memcpy(&some[r], &sums[row + r][first], sizeof(some[r]));
      for (unsigned k = 0; k < factors.depth; ++k) {
        std::memcpy(&b, &factors.b[k][first], sizeof(b));
#pragma GCC unroll 4
        for (unsigned r = 0; r < kRows; ++r) step(some[r], factors.a[row + r][k], b);
      }
#pragma GCC unroll 4
      for (unsigned r = 0; r < kRows; ++r)
        std::memcpy(&sums[row + r][first], &some[r], sizeof(some[r]));
    }
}

/// step(sum, a, b) gives the next sum, one by one.
template <typename Vector, typename Value, typename Step>
XFER_WITH_CALLER void add_one_by_one(Vector& sums, Value a, const Vector& b, Step step) {
  for (unsigned i = 0; i < sizeof(Vector) / sizeof(Value); ++i) sums[i] = step(sums[i], a, b[i]);
}

XFER_WITH_CALLER void load_sums(const Product& product, const std::byte* registers,
                                Sums<double>& sums) {
  const Tile tile = product.c_tile();
  const auto put = [&](unsigned row, unsigned column, double value) { sums[row][column] = value; };
  switch (product.c) {
    case Element::kF64:
      return for_each_decoded<std::uint64_t, 2>(
          tile, registers, [](std::uint64_t unit) { return std::bit_cast<double>(unit); }, put);
    case Element::kF16:
      return for_each_decoded<std::uint16_t, 2>(
          tile, registers, [](std::uint16_t unit) { return from_f16(unit); }, put);
    default:
      return for_each_decoded<std::uint32_t, 2>(
          tile, registers, [](std::uint32_t unit) { return from_f32(unit); }, put);
  }
}

XFER_WITH_CALLER void store_sums(const Product& product, const Sums<double>& sums,
                                 std::byte* registers) {
  const Tile tile = product.d_tile();
  switch (product.d) {
    case Element::kF64:
      return encode_each<std::uint64_t, 2>(tile, registers, [&](unsigned row, unsigned column) {
        return std::bit_cast<std::uint64_t>(sums[row][column]);
      });
    case Element::kF16:
      return encode_each<std::uint16_t, 2>(tile, registers, [&](unsigned row, unsigned column) {
        std::uint16_t unit;
        store_sum(Element::kF16, sums[row][column], reinterpret_cast<std::byte*>(&unit));
        return unit;
      });
    default:
      return encode_each<std::uint32_t, 2>(tile, registers, [&](unsigned row, unsigned column) {
        const double sum = sums[row][column];
        const auto unit = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
        return sum == sum ? unit : kNanOfSums;
      });
  }
}

/// `fused`: a * b + sum, rounded once.
template <typename Fused>
XFER_WITH_CALLER void multiply_floats(const Product& product, std::uint32_t how,
                                      std::byte* registers, Fused fused) {
  std::byte* const c = registers + place_of(offsetof(Registers, c), 0);
  const Factors<double> factors(product, registers);
  Sums<double> sums;
  load_sums(product, c, sums);
  using Vector = SideBySide<double>::Vector;
  if (product.a != Element::kF64)  // the products are exact
    add_products(product, factors, sums,
                 [](Vector& sum, double a, const Vector& b) { sum += a * b; });
  else if ((how & kRounding) == 0)
    add_products(product, factors, sums,
                 [=](Vector& sum, double a, const Vector& b) { add_one_by_one(sum, a, b, fused); });
  else
    add_products(product, factors, sums, [=](Vector& sum, double a, const Vector& b) {
      add_one_by_one(sum, a, b, [how](double s, double x, double y) {
        return rounding::fma(x, y, s, how & kRounding);
      });
    });
  store_sums(product, sums, c);
}

XFER_WITH_CALLER void multiply_integers(const Product& product, std::uint32_t how,
                                        std::byte* registers) {
  using Word = std::int32_t;
  std::byte* const c = registers + place_of(offsetof(Registers, c), 0);
  const Factors<Word> factors(product, registers);
  Sums<Word> sums{};
  using Vector = SideBySide<Word>::Vector;
  if (product.a != Element::kB1)
    add_products(product, factors, sums,
                 [](Vector& sum, Word a, const Vector& b) { sum += a * b; });
  else
    add_products(product, factors, sums, [how](Vector& sum, Word a, const Vector& b) {
      add_one_by_one(sum, a, b, [how](Word s, Word x, Word y) {
        const Word bits = (how & kAnd) != 0 ? x & y : x ^ y;
        return s + std::popcount(static_cast<std::uint32_t>(bits));
      });
    });
  const bool saturates = (how & kSaturate) != 0;
  Sums<Word> before;
  for_each_decoded<std::uint32_t, 2>(
      product.c_tile(), c, [](std::uint32_t unit) { return static_cast<Word>(unit); },
      [&](unsigned row, unsigned column, Word value) { before[row][column] = value; });
  encode_each<std::uint32_t, 2>(product.d_tile(), c, [&](unsigned row, unsigned column) {
    const std::int64_t sum = std::int64_t{before[row][column]} + sums[row][column];
    return static_cast<std::uint32_t>(saturates ? saturated(sum) : sum);
  });
}

template <typename Fused>
XFER_WITH_CALLER void multiply_warp(std::uint64_t packed, std::uint32_t how, std::byte* registers,
                                    Fused fused) {
  const auto product = std::bit_cast<Product>(packed);
  if (kind_of(product.a).integer)
    multiply_integers(product, how, registers);
  else
    multiply_floats(product, how, registers, fused);
}

}  // namespace xfer::kernels::matrix::together
