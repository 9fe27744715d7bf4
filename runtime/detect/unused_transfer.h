#pragma once
// unused-transfer
//
// Finds: a copy to a device that nothing there could have read: before any kernel that may touch
// the buffer and any copy from it, all of it is overwritten by other copies or fills, or its buffer
// is freed, or the program ends (proven). When no kernel ran on the device after the copy, the
// program may have been about to use it (an error path): then a freed buffer is a look-alike, told
// apart by its place of freeing, and one that is still there at the end is nothing.
//
// Does not find: copies into buffers that a kernel overwrites without reading them (a kernel that
// may touch a buffer counts as a reader); buffers of a caching allocator, whose blocks are used for
// something else later; copies to memory whose allocation was not seen. Readers that are no kernels
// and no copies (another process, a network card) are not seen.
//
// Cost: O(1) a write that ends. Memory: one entry per upload freed while no kernel has run since.

#include "detect/detector.h"

namespace xfer {

class UnusedTransfer : public Detector {
 public:
  using Detector::Detector;

  void ended(const TransferPtr& transfer, const Event& cause) override;
  void forget() override { waiting_.clear(); }
  void finish() override;

 private:
  struct Freed {
    TransferPtr transfer;
    std::uint32_t free_site;
  };
  void settle();

  std::vector<Freed> waiting_;  ///< freed, with no kernel on their device since they were copied
};

}  // namespace xfer
