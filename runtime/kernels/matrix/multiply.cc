// Products of matrices. Each lane calculates the sums that it holds, out of what it holds of A and
// B and what eleven others do.

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/matrix/matrix.h"
#include "kernels/matrix/steps.h"
#include "kernels/matrix/values.h"

namespace xfer::kernels::matrix {
namespace {

constexpr unsigned kMostRowBlocks = 4;
constexpr unsigned kMostColumns = 8;  // of a lane
constexpr unsigned kMostSums = 8;     // likewise

/// The parts of A and B in the lanes that hold the rows and columns of this lane's sums.
class Neighbours {
 public:
  Neighbours(Thread* thread, const Product& product, const Registers& registers) {
    const std::size_t of_a = product.a_tile().fragment_bytes();
    const std::size_t bytes = of_a + product.b_tile().fragment_bytes();
    at_b_ = of_a;
    std::byte mine[kMostBytes];
    std::memcpy(mine, registers.a, of_a);
    std::memcpy(mine + of_a, registers.b, bytes - of_a);
    const std::size_t lane = thread->number % kLanes;
    const std::size_t rows = lane / 4 * 4;
    const std::size_t columns = lane % 4 * 8;
    for (std::size_t at = 0; at < bytes; at += kStep) {
      const auto size = static_cast<std::uint32_t>(std::min(bytes - at, kStep));
      const std::byte* all = thread->block->services->exchange(thread, kAllLanes, mine + at, size);
      for (std::size_t i = 0; i < kOfRows; ++i)
        std::memcpy(of_rows_[i] + at, all + (rows + i) * kStep, kStep);
      for (std::size_t i = 0; i < kOfColumns; ++i)
        std::memcpy(of_columns_[i] + at, all + (columns + i) * kStep, kStep);
    }
  }

  static constexpr unsigned kOfRows = 4;
  static constexpr unsigned kOfColumns = 8;
  const std::byte* a(unsigned i) const { return of_rows_[i]; }
  const std::byte* b(unsigned i) const { return of_columns_[i] + at_b_; }

 private:
  static constexpr std::size_t kStep = 16;  // bytes of an exchange
  static constexpr unsigned kMostBytes = kMostBytesOfA + kMostBytesOfB;

  std::size_t at_b_ = 0;
  alignas(16) std::byte of_rows_[kOfRows][kMostBytes];
  alignas(16) std::byte of_columns_[kOfColumns][kMostBytes];
};

/// The rows of A and the columns of B that meet in the lane's sums: one row and a pair of columns
/// in each block of eight.
template <typename Value>
class Factors {
 public:
  Factors(const Product& product, const Neighbours& neighbours) {
    depth_ = product.a_tile().columns * values_of_unit(product.a);
    for (unsigned i = 0; i < Neighbours::kOfRows; ++i)
      for_each_value<Value>(product.a, product.a_tile(), i, neighbours.a(i),
                            [&](unsigned row, unsigned k, Value value) { a_[row / 8][k] = value; });
    for (unsigned i = 0; i < Neighbours::kOfColumns; ++i)
      for_each_value<Value>(
          product.b, product.b_tile(), i, neighbours.b(i),
          [&](unsigned column, unsigned k, Value value) { b_[in_pairs(column)][k] = value; });
  }

  /// Calls step(sum, a, b) along k, for the sum at that place of lane 0.
  template <typename Sum, typename Step>
  Sum sum(Cell at, Sum sum, Step step) const {
    const Value* a = a_[at.row / 8];
    const Value* b = b_[in_pairs(at.column)];
    for (unsigned k = 0; k < depth_; ++k) sum = step(sum, a[k], b[k]);
    return sum;
  }

 private:
  static unsigned in_pairs(unsigned column) { return column / 8 * 2 + column % 8; }

  unsigned depth_ = 0;
  Value a_[kMostRowBlocks][kMostDepth<Value>];
  Value b_[kMostColumns][kMostDepth<Value>];
};

template <typename Value, typename Step>
void multiply_floats(const Product& product, const Factors<Value>& factors, Registers& registers,
                     Step step) {
  const Tile c = product.c_tile();
  const Tile d = product.d_tile();
  double sums[kMostSums];
  for_each_unit(c, 0, [&](std::size_t unit, Cell at) {
    sums[unit] = factors.sum(at, load_sum(product.c, registers.c + unit * c.bytes), step);
  });
  for (std::size_t unit = 0; unit < d.units(); ++unit)
    store_sum(product.d, sums[unit], registers.c + unit * d.bytes);
}

template <typename Step>
void multiply_integers(const Product& product, const Factors<std::int32_t>& factors, bool saturate,
                       Registers& registers, Step step) {
  const Tile tile = product.c_tile();
  for_each_unit(tile, 0, [&](std::size_t unit, Cell at) {
    std::byte* place = registers.c + unit * tile.bytes;
    std::int32_t before;
    std::memcpy(&before, place, sizeof(before));
    store_sum(before + std::int64_t{factors.sum(at, 0, step)}, saturate, place);
  });
}

}  // namespace

void multiply(Thread* thread, std::uint64_t packed, std::uint32_t how, Registers* registers) {
  const auto product = std::bit_cast<Product>(packed);
  const Neighbours neighbours(thread, product, *registers);
  with_step(
      product, how,
      [&](auto step) {
        multiply_floats(product, Factors<double>(product, neighbours), *registers, step);
      },
      [&](auto step) {
        multiply_integers(product, Factors<std::int32_t>(product, neighbours),
                          (how & kSaturate) != 0, *registers, step);
      });
}

}  // namespace xfer::kernels::matrix
