#pragma once
// Texts of PTX that are linked: one text, of which each part is a module by itself.

#include <string>
#include <vector>

namespace xfer::ptx {

struct Joined {
  std::string text;
  std::string defined_twice;  ///< a name; empty: none is, and `text` holds
};

/// Names may be defined by one text alone, weak ones and those that a text keeps to itself
/// excepted.
Joined joined(const std::vector<std::string>& texts);

}  // namespace xfer::ptx
