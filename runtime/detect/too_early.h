#pragma once
// Base class of the rules about a copy one side of which is touched before the copy has ended.

#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class TooEarly : public Detector {
 protected:
  TooEarly(Scene& scene, Rule rule, PendingUses::Side side)
      : Detector(scene), rule_(rule), side_(side) {}

  /// Host code touches pinned memory.
  const PendingUse* under_host(const Event& access) const;
  /// A copy or a fill touches such bytes, on a stream that nothing puts in order.
  const PendingUse* under(const std::optional<ByteRange>& touched, const Event& work) const;
  /// A kernel, in no order either, touches such bytes (proven), or is given a buffer that the side
  /// is all of.
  void launched(const Event& launch, EventFlag access, Reason reason);
  /// A kernel writes such bytes, certainly, which no kernel is to write.
  void overwritten(const Event& launch, Reason reason);
  void charge(Reason reason, const Event& event, const PendingUse* early,
              Confidence confidence = Confidence::kProven);

  /// One of the last copies, by its correlation.
  bool was_charged(std::uint64_t correlation) { return charged_.find(correlation) != nullptr; }

 private:
  const PendingUse* under_exactly(const Event& launch, const Event& argument,
                                  EventFlag access) const;

  static constexpr std::size_t kMostCharged = 4096;

  Rule rule_;
  PendingUses::Side side_;
  Remembered<std::uint64_t, bool> charged_{kMostCharged};
};

}  // namespace xfer
