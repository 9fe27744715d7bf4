#pragma once
// leak
//
// Finds: a line whose allocations pile up: several of them, of device, managed or pinned memory,
// with kernels run in between, are never freed, and it goes on to the end of the program (proven;
// the rule is advice). Only when the trace holds the whole program.
//
// Does not find: memory that is allocated once and kept for as long as the program lives, as most
// programs do; a set of buffers made at the start, before any work or while a model is loaded; what
// the program's own allocator is told to keep (annotate.h), and its large blocks; memory that a
// reset of the device freed; host memory that was registered.
//
// Cost: O(1) an allocation or free. Memory: one entry per live allocation.

#include <unordered_map>

#include "detect/detector.h"

namespace xfer {

class Leak : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { lost_some_ = true; }
  void finish() override;

 private:
  struct Live {
    Event alloc;
    std::uint64_t launches = 0;  ///< in the program before it
  };

  std::unordered_map<std::uint64_t, Live> live_;  ///< by address
  std::uint64_t launches_ = 0;
  bool lost_some_ = false;
};

}  // namespace xfer
