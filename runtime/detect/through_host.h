#pragma once
// round-trip: on to another device
//
// Finds: what was downloaded from one device and uploaded unchanged, from where it was put, to
// another, while the first still showed it (or it was freed there, and no kernel has run since): a
// copy from device to device would have done. On kLeastSteps and more steps, with a kernel on the
// first device in between.
//
// Does not find: what the host changed; a model that is moved now and then; a download that feeds
// several uploads, as the host's cache of what devices need does; what goes on from another place
// on the host (a file that was written and read again, say); strided copies; on emulated devices,
// what a skipped kernel would have written.
//
// Cost: O(log n) a copy. Memory: EngineOptions::max_remembered downloads and as many uploads.

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class ThroughHost : public Detector {
 public:
  explicit ThroughHost(Scene& scene);

  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override;
  void forget() override { on_host_.clear(); }
  void finish() override;

 private:
  static constexpr unsigned kLeastSteps = 3;

  struct Trip {
    TransferPtr out;
    TransferPtr on;
    Time step = 0;  ///< the last launch on the first device
  };
  /// Trips that begin and end at the same lines.
  struct Line {
    Time step = 0;
    unsigned steps = 0;
    std::vector<Trip> few;  ///< not charged yet: it may not go on
  };
  using LineKey = std::tuple<std::uint32_t, std::int16_t, std::int16_t>;

  bool still_there(const Transfer& out) const;
  void settle(const Trip& trip);
  void charge(const Trip& trip);

  struct Held {
    TransferPtr out;
    unsigned uploads = 0;
  };
  Remembered<RangeKey, std::shared_ptr<Held>, RangeKeyHash> on_host_;  // by host range
  struct Waiting {
    Trip trip;
    std::shared_ptr<Held> held;
  };
  std::deque<Waiting> waiting_;  ///< another upload may come
  std::map<LineKey, Line> lines_;
};

}  // namespace xfer
