#pragma once
// needless-sync
//
// Finds: a wait for a device or a stream
//   with nothing under way there: the host had already waited for all of it (proven), twice or more
//   at the line, and no clock is read then; or
//   from whose work the host can see nothing before it waits for the same again (look-alike: the
//   program may want to know when the work was done, or whether it failed). The work is kernels
//   whose code is known to touch nothing but buffers in the device's memory, copies and fills
//   there, and copies that waited by themselves; whatever the host gives the device until the next
//   wait is in order after it anyway. An event that is recorded in between measures the same
//   without the wait, when the next call waits for that event; or
//   for results that asynchronous copies brought to pinned memory, or kernels to managed memory, of
//   which the host looks at none before it waits for the same again (look-alike), twice or more at
//   the line. On emulated devices, where that is known.
//
// In a trace of another tool, no code of kernels is known: there they touch the devices' memory
// alone where the program has no pinned and no managed memory. The waits must take
// EngineOptions::least_unclocked_percent of the time that the devices were in use, and each stands
// between two different kernels: the same again may be timed.
//
// Does not find: waits for an event, or by a copy, that could come later; waits around kernels
// whose code is not known, graphs, mapped memory; waits for any other asynchronous copy;
// waits after which the thread reads a clock, CUDA frees memory, any other event is recorded, a
// host function is queued, or another thread goes on with more than work that stays on the device;
// the first wait of a program, which initialises the device.
//
// Cost: O(streams of the device) a sync, O(1) any other event.

#include <map>
#include <vector>

#include "detect/detector.h"

namespace xfer {

class NeedlessSync : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void failed(const Event&) override { unseen_.clear(); }
  void forget() override;
  void finish() override;

 private:
  /// An asynchronous copy to pinned memory, or a kernel in managed memory, of which it may be told
  /// when the host looks.
  struct Landing {
    Work work;
    std::uint64_t correlation;
  };
  /// A wait that was of no use so far.
  struct Candidate {
    Event sync;
    std::vector<Work> waited_for;
    std::vector<Landing> brought;   ///< to where the host can look
    std::uint64_t clock = 0;        ///< the event that was recorded just after
    std::uint32_t kernel = 0;       ///< the name of the last that was waited for
    std::uint32_t next_kernel = 0;  ///< of the first that came after
  };
  void sync(const Event& event);
  void work(const Event& event);
  bool lands(const Event& event) const;
  bool stays_on_device(const Event& event) const;
  bool is_unseen(const std::vector<Landing>& brought) const;
  void start_clock(const Event& record);
  void read_clock(const Event& event);
  bool shows_the_host(const Event& event) const;
  /// Not between two different kernels, in a trace that tells nothing of clocks.
  bool may_be_timing(const Candidate& candidate) const;
  /// The call waits for all that the candidate waited for.
  bool covers(const Event& event, const Candidate& candidate) const;
  /// All that the candidate waited for comes before what the stream is given next.
  bool comes_before(const Candidate& candidate, StreamId stream) const;
  bool waits_again(const Event& event);
  void charge(const Candidate& candidate, const Event& next);
  void took_the_time(std::uint32_t thread);
  void charge_idle(std::uint32_t thread);
  void charge_idle(const Event& sync);
  void give_up(const Event& event);

  std::vector<Candidate> candidates_;  ///< one per thread and device at most
  std::vector<Event> idle_;            ///< with nothing under way, one per thread at most
  bool clock_runs_ = false;            ///< of one of them
  std::map<std::int16_t, std::uint32_t> last_kernels_;  ///< names, by device
  std::vector<Work> visible_;     ///< last work per stream that the host may see the results of
  std::vector<Landing> landing_;  ///< that the host may not know to be over
  std::vector<std::uint64_t> unseen_;  ///< their correlations, as told just now
  std::uint64_t visible_launch_ = 0;   ///< correlation of a launch with buffers outside the device
  std::uint64_t managed_launch_ = 0;   ///< of one with managed memory
};

}  // namespace xfer
