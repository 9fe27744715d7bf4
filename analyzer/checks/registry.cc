#include "analyzer/checks/check.h"

namespace xfer::analyzer {

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {
      {Rule::kMissingTransfer, check_missing_transfer},
      {Rule::kDiscardedTransfer, check_discarded_transfer},
      {Rule::kRepeatedTransfer, check_repeated_transfer},
      {Rule::kTransferInLoop, check_transfer_in_loop},
      {Rule::kRoundTrip, check_round_trip},
  };
  return all;
}

}  // namespace xfer::analyzer
