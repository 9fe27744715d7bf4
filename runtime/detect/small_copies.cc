#include "detect/small_copies.h"

namespace xfer {
namespace {

/// Another tool recorded the copy: where its bytes lie is not known.
bool has_no_addresses(const Event& copy) { return (copy.flags & kMayTouchAll) != 0; }

}  // namespace

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
  const std::uint64_t on_host =
      to_device ? event.source - last.source : event.address - last.address;
  const std::uint64_t step = to_device ? event.address - last.address : event.source - last.source;
  const bool to_one_place = !to_device && on_host == 0;
  const bool is_next =
      row.cost.count == 1 || (step == row.step && to_one_place == row.to_one_place);
  const bool in_order = (step == on_host || to_one_place) && step >= event.bytes &&
                        step < std::uint64_t{1} << 32 && is_next;
  const bool goes_on = row.cost.count != 0 && event.site == last.site &&
                       event.stream == last.stream && event.bytes == last.bytes &&
                       (in_order || has_no_addresses(event));
  if (!goes_on) {
    end(row);
    if (event.bytes > scene_.options.small_copy_bytes || (event.flags & kStrided) != 0) return;
  }
  row.last = event;
  row.step = step;
  row.to_one_place = to_one_place;
  row.cost += {1, event.bytes, duration_ns(event), 0, 0};
}

void SmallCopies::end(Row& row) {
  Cost& cost = row.cost;
  if (cost.count >= scene_.options.least_in_a_row) {
    cost.saving_ns = cost.host_ns - cost.host_ns / cost.count;
    const bool maybe = row.to_one_place || has_no_addresses(row.last);
    scene_.groups.charge(Rule::kSmallCopies, maybe ? Confidence::kLookAlike : Confidence::kProven,
                         reason_of(row), row.last, cost, 0);
  }
  row = {};
}

void SmallCopies::end_all() {
  for (auto& [key, row] : rows_) end(row);
}

Reason SmallCopies::reason_of(const Row& row) {
  if (has_no_addresses(row.last))
    return is_host(row.last.space) ? Reason::kElementByElement : Reason::kPiecesInARow;
  if (row.to_one_place) return Reason::kElementByElement;
  return row.step == row.last.bytes ? Reason::kOneCopy : Reason::kOneStridedCopy;
}

void SmallCopies::finish() { end_all(); }

}  // namespace xfer
