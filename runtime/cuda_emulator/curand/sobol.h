#pragma once
// Sobol's sequences: number n of a dimension is the exclusive or of the directions for which Gray's
// code of n has a bit.

#include <cstdint>

#include "curand/tables.h"

namespace xfer::emulator {

template <typename Word>
Word sobol(const SobolTables& tables, std::uint64_t dimension, std::uint64_t n) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  const Word* const directions = static_cast<const Word*>(tables.directions) + dimension * kBits;
  Word word =
      tables.constants == nullptr ? 0 : static_cast<const Word*>(tables.constants)[dimension];
  std::uint64_t code = n ^ n >> 1;
  for (unsigned bit = 0; bit < kBits && code != 0; ++bit, code >>= 1)
    if ((code & 1) != 0) word ^= directions[bit];
  return word;
}

/// Above 0 and up to 1, as close to NVIDIA's as their widths are: 53 bits of a wide one.
inline double sobol_uniform(const SobolTables& tables, std::uint64_t dimension, std::uint64_t n) {
  if (tables.wide)
    return static_cast<double>(sobol<unsigned long long>(tables, dimension, n) >> 11) * 0x1p-53 +
           0x1p-54;
  return static_cast<double>(sobol<unsigned>(tables, dimension, n)) * 0x1p-32 + 0x1p-33;
}

}  // namespace xfer::emulator
