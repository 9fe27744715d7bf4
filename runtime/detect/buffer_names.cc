#include "detect/buffer_names.h"

#include <iterator>

namespace xfer {

void BufferNames::add(const Event& named, const Allocation* in) {
  if (in == nullptr) return;
  const std::uint64_t end = named.address + named.bytes;
  by_begin_.erase(by_begin_.lower_bound(named.address), by_begin_.lower_bound(end));
  if (by_begin_.size() < kMost) by_begin_[named.address] = {end, in->id, named.name};
}

std::uint32_t BufferNames::of(const Allocation& in, std::uint64_t address) const {
  const auto next = by_begin_.upper_bound(address);
  if (next == by_begin_.begin()) return 0;
  const Named& its = std::prev(next)->second;
  return address < its.end && its.allocation == in.id ? its.name : 0;
}

}  // namespace xfer
