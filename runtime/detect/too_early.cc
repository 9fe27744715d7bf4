#include "detect/too_early.h"

namespace xfer {

const PendingUse* TooEarly::under_host(const Event& access) const {
  if (!is_reached_by_both(access.space)) return nullptr;
  const ByteRange touched{access.address, access.address + access.bytes};
  // The watcher of the bytes knows which work uses them.
  return access.correlation != 0 ? scene_.pending.find(access.correlation, side_, touched)
                                 : scene_.pending.find(side_, touched);
}

const PendingUse* TooEarly::under(const std::optional<ByteRange>& touched,
                                  const Event& work) const {
  if (!touched || is_between_all_work(work)) return nullptr;
  return scene_.pending.find_unordered(side_, &ByteRange::overlaps, *touched, work, scene_.order);
}

/// Whose bytes are known. Of two kernels that both read and write the same bytes, each may do so by
/// atomic operations; and of two that write them alone, each may write the same.
const PendingUse* TooEarly::under_exactly(const Event& launch, const Event& argument,
                                          EventFlag access) const {
  const auto touched = bytes_at_address(argument);
  if (!touched) return nullptr;
  const auto find = [&](PendingUses::Counts counts) {
    return scene_.pending.find_unordered(side_, &ByteRange::overlaps, *touched, launch,
                                         scene_.order, counts);
  };
  const bool only_reads = (argument.flags & kWrites) == 0;
  if (access == kReads && only_reads) return find([](const PendingUse&) { return true; });
  if (access == kReads || side_ == &PendingUse::destination)
    return find([](const PendingUse& use) { return !use.is_kernel(); });
  return find([](const PendingUse& use) { return !use.is_kernel() || use.destination.end == 0; });
}

void TooEarly::launched(const Event& launch, EventFlag access, Reason reason) {
  if (scene_.pending.empty()) return;
  for (const Event& argument : scene_.arguments) {
    if (argument.correlation != launch.correlation || (argument.flags & access) == 0) continue;
    if ((argument.flags & kPlain) != 0) {
      if (const PendingUse* const early = under_exactly(launch, argument, access))
        return charge(reason, launch, early);
      continue;
    }
    if (access == kWrites && (launch.flags & kArgumentsOnly) == 0) continue;
    // A pointer that the kernel writes through is not the end of a range.
    if (access != kWrites &&
        scene_.may_be_the_end(scene_.block_around(argument.address - 1), argument))
      continue;
    const ByteRange given = scene_.block_around(argument.address);
    if (given.end == 0) continue;
    const bool anywhere = argument.bytes == 0 || argument.bytes >= given.end - argument.address;
    const ByteRange touched =
        anywhere ? given : ByteRange{argument.address, argument.address + argument.bytes};
    const PendingUse* const early = scene_.pending.find_unordered(
        side_, &ByteRange::covers, touched, launch, scene_.order,
        [](const PendingUse& use) { return use.kind == PendingUse::Kind::kTransfer; });
    if (early != nullptr) return charge(reason, launch, early, Confidence::kLookAlike);
  }
}

void TooEarly::overwritten(const Event& launch, Reason reason) {
  if (scene_.pending.empty()) return;
  for (const Event& argument : scene_.arguments) {
    constexpr unsigned kCertain = kPlain | kWrites;
    if (argument.correlation != launch.correlation || (argument.flags & kCertain) != kCertain)
      continue;
    if (const PendingUse* const early = under_exactly(launch, argument, kWrites))
      return charge(reason, launch, early);
  }
}

void TooEarly::charge(Reason reason, const Event& event, const PendingUse* early,
                      Confidence confidence) {
  if (early == nullptr) return;
  Event call = event;
  call.device = early->call.device;
  call.source_device = early->call.source_device;
  call.bytes = early->call.bytes;
  const Rule rule = early->is_given_back ? Rule::kUseAfterFree : rule_;
  scene_.groups.charge(rule, confidence, early->is_given_back ? Reason::kReusedPending : reason,
                       call, {1, call.bytes, 0, 0, 0}, early->call.site, early->early());
  charged_.put(early->call.correlation, true);
  scene_.pending.forget(*early);
}

}  // namespace xfer
