#pragma once
// small-copies
//
// Finds: a line that makes small copies in a row (EngineOptions::small_copy_bytes and
// least_in_a_row), of which each lies as far from the one before on the device as on the host: side
// by side, so that one copy would do, or at equal distances, so that one strided copy would do.
// Proven: no kernel and no fill came in between, so one copy at the place of the first (to the
// host) or of the last (to a device) moves the same bytes.
//
// Or a line that makes such copies of one size in a row, in a trace without addresses: a
// look-alike, since the pieces may lie anywhere.
//
// Or a line that reads one element after the other to the same place of the host, as item() does
// in a loop: a look-alike, since what it reads may tell it to stop.
//
// Does not find: copies from or to places that do not lie in order; rows of copies that two lines
// make in turn. The rule counts the calls' cost: the saving is all but one of them.
//
// Cost: O(1) a copy. Memory: one entry per thread and direction.

#include <unordered_map>

#include "detect/detector.h"

namespace xfer {

class SmallCopies : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { rows_.clear(); }
  void finish() override;

 private:
  struct Row {
    Event last;
    std::uint64_t step = 0;     ///< from one to the next, on the device
    bool to_one_place = false;  ///< else on the host, too
    Cost cost;
  };
  void copy(const Event& event);
  static Reason reason_of(const Row& row);
  void end(Row& row);
  void end_all();

  std::unordered_map<std::uint64_t, Row> rows_;  ///< by thread and direction
};

}  // namespace xfer
