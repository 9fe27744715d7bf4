#pragma once
// A wmma of a warp: matrices in memory, loaded, multiplied and stored.

#include <string>

#include "unit/kernels/matrix/values.h"

namespace xfer::kernels::testing {

enum class Space { kGeneric, kGlobal, kShared };

struct Wmma {
  unsigned m, n, k;
  std::string d, ab, c;
  std::string of_a = "row", of_b = "col", of_sums = "row";
  unsigned gap = 0;  ///< elements between two rows or columns; 0: the default stride
  Space space = Space::kGlobal;
  std::string front = "", behind = "";  ///< modifiers of wmma.mma
  std::string between = "";             ///< instructions before it, and behind it
  std::string after = "";

  std::string shape() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }
  std::string text() const {
    std::string types = "." + d + (ab == "f16" ? "" : "." + ab + "." + ab) + "." + c;
    return "wmma.mma" + front + ".sync.aligned." + of_a + "." + of_b + "." + shape() + types +
           behind;
  }
};

/// The matrix that the kernel stores for these matrices.
Matrix run(const Wmma& wmma, const Matrix& a, const Matrix& b, const Matrix& c);

}  // namespace xfer::kernels::testing
