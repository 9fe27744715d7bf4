#include "detect/hidden_sync.h"

#include <algorithm>

namespace xfer {

void HiddenSync::see(const Event& event) {
  if (event.kind != EventKind::kFree || (event.flags & (kAsync | kSuballocation)) != 0) return;
  const Allocation* const freed = scene_.memory.find(event.address);
  if (freed == nullptr || scene_.order.under_way(freed->device).empty()) return;
  Event call = event;
  call.device = freed->device;
  FindingGroup* const group =
      scene_.groups.charge(Rule::kHiddenSync, Confidence::kProven, Reason::kFreeWaits, call,
                           {1, 0, duration_ns(call), 0, 0}, 0);
  scene_.waits.next_wait(call);
  scene_.waits.waited(call, *group);
}

void HiddenSync::ended(const TransferPtr& gone, const Event&) {
  if (gone->kind != TransferKind::kUpload || !gone->behind ||
      gone->host_ns() < scene_.options.least_hidden_wait_ns)
    return;
  // The device's times come in late.
  uploads_.push_back(gone);
  if (uploads_.size() <= scene_.options.max_remembered) return;
  judge(*uploads_.front());
  uploads_.pop_front();
}

void HiddenSync::finish() {
  for (const TransferPtr& upload : uploads_) judge(*upload);
  uploads_.clear();
}

void HiddenSync::judge(const Transfer& upload) {
  if (upload.charged != nullptr || upload.device_ns == 0 || upload.host_ns() < 2 * upload.device_ns)
    return;
  const std::uint64_t waited = upload.host_ns() - upload.device_ns;
  scene_.groups.charge(Rule::kHiddenSync, Confidence::kLookAlike, Reason::kUploadWaits,
                       upload.event,
                       {1, upload.event.bytes, waited, 0, std::min(waited, upload.gap_ns)}, 0);
}

}  // namespace xfer
