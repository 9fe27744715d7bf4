#pragma once
// Whole numbers as the source computes them: sizes, counts, offsets.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/polynomial.h"

namespace xfer::analyzer {

/// Of a formula what is no number itself: a variable, or an expression that its text and the names
/// in it say all of (`v.size()`, `n / 2`).
struct Term {
  std::string text;                  ///< empty: the variable that `names` has
  std::vector<std::uint32_t> names;  ///< see fact::Change
};

struct Formula {
  std::optional<Polynomial> sum;  ///< over the function's terms; none: it is not known
  bool measured = false;          ///< a sizeof is in it
};

}  // namespace xfer::analyzer
