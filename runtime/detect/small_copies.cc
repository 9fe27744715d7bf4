#include "detect/small_copies.h"

namespace xfer {

void SmallCopies::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy: copy(event); break;
    case EventKind::kLaunch:
    case EventKind::kSet:
    case EventKind::kFree:
    case EventKind::kScopeBegin:
    case EventKind::kScopeEnd: end_all(); break;
    default: break;
  }
}

void SmallCopies::copy(const Event& event) {
  const bool to_device = scene_.memory.find(event.address) != nullptr;
  const bool from_device = scene_.memory.find(event.source) != nullptr;
  if (to_device == from_device) return end_all();  // within the devices, or of unknown places
  Row& row = rows_[std::uint64_t{event.thread} << 1 | static_cast<unsigned>(to_device)];
  const Event& last = row.last;
  const std::uint64_t step = event.address - last.address;
  const bool goes_on = row.cost.count != 0 && event.site == last.site &&
                       event.stream == last.stream && event.bytes == last.bytes &&
                       step == event.source - last.source && step >= event.bytes &&
                       step < std::uint64_t{1} << 32 && (row.cost.count == 1 || step == row.step);
  if (!goes_on) {
    end(row);
    if (event.bytes > scene_.options.small_copy_bytes || (event.flags & kStrided) != 0) return;
  }
  row.last = event;
  row.step = step;
  row.cost += {1, event.bytes, duration_ns(event), 0, 0};
}

void SmallCopies::end(Row& row) {
  Cost& cost = row.cost;
  if (cost.count >= scene_.options.least_in_a_row) {
    cost.saving_ns = cost.host_ns - cost.host_ns / cost.count;
    scene_.groups.charge(Rule::kSmallCopies, Confidence::kProven,
                         row.step == row.last.bytes ? Reason::kOneCopy : Reason::kOneStridedCopy,
                         row.last, cost, 0);
  }
  row = {};
}

void SmallCopies::end_all() {
  for (auto& [key, row] : rows_) end(row);
}

void SmallCopies::finish() { end_all(); }

}  // namespace xfer
