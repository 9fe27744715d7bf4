#pragma once
// missing-transfer, where one operand is on the CPU and nobody knows where the other is, but
// elsewhere in the function that meets what may be on CUDA: one of the two fails.

#include <string>
#include <vector>

#include "analyzer/checks/agreements.h"

namespace xfer::analyzer {

class MissingByAgreement {
 public:
  MissingByAgreement(const CheckContext& context, const Agreements& agreements)
      : context_(context), agreements_(agreements) {}

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);
  /// An operation before has told that this is not where it should be: it comes from there.
  bool told(const OperandView& view) const;

 private:
  std::string text(Device device) const;
  bool judge_on_cpu(const Meeting& at, const OperandView& cpu, const OperandView& other);

  const CheckContext& context_;
  const Agreements& agreements_;
  std::vector<Device> told_;
};

}  // namespace xfer::analyzer
