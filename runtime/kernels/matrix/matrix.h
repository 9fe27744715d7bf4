#pragma once
// Functions that generated code calls for matrix instructions. All lanes of a warp call together,
// each with its own registers, and wait for one another.

#include <cstddef>
#include <cstdint>

#include "kernels/frame.h"
#include "kernels/matrix/element.h"
#include "kernels/matrix/fragment.h"

namespace xfer::kernels::matrix {

/// D = A * B + C; A is m * k, B is k * n. Generated code passes it as one number.
struct Product {
  std::uint8_t m = 0;
  std::uint8_t n = 0;
  std::uint16_t k = 0;
  Element a{}, b{}, c{}, d{};

  constexpr Tile a_tile() const { return factor_tile(m, k, a); }
  constexpr Tile b_tile() const { return factor_tile(n, k, b); }
  constexpr Tile c_tile() const { return sum_tile(m, n, c); }
  constexpr Tile d_tile() const { return sum_tile(m, n, d); }
};
static_assert(sizeof(Product) == sizeof(std::uint64_t));

// How: flags above the rounding of f64, which is that of support.h, 0 to the nearest.
inline constexpr std::uint32_t kRounding = 3;
inline constexpr std::uint32_t kSaturate = 4;  ///< of integers: .satfinite
inline constexpr std::uint32_t kAnd = 8;       ///< of b1: and, not xor

/// mma, wmma.mma. `product`: a Product.
void multiply(Thread* thread, std::uint64_t product, std::uint32_t how, Registers* registers);

/// wmma.load and wmma.store. `tile`: a Tile; its memory, whose steps are in units; its fragment.
void load(Thread* thread, const std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
          std::uint64_t column_step, std::byte* fragment);
void store(Thread* thread, std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
           std::uint64_t column_step, const std::byte* fragment);

/// ldmatrix and stmatrix: `count` matrices of 8 * 8 elements of 16 bits. `row` is that of the lane,
/// lane % 8 of matrix lane / 8, and means nothing behind the last matrix.
void load_rows(Thread* thread, const std::byte* row, std::uint32_t count, std::uint32_t turned,
               std::byte* fragments);
void store_rows(Thread* thread, std::byte* row, std::uint32_t count, std::uint32_t turned,
                const std::byte* fragments);

/// movmatrix: the lane's part of the matrix turned over.
std::uint32_t turn(Thread* thread, std::uint32_t fragment);

/// The same for a warp at once, whose registers lie as in warp_registers.h. A value of each
/// lane's own is an array; all others are the same for all. Lanes outside the mask hold anything.
namespace together {
void multiply(std::uint64_t product, std::uint32_t how, std::byte* registers);
void load(std::uint32_t mask, const std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
          std::uint64_t column_step, std::byte* fragments);
void store(std::uint32_t mask, std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
           std::uint64_t column_step, const std::byte* fragments);
void load_rows(std::uint32_t mask, const std::byte* const* rows, std::uint32_t count,
               std::uint32_t turned, std::byte* fragments);
void store_rows(std::uint32_t mask, std::byte* const* rows, std::uint32_t count,
                std::uint32_t turned, const std::byte* fragments);
void turn(std::uint32_t mask, const std::uint32_t* fragments, std::uint32_t* results);
}  // namespace together

}  // namespace xfer::kernels::matrix
