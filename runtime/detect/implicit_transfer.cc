#include "detect/implicit_transfer.h"

namespace xfer {

bool ImplicitTransfer::upload(const CopyView& copy) {
  charge(*copy.transfer);
  return false;
}

void ImplicitTransfer::charge(Transfer& transfer) {
  const Event& event = transfer.event;
  if ((event.flags & kImplicit) == 0 || event.bytes <= scene_.options.small_bytes) return;
  scene_.groups.charge(Rule::kImplicitTransfer, Confidence::kProven, Reason::kOperandElsewhere,
                       transfer, 0);
}

}  // namespace xfer
