#pragma once
// exposed-copy
//
// Finds: a line that copies across the border, three times or more, while the device computes
// nothing although it computed until just before and goes on just after: the copy of the next step
// could run beside the work of this one (look-alike: the program may need its data no earlier, or
// have no memory for a second buffer). Copies of the line that follow each other count as one. Each
// gap before and after is at most as long as the copy, and all such time, as far as the work since
// the line's last copy can hide it, is at least EngineOptions::least_exposed_percent of the time
// that the line's copies span.
//
// Does not find: copies that other work hides; the first copy of a line; uploads after a download
// of about their size, whose data may come from that; small downloads, on which the program may
// decide; asynchronous copies of pinned memory on a stream of their own, which may overlap already;
// copies that wait for the host's data rather than for the device; copies of graphs. Work of every
// kind counts, also that of communication libraries.
//
// Cost: O(1) an event and O(log n) a copy at the end. Memory: see BusyTimes; 48 bytes a copy.

#include <map>
#include <utility>
#include <vector>

#include "detect/busy_times.h"
#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class ExposedCopy : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override;
  void forget() override { copies_.clear(); }
  void finish() override;

 private:
  struct Copy {
    TransferPtr transfer;
    Span span;  ///< on the device
  };
  struct Line {
    std::uint32_t site;
    std::int16_t device;
    bool up;
    auto operator<=>(const Line&) const = default;
  };
  /// Copies of a line that follow each other.
  struct Row {
    const Copy* first;
    Span span;
    Cost cost;  ///< with what it lost
    Sizes sizes;
    bool charged = false;  ///< to another rule
  };
  void remember(const TransferPtr& transfer);
  void judge(const Line& line, std::vector<Copy>& copies);
  std::vector<Row> rows_of(const Line& line, const std::vector<Copy>& copies) const;
  std::uint64_t exposed_ns(const Line& line, const Row& before, const Row& row) const;
  bool is_set_apart(const Transfer& transfer, std::int16_t device) const;
  std::uint64_t largest_download(std::int16_t device, Span between) const;

  /// Whose time on the device is still to come, by their calls.
  Remembered<std::uint64_t, TransferPtr> copies_{scene_.options.max_remembered};
  std::map<Line, std::vector<Copy>> lines_;
  std::map<std::int16_t, std::vector<std::pair<Span, std::uint64_t>>> downloads_;  ///< and bytes
  std::size_t kept_ = 0;
};

}  // namespace xfer
