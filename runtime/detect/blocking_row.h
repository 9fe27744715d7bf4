#pragma once
// pageable-async, of copies in a row that are waited for one by one
//
// Finds: a line that copies to or from pageable memory EngineOptions::least_in_a_row times and more
// with nothing else for the device in between, and a wait of the same thread after each: what
// moving a list of tensors one by one comes to. The copies could all be under way before the host
// waits once (look-alike: whether their memory can be pinned, or the host needs each result at
// once, is not known).
//
// Does not find: copies with other work between them, or without their waits; small ones
// (EngineOptions::small_copy_bytes on average), which small-copies has.
//
// Cost: O(log n) a copy or wait. Memory: an entry for each thread.

#include <map>

#include "detect/detector.h"

namespace xfer {

class BlockingRow : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { rows_.clear(); }
  void finish() override;

 private:
  struct Row {
    Event last;
    Sizes sizes;
    Cost cost;
    std::uint32_t wait_site = 0;
    bool waited_for = true;
  };
  void copy(const Event& event);
  void wait(const Event& event);
  void end(Row& row);

  std::map<std::uint32_t, Row> rows_;  ///< by thread
};

}  // namespace xfer
