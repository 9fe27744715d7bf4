#pragma once
// One mma of a warp, with matrices in the fragments that the PTX ISA draws.

#include <string>

#include "unit/kernels/matrix/values.h"

namespace xfer::kernels::testing {

struct Mma {
  unsigned m, n, k;
  std::string d, a, b, c;
  std::string behind = "";  ///< modifiers behind the types
  std::string before = "";  ///< and before them

  std::string shape() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }
  std::string text() const {
    return "mma.sync.aligned." + shape() + ".row.col" + before + "." + d + "." + a + "." + b + "." +
           c + behind;
  }
};

/// The instruction's result for these matrices.
Matrix run(const Mma& mma, const Matrix& a, const Matrix& b, const Matrix& c);

}  // namespace xfer::kernels::testing
