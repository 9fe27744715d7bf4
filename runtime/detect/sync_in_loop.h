#pragma once
// sync-in-loop
//
// Finds: a line that reads a few bytes back from a device again and again, each time with kernels
// run since the last, so that the host waits for them and the device then for the host (measured;
// the rule is advice): a loss or a counter that is looked at on every step. Its cost is the time in
// those calls and in the wait that follows an asynchronous one.
//
// Does not find: flags that the program sets on the device before each step, and reads back to know
// whether to go on (breadth-first search): the loop needs them as they are; what is read back too
// seldom or too quickly to matter; waits without a copy (needless-sync has those that are for
// nothing); large results.
//
// Cost: O(log n) a copy or a fill, and O(values read back from there) one that overwrites them.

#include <cstdint>
#include <map>
#include <unordered_map>

#include "detect/detector.h"

namespace xfer {

class SyncInLoop : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { last_.clear(); }
  void finish() override;

 private:
  struct Line {
    Event copy;
    Cost cost;
    Time last = 0;
  };
  void read_back(const Event& event);
  void set_by_host(const Event& event);

  std::unordered_map<std::uint32_t, Line> lines_;  ///< by call site
  std::map<std::uint64_t, bool> is_flag_;          ///< by address on a device that was read
  std::unordered_map<std::uint32_t, std::uint32_t>
      last_;  ///< by thread: a read-back to be waited for
};

}  // namespace xfer
