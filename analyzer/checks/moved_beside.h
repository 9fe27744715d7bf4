#pragma once
// missing-transfer, where nobody knows where an operand is, but the function moves what stands
// beside it: the other part of the same record, the other parameters, another module that it reads
// from a file, the very same tensor.

#include <vector>

#include "analyzer/checks/agreements.h"
#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {

class MovedBeside {
 public:
  MovedBeside(const CheckContext& context, const Agreements& agreements);

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);

 private:
  bool judge_left(const Meeting& at, const OperandView& left, const OperandView& other,
                  bool left_first);
  struct Move {
    const Call* call;
    Device from, to;
    BlockId block;
  };
  void add(const Move& move);
  /// A move that what is at `lefts` should have made too; null: none.
  const Move* beside(const Meeting& at, const std::vector<Device>& lefts, Device other) const;

  const CheckContext& context_;
  const Agreements& agreements_;
  /// To a device that may be CUDA, of what is nobody knows where.
  std::vector<Move> moves_;
  std::vector<Device> told_;  ///< places of what a finding speaks of
};

}  // namespace xfer::analyzer
