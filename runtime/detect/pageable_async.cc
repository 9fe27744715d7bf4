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
  if (const auto last = last_.find(event.thread); last != last_.end()) {
    const Event copy = last->second;
    last_.erase(last);
    if (!waits)
      scene_.groups.charge(Rule::kPageableAsync, Confidence::kProven,
                           copy.space == Space::kPageable ? Reason::kWaitingDownload
                                                          : Reason::kStagedUpload,
                           copy, {1, copy.bytes, duration_ns(copy), 0, duration_ns(copy)}, 0);
  }
  if (event.kind != EventKind::kCopy || waits) return;
  const bool download =
      event.space == Space::kPageable && scene_.memory.find(event.source) != nullptr;
  const bool upload = event.source_space == Space::kPageable &&
                      event.bytes > scene_.options.staged_bytes &&
                      scene_.memory.find(event.address) != nullptr;
  if (download || upload) last_.insert_or_assign(event.thread, event);
}

}  // namespace xfer
