#pragma once
// use-after-free
//
// Finds: device memory that is used although the program has freed it, and no allocation has taken
// its place:
//   a copy or a fill there that CUDA refused, or that succeeded in memory of a pool
//   (cudaFreeAsync), whose addresses nobody else is given (proven)
//   a free that CUDA refused because the memory was freed before (proven)
//   host code that faulted there (proven)
//   cudaFreeAsync on a stream that nothing puts in order after an asynchronous copy, with pinned
//   memory, that is under way there (proven)
//   pinned memory that is freed, or no longer registered, while an asynchronous copy or a
//   kernel may use it, and devices are given work after that (look-alike: CUDA waits)
//   a kernel that touches memory there which it is given, on emulated devices (proven);
//   elsewhere one that is given such an address (look-alike: it may leave it alone)
//   a graph that is launched although a node's copy or fill names such an address (proven) or
//   a node's kernel is given it (look-alike), or although other memory lies there by now
//   (look-alike); pinned memory, too, also that is no longer registered
//
// Does not find: copies into freed memory that succeed, since something that was not seen may lie
// there now; blocks of the program's own allocators; memory that was freed before it was lost track
// of; frees after a reset of the device, which has freed everything.
//
// Cost: O(log n) a copy, fill, free or kernel argument that lies in no allocation; O(pending
// copies) a cudaFreeAsync.

#include <vector>

#include "detect/detector.h"

namespace xfer {

class UseAfterFree : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void failed(const Event& event) override;
  void forget() override { given_back_.clear(); }

 private:
  void use(const Event& event, std::uint64_t address, Reason reason, bool refused);
  void freed_too_early(const Event& free);
  void host_freed_too_early(const Event& free);
  void charge_given_back();
  void is_given(const Event& argument);
  void graph_uses(const Event& place);
  const FreedRange* freed(std::uint64_t address) const;
  void charge(const Event& event, const FreedRange& range, Reason reason, Confidence confidence);

  struct GivenBack {
    Event free;
    PendingUse use;
  };
  std::vector<GivenBack> given_back_;  ///< pinned memory, by the last frees
};

}  // namespace xfer
