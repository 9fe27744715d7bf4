#pragma once
// slow-copy
//
// Finds: a line whose copies across the border run at less than a third of the rate that large
// copies of the same direction reach in the same run, so that they lose a hundredth of the run or
// more: from pageable memory, in many small pieces, or for another reason that only the machine
// knows (the wrong NUMA side, a link that others use).
//
// Does not find: a run whose fastest large copy is slow, too; copies that share the link with
// another of the same direction; a line's only slow copy; copies whose times are not known, and
// those of graphs.
//
// Cost: O(1) an event. Memory: 24 bytes a copy, of the first million, and copies whose
// times are still to come.

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "detect/busy_times.h"
#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class SlowCopy : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override;
  void forget() override { times_to_come_.clear(); }
  void finish() override;

 private:
  /// A link in one direction.
  struct Link {
    std::int16_t device;
    bool up;
    auto operator<=>(const Link&) const = default;
  };
  struct Timed {
    TransferPtr transfer;
    Span span;
    bool shares = false;  ///< the link with another copy
  };
  struct Took {
    std::uint64_t at_ns;  ///< when the host began it
    std::uint64_t bytes;
    std::uint64_t ns;  ///< on the device
  };
  struct Line {
    Event last{};
    Cost cost;
    Sizes sizes;
    std::vector<Took> copies;  ///< the first ones
  };
  void settle(const Link& link, const Timed& copy);
  void judge(const Link& link, const Line& line);
  StepShare step_share(const Line& line, double best) const;

  Remembered<std::uint64_t, TransferPtr> times_to_come_{scene_.options.max_remembered};
  std::map<Link, Timed> last_;
  std::map<Link, double> best_;  ///< bytes a nanosecond
  /// By site, memory and whether they are large: a trace without call stacks has one site for all.
  std::map<Link, std::map<std::tuple<std::uint32_t, Space, bool>, Line>> lines_;
  std::size_t kept_ = 0;
};

}  // namespace xfer
