#include "detect/too_early.h"

namespace xfer {

const PendingCopy* TooEarly::under_host(const Event& access) const {
  if (access.space != Space::kPinned) return nullptr;
  return scene_.pending.find(side_, {access.address, access.address + access.bytes});
}

const PendingCopy* TooEarly::under(std::uint64_t address, const Event& work) const {
  if ((work.flags & kStrided) != 0) return nullptr;
  return scene_.pending.find_unordered(side_, &ByteRange::overlaps, {address, address + work.bytes},
                                       work, scene_.order);
}

void TooEarly::launched(const Event& launch, EventFlag access, Reason reason) {
  if (scene_.pending.empty()) return;
  for (const Event& argument : scene_.arguments) {
    if (argument.correlation != launch.correlation || (argument.flags & access) == 0) continue;
    // What is written to is no end of something.
    if (access != kWrites &&
        scene_.may_be_the_end(scene_.block_around(argument.address - 1), argument))
      continue;
    const ByteRange given = scene_.block_around(argument.address);
    if (given.end == 0) continue;
    const bool anywhere = argument.bytes == 0 || argument.bytes >= given.end - argument.address;
    const ByteRange touched =
        anywhere ? given : ByteRange{argument.address, argument.address + argument.bytes};
    const PendingCopy* const early =
        scene_.pending.find_unordered(side_, &ByteRange::covers, touched, launch, scene_.order);
    if (early != nullptr) return charge(reason, launch, early, Confidence::kLookAlike);
  }
}

void TooEarly::charge(Reason reason, const Event& event, const PendingCopy* early,
                      Confidence confidence) {
  if (early == nullptr) return;
  Event call = event;
  call.device = early->copy.device;
  call.source_device = early->copy.source_device;
  call.bytes = early->copy.bytes;
  scene_.groups.charge(rule_, confidence, reason, call, {1, call.bytes, 0, 0, 0}, early->copy.site);
  scene_.pending.forget(*early);
}

}  // namespace xfer
