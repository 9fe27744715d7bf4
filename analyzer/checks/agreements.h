#pragma once
// Places that must be one for a function to come through: of operands that meet.

#include <vector>

#include "analyzer/checks/operand_pair.h"
#include "analyzer/checks/places.h"

namespace xfer::analyzer {

class Agreements {
 public:
  explicit Agreements(const CheckContext& context);

  /// A device that may be CUDA, or where something is that the function moves others to, as is only
  /// of use if that may be elsewhere.
  bool meant_for_cuda(Device device) const;

  /// All that is where `device` is in runs that come through `block`, as far as nothing that is at
  /// one of `others` says so. kMet: what has no dimensions, perhaps, is not allowed elsewhere.
  std::vector<Device> with(Device device, BlockId block, const std::vector<Device>& others,
                           Places which = Places::kAgreeing) const;

 private:
  struct Met {
    Device one, other;
    BlockId block;
    bool perhaps;  ///< one may be on the CPU, if it has no dimensions
  };
  void add(const OperandView& one, const OperandView& other, bool zero_dim_cpu, BlockId block);
  /// A run that comes through `block` comes through `met`, too.
  bool meet_too(BlockId met, BlockId block) const;

  const CheckContext& context_;
  std::vector<Met> met_;
  std::vector<Device> moved_to_;  ///< where tensors are that others are moved to
};

}  // namespace xfer::analyzer
