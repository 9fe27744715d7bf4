#pragma once
// leak
//
// Finds: a line whose allocations pile up: several of them, of device, managed or pinned memory,
// with kernels run in between, are never freed, and it goes on to the end of the program (proven;
// the rule is advice). Only when the trace holds the whole program.
//
// Does not find: memory that is allocated once and kept for as long as the program lives, as most
// programs do; a set of buffers made at the start, before any work or while a model is loaded;
// memory that is used again after its line has allocated two more: the program still knows it (a
// pool that grows with the load, a history that is read); what the program's own allocator is told
// to keep (annotate.h), and its large blocks; memory that a reset of the device freed; host memory
// that was registered.
//
// Cost: O(log n) an allocation, a free and an address that is used, n live allocations. Memory: one
// entry per live allocation.

#include <map>
#include <utility>

#include "detect/detector.h"

namespace xfer {

class Leak : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { lost_some_ = true; }
  void finish() override;

 private:
  using Line = std::pair<std::uint32_t, std::int16_t>;  ///< a site and a device
  struct Live {
    Event alloc;
    std::uint64_t launches = 0;    ///< in the program before it
    std::uint64_t before = 0;      ///< how many its line had allocated
    bool used_much_later = false;  ///< see above
  };

  using LiveMap = std::map<std::uint64_t, Live>;  ///< by first byte

  LiveMap::iterator holding(std::uint64_t address);
  void use(std::uint64_t address);

  LiveMap live_;
  std::map<Line, std::uint64_t> made_;
  std::uint64_t launches_ = 0;
  bool lost_some_ = false;
};

}  // namespace xfer
