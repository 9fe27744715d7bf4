// Products of matrices for a warp at once: what the lanes hold becomes whole matrices, and each sum
// is made as in multiply.cc, in the same order.

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/matrix/matrix.h"
#include "kernels/matrix/steps.h"
#include "kernels/matrix/values.h"

namespace xfer::kernels::matrix::together {
namespace {

constexpr unsigned kMostRows = 32;
constexpr unsigned kMostColumns = 32;

/// A or B, from the fragments of all lanes: of B the rows are its columns. B is kept turned back,
/// so that the sums of a row are made side by side.
template <typename Value>
struct Matrices {
  Matrices(const Product& product, Registers* const* registers)
      : depth(product.a_tile().columns * values_of_unit(product.a)) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for_each_value<Value>(product.a, product.a_tile(), lane, registers[lane]->a,
                            [&](unsigned row, unsigned k, Value value) { a[row][k] = value; });
      for_each_value<Value>(
          product.b, product.b_tile(), lane, registers[lane]->b,
          [&](unsigned column, unsigned k, Value value) { b[k][column] = value; });
    }
  }

  unsigned depth;
  Value a[kMostRows][kMostDepth<Value>];
  Value b[kMostDepth<Value>][kMostColumns];
};

template <typename Value, typename Sum, typename Step>
void add_products(const Product& product, const Matrices<Value>& factors,
                  Sum (&sums)[kMostRows][kMostColumns], Step step) {
  constexpr unsigned kSideBySide = 8;  // n is a multiple of it; so many sums stay in registers
  for (unsigned row = 0; row < product.m; ++row)
    for (unsigned first = 0; first < product.n; first += kSideBySide) {
      Sum some[kSideBySide];
      std::copy_n(&sums[row][first], kSideBySide, some);
      for (unsigned k = 0; k < factors.depth; ++k)
        for (unsigned i = 0; i < kSideBySide; ++i)
          some[i] = step(some[i], factors.a[row][k], factors.b[k][first + i]);
      std::copy_n(some, kSideBySide, &sums[row][first]);
    }
}

/// Calls visit(registers, unit, sum) for all sums.
template <typename Sum, typename Visit>
void for_each_sum(const Tile& tile, Registers* const* registers,
                  Sum (&sums)[kMostRows][kMostColumns], Visit visit) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for_each_unit(tile, lane, [&](std::size_t unit, Place at) {
      visit(registers[lane]->c + unit * tile.bytes, sums[at.row][at.column]);
    });
}

}  // namespace

void multiply(std::uint32_t mask, const std::uint64_t* packed, const std::uint32_t* hows,
              Registers* const* registers) {
  if (mask == 0) return;
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const auto product = std::bit_cast<Product>(packed[first]);
  const std::uint32_t how = hows[first];
  with_step(
      product, how,
      [&](auto step) {
        const Matrices<double> factors(product, registers);
        double sums[kMostRows][kMostColumns];
        for_each_sum(product.c_tile(), registers, sums,
                     [&](std::byte* unit, double& sum) { sum = load_sum(product.c, unit); });
        add_products(product, factors, sums, step);
        for_each_sum(product.d_tile(), registers, sums,
                     [&](std::byte* unit, double sum) { store_sum(product.d, sum, unit); });
      },
      [&](auto step) {
        const Matrices<std::int32_t> factors(product, registers);
        std::int32_t sums[kMostRows][kMostColumns] = {};
        add_products(product, factors, sums, step);
        for_each_sum(product.c_tile(), registers, sums, [&](std::byte* unit, std::int32_t sum) {
          std::int32_t before;
          std::memcpy(&before, unit, sizeof(before));
          store_sum(before + std::int64_t{sum}, (how & kSaturate) != 0, unit);
        });
      });
}

}  // namespace xfer::kernels::matrix::together
