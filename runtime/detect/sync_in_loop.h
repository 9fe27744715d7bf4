#pragma once
// sync-in-loop
//
// Finds: a line that reads a few bytes back from a device again and again, each time with kernels
// run since the last, so that the host waits for them and the device then for the host (measured;
// the rule is advice): a loss or a counter that is looked at on every step. Its cost is the time in
// those calls and in the wait that follows an asynchronous one. Of up to four bytes, a loss rather
// than an index, the wait may be as short as it is in a small model.
//
// A step is what runs most of its kernels once: between two reads that stand outside of the loop
// (once an epoch), most call sites that launch did so again and again.
//
// Does not find: flags that the program sets on the device before each step, and reads back to know
// whether to go on (breadth-first search): the loop needs them as they are; what is read back too
// seldom or too quickly to matter, or once after many steps; waits without a copy (needless-sync
// has those that are for nothing); large results.
//
// Cost: O(log n) a copy or a fill, and O(values read back from there) one that overwrites them;
// O(call sites that launch) of a line's first reads.

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
    unsigned looked_at = 0;  ///< intervals between two reads
    unsigned steps = 0;      ///< of these, one step each
  };
  /// Of a call site that launches.
  struct Launches {
    Time last = 0;
    Time before = 0;
  };
  bool is_one_step(Time from) const;
  Line whole_line(std::uint32_t site) const;
  bool is_each_step(const Line& line) const;
  struct Flag {
    std::uint64_t allocation = 0;  ///< that was read: another one may lie there by now
    bool is_set = false;           ///< by the host, between two reads
  };
  void read_back(const Event& event);
  void set_by_host(const Event& event);

  std::unordered_map<std::uint32_t, Line> lines_;         ///< by call site
  std::unordered_map<std::uint32_t, Launches> launches_;  ///< by call site
  std::map<std::uint64_t, Flag> flags_;                   ///< by address on a device that was read
  std::unordered_map<std::uint32_t, std::uint32_t>
      last_;  ///< by thread: a read-back to be waited for
};

}  // namespace xfer
