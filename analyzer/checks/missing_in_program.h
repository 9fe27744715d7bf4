#pragma once
// missing-transfer, where the whole program tells what one function does not: whoever calls, the
// operands are apart.

#include <set>
#include <utility>

#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {

class MissingInProgram {
 public:
  explicit MissingInProgram(const CheckContext& context) : context_(context) {}

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);

  /// The apparent choice here is none: all callers decide it the same way in every run.
  bool settles(const OperandView& view) const;

 private:
  const CheckContext& context_;
  /// Of two places of a function that do not agree the first operation tells: what comes behind it
  /// is never reached.
  std::set<std::pair<SymbolId, SymbolId>> told_;
};

}  // namespace xfer::analyzer
