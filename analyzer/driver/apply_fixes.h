#pragma once
// --fix: writes the replacements that findings carry into the sources.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "xfer/rules/finding.h"

namespace xfer::lint {

struct FixResult {
  std::vector<bool> applied;  ///< by finding
  std::size_t files = 0;
  std::vector<std::string> problems;  ///< one line each
};

/// A finding's replacements are applied all or none: not when one overlaps an earlier finding's,
/// lies outside its file, or its file cannot be written. Relative paths start from `root`.
FixResult apply_fixes(const std::vector<Finding>& findings, const std::filesystem::path& root);

}  // namespace xfer::lint
