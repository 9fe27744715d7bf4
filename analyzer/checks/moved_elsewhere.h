#pragma once
// missing-transfer, where a network is given what some function gives, nobody knows where, and all
// others that use that move it to a device first.

#include <vector>

#include "analyzer/checks/operand_pair.h"
#include "analyzer/checks/places.h"

namespace xfer::analyzer {

class MovedElsewhere {
 public:
  explicit MovedElsewhere(const CheckContext& context) : context_(context) {}

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);

 private:
  bool judge_left(const Meeting& at, const OperandView& left, const OperandView& other);
  /// The function itself names or is given a device that may be CUDA.
  bool has_device() const;

  const CheckContext& context_;
  std::vector<Device> told_;  ///< places of what a finding speaks of
};

}  // namespace xfer::analyzer
