#include "analyzer/checks/check.h"

namespace xfer::analyzer {

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {
      {Rule::kMissingTransfer, check_missing_transfer},
      {Rule::kDiscardedTransfer, check_discarded_transfer},
      {Rule::kRepeatedTransfer, check_repeated_transfer},
      {Rule::kTransferInLoop, check_transfer_in_loop},
      {Rule::kRoundTrip, check_round_trip},
      {Rule::kHostAccess, check_host_access},
      {Rule::kDanglingTransfer, check_dangling_transfer},
      {Rule::kUnusedTransfer, check_unused_transfer},
      {Rule::kConvertSide, check_convert_side},
      {Rule::kLeafMoved, check_leaf_moved},
      {Rule::kUnregisteredTensor, check_unregistered_tensor, finish_unregistered_tensor},
      {Rule::kCreateOnHost, check_create_on_host},
      {Rule::kSyncInLoop, check_sync_in_loop},
      {Rule::kPinPerCall, check_pin_per_call},
      {Rule::kPageableAsync, check_pageable_async},
      {Rule::kFakePinning, check_fake_pinning},
      {Rule::kHardCodedDevice, check_hard_coded_device},
      {Rule::kReadBeforeSync, check_read_before_sync},
      {Rule::kAsyncSourceReuse, check_async_source_reuse},
      {Rule::kHostPointerToKernel, check_host_pointer_to_kernel},
      {Rule::kCopyKind, check_copy_kind},
      {Rule::kCopySize, check_copy_size},
      {Rule::kUseAfterFree, check_use_after_free},
      {Rule::kAllocInLoop, check_alloc_in_loop},
      {Rule::kLeak, check_leak},
      {Rule::kWrongCurrentDevice, check_wrong_current_device},
  };
  return all;
}

}  // namespace xfer::analyzer
