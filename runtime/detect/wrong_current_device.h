#pragma once
// wrong-current-device
//
// Finds: a kernel that CUDA refused because it was launched on a stream of another device than the
// current one (proven); a kernel that is given memory of another device although access from its
// own device was never enabled (look-alike: it may leave that memory alone).
//
// Does not find: copies and fills on a stream of another device, which are allowed; kernels that
// find such addresses in memory; memory that is made on one device and used on another on purpose;
// streams and memory whose making was not seen.
//
// Cost: O(log allocations) a kernel argument, O(1) any other event.

#include <set>
#include <utility>

#include "detect/detector.h"

namespace xfer {

class WrongCurrentDevice : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void failed(const Event& event) override;
  /// The lost events may include calls that enabled access.
  void forget() override { all_are_peers_ = true; }

 private:
  void launch(const Event& event);

  std::set<std::pair<std::int16_t, std::int16_t>> peers_;
  bool all_are_peers_ = false;
};

}  // namespace xfer
