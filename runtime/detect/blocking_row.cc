#include "detect/blocking_row.h"

#include <algorithm>

namespace xfer {
namespace {

bool crosses_by_pageable(const Event& copy) {
  return (copy.source_space == Space::kPageable && !is_host(copy.space)) ||
         (copy.space == Space::kPageable && !is_host(copy.source_space));
}

}  // namespace

void BlockingRow::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy: return copy(event);
    case EventKind::kSync: return wait(event);
    case EventKind::kLaunch:
    case EventKind::kSet:
    case EventKind::kHostFunction:
      if (const auto row = rows_.find(event.thread); row != rows_.end()) end(row->second);
      return;
    default: return;
  }
}

void BlockingRow::copy(const Event& event) {
  Row& row = rows_[event.thread];
  const bool goes_on = row.cost.count != 0 && row.waited_for && row.last.site == event.site &&
                       row.last.stream == event.stream && row.last.space == event.space;
  if (!goes_on) end(row);
  if (!crosses_by_pageable(event) || event.site == 0) return;
  row.sizes.add(event.bytes);
  row.last = event;
  row.waited_for = false;
  row.cost += {1, event.bytes, duration_ns(event), 0, 0};
}

void BlockingRow::wait(const Event& event) {
  const auto found = rows_.find(event.thread);
  if (found == rows_.end() || found->second.cost.count == 0) return;
  Row& row = found->second;
  if (row.waited_for || !waits_for(event, row.last.stream)) return end(row);
  row.waited_for = true;
  row.wait_site = event.site;
  row.cost.host_ns += duration_ns(event);
  row.cost.saving_ns += duration_ns(event);
}

void BlockingRow::end(Row& row) {
  const bool is_small = row.cost.bytes <= row.cost.count * scene_.options.small_copy_bytes;
  if (row.waited_for && row.cost.count >= scene_.options.least_in_a_row && !is_small) {
    FindingGroup* const group =
        scene_.groups.charge(Rule::kPageableAsync, Confidence::kLookAlike, Reason::kWaitsForEach,
                             row.last, row.cost, row.wait_site);
    group->add(row.sizes);
  }
  row = {};
}

void BlockingRow::finish() {
  for (auto& [thread, row] : rows_) end(row);
}

}  // namespace xfer
