#pragma once
// --fail-on: which findings make the run fail. A comma-separated list of rule names, of severities
// (that one and worse), or `any`.

#include <string>
#include <string_view>
#include <vector>

#include "xfer/rules/finding.h"

namespace xfer::launcher {

class FailOn {
 public:
  /// Throws std::invalid_argument with one line that says which item is not understood.
  static FailOn parse(std::string_view spec);

  bool empty() const { return rules_.empty() && !severity_given_; }
  bool matches(const Finding& finding) const;

 private:
  std::vector<Rule> rules_;
  bool severity_given_ = false;
  Severity severity_ = Severity::kError;  ///< and worse
};

}  // namespace xfer::launcher
