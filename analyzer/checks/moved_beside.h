#pragma once
// missing-transfer, where nobody knows where an operand is, but the function moves what stands
// beside it: the other part of the same record, the other parameters, the very same tensor.

#include <vector>

#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {

class MovedBeside {
 public:
  explicit MovedBeside(const CheckContext& context);

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);

 private:
  bool judge_left(const Meeting& at, const OperandView& left, const OperandView& other,
                  bool left_first);
  /// A transfer that `left` should have gone through too; null: none.
  const TransferEvent* beside(const Meeting& at, Device left, const Object& other) const;
  void add_agreeing(const Meeting& at, const std::vector<Device>& lefts,
                    std::vector<Device>& places) const;
  bool may_be_cuda(Device device) const;
  bool nothing_known(const OperandView& view) const;

  const CheckContext& context_;
  /// To a device that may be CUDA, of what is nobody knows where.
  std::vector<const TransferEvent*> moves_;
  struct Met {
    Device one, other;
    BlockId block;
  };
  std::vector<Met> met_;
  std::vector<Device> told_;  ///< places of what a finding speaks of
};

}  // namespace xfer::analyzer
