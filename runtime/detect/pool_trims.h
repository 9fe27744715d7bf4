#pragma once
// alloc-in-loop, of a pool that gives its memory back
//
// Finds: a line whose allocations in stream order are slow right after a wait of the host, and
// there alone: at each wait the device's pool gave its free memory back to the driver, as pools do
// by default, and the next allocation gets it again (look-alike: the pool may have grown). The slow
// ones come four times and more, and cost EngineOptions::least_trim_percent of the
// time that devices were in use.
//
// Does not find: the first slow allocation, which makes the pool; pools that are slow in between,
// too: they grow. Times must be measured.
//
// Cost: O(log n) an allocation, O(1) a wait. Memory: an entry for each line that allocates.

#include <cstdint>
#include <map>

#include "detect/detector.h"

namespace xfer {

class PoolTrims : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void see_unplaced(const Event& event) override { see(event); }
  void finish() override;

 private:
  struct Line {
    Event last;
    Cost slow;                       ///< right after a wait
    std::uint64_t slow_between = 0;  ///< of those that no wait came before
  };
  void allocated(const Event& event);

  std::map<std::uint32_t, Line> lines_;  ///< by call site
  std::uint64_t waits_ = 0;
  std::uint64_t waits_at_last_ = 0;  ///< allocation of any line
  bool has_pool_ = false;
};

}  // namespace xfer
