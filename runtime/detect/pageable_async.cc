#include "detect/pageable_async.h"

namespace xfer {
namespace {

bool gives_work(EventKind kind) {
  return kind == EventKind::kLaunch || kind == EventKind::kCopy || kind == EventKind::kSet ||
         kind == EventKind::kEventRecord || kind == EventKind::kAlloc;
}

}  // namespace

void PageableAsync::see(const Event& event) {
  const bool waits = event.kind == EventKind::kSync ||
                     (event.kind == EventKind::kCopy && (event.flags & kAsync) == 0);
  if (!waits && !gives_work(event.kind)) return;
  const auto last = last_.find(event.thread);
  if (last == last_.end()) return;
  const TransferPtr transfer = std::move(last->second);
  last_.erase(last);
  if (waits || transfer->charged != nullptr) return;
  const Event& copy = transfer->event;
  scene_.groups.charge(
      Rule::kPageableAsync, Confidence::kProven,
      copy.space == Space::kPageable ? Reason::kWaitingDownload : Reason::kStagedUpload, copy,
      {1, copy.bytes, duration_ns(copy), 0, duration_ns(copy)}, 0);
}

bool PageableAsync::upload(const CopyView& copy) {
  const Event& event = copy.transfer->event;
  if ((event.flags & kAsync) != 0 && event.source_space == Space::kPageable &&
      event.bytes > scene_.options.staged_bytes)
    last_.insert_or_assign(event.thread, copy.transfer);
  return false;
}

void PageableAsync::download(const CopyView& copy) {
  const Event& event = copy.transfer->event;
  if ((event.flags & kAsync) != 0 && event.space == Space::kPageable)
    last_.insert_or_assign(event.thread, copy.transfer);
}

}  // namespace xfer
