#pragma once
// --fail-on: what makes the run fail. A comma-separated list of rule names, of severities (that one
// and worse), of budgets, or `any`.

#include <string>
#include <string_view>
#include <vector>

#include "budget.h"
#include "xfer/rules/finding.h"

namespace xfer::launcher {

class FailOn {
 public:
  /// Throws std::invalid_argument with one line that says which item is not understood.
  static FailOn parse(std::string_view spec);

  bool empty() const { return rules_.empty() && budgets_.empty() && !severity_given_; }
  bool matches(const Finding& finding) const;
  /// A line for each budget that the run exceeded.
  std::vector<std::string> exceeded(const Report& report) const;

 private:
  std::vector<Rule> rules_;
  std::vector<Budget> budgets_;
  bool severity_given_ = false;
  Severity severity_ = Severity::kError;  ///< and worse
};

}  // namespace xfer::launcher
