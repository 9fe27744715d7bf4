#pragma once
// sync-in-loop
//
// Finds: a line that reads a few bytes back from a device again and again, each time with kernels
// run since the last, so that the host waits for them and the device then for the host (measured;
// the rule is advice): a loss or a counter that is looked at on every step. Its cost is the time in
// those calls and in the wait that follows an asynchronous one; one that nothing waits for right
// away is none of these. Of up to four bytes, a loss rather than an index, the wait may be as short
// as it is in a small model.
//
// Fewer reads do (EngineOptions::least_drains) where the device idles after them, until it has new
// work, for EngineOptions::least_drained_percent of the time that devices were in use.
//
// A step is what runs most of its kernels once: between two reads that stand outside of the loop
// (once an epoch), most call sites that launch did so again and again. A model's equal layers do,
// too, but its head and its loss come once, between their way forward and their way back.
//
// Does not find: an index that a kernel has chosen and the host acts on, as on a policy's action,
// but where the host only sends it back; flags that the program sets on the device before each
// step, and reads back to know whether to go on (breadth-first search): the loop needs them as they
// are; in a trace without addresses, whatever is read back where the program sets a few bytes
// before each step; what is read back too seldom or too quickly to matter, or once after many
// steps; waits without a copy (needless-sync has those that are for nothing); large results.
//
// Cost: O(log n) a copy or a fill, and O(values read back from there) one that overwrites them;
// O(call sites that launch) of a line's first reads.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "detect/detector.h"

namespace xfer {

class SyncInLoop : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { open_.clear(); }
  void finish() override;

 private:
  struct Line {
    Event copy;
    Cost cost;
    Time last = 0;
    unsigned looked_at = 0;           ///< intervals between two reads
    unsigned steps = 0;               ///< of these, one step each
    unsigned choices = 0;             ///< reads of what a kernel chose
    unsigned sent_back = 0;           ///< reads that the host sent to a device, as they were
    unsigned may_be_set = 0;          ///< reads before which the host may have set the value
    std::uint64_t unplaced_sets = 0;  ///< up to the last read
    std::vector<Span> waits;          ///< of the first kMostWaits reads
  };
  /// Of a call site that launches.
  struct Launches {
    Time last = 0;
    Time before = 0;
  };
  bool is_one_step(Time from) const;
  Line whole_line(std::uint32_t site) const;
  bool is_each_step(const Line& line) const;
  bool drains_the_device(const Line& line) const;
  /// The value that was read last.
  struct Read {
    std::uint32_t site = 0;
    std::uint64_t correlation = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hash_lo = 0;
    std::uint64_t hash_hi = 0;
    bool is_known = false;
  };
  void sent(const Event& upload);
  struct Flag {
    std::uint64_t allocation = 0;  ///< that was read: another one may lie there by now
    bool is_set = false;           ///< by the host, between two reads
  };
  /// An asynchronous read, until the thread's next call.
  struct Open {
    std::uint32_t site;
    std::uint64_t stream;
    Cost cost;
    std::uint64_t begin_ns;
    std::uint64_t recorded = 0;  ///< an event just after it
  };
  /// The kernel's name; 0: not known.
  std::uint32_t made_by(const Event& read, std::int16_t device);
  static bool waits_for(const Event& sync, const Open& read);
  void close(const Event& event);
  void read_back(const Event& event);
  void set_by_host(const Event& event);
  static void add(Line& line, const Cost& cost, Span wait);

  std::unordered_map<std::uint32_t, Line> lines_;         ///< by call site
  std::unordered_map<std::uint32_t, Launches> launches_;  ///< by call site
  std::map<std::uint64_t, Flag> flags_;                   ///< by address on a device that was read
  std::unordered_map<std::int16_t, std::uint32_t> kernels_;  ///< the last one's name, by device
  std::unordered_map<std::uint64_t, std::uint32_t> makers_;  ///< of a few bytes: the kernel's name,
                                                             ///< by address
  Read last_read_;
  /// Few bytes that the host set and waited for, in a trace without addresses: by a library they
  /// are not waited for.
  std::uint64_t unplaced_sets_ = 0;
  std::unordered_map<std::uint32_t, Open> open_;  ///< by thread
};

}  // namespace xfer
