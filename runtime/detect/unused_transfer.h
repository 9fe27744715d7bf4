#pragma once
// unused-transfer
//
// Finds: a copy to a device that nothing there could have read: before any kernel that may touch
// the buffer and any copy from it, all of it is overwritten by other copies or fills, or its buffer
// is freed, or the program ends (proven). When no kernel ran on the device after the copy, the
// program may have been about to use it (an error path): then a freed buffer is a look-alike, told
// apart by its place of freeing, and one that is still there at the end is nothing. Where kernels
// had run before, and the program succeeds, both are proven; not where a line's other copies were
// used, as those of a loop that sends its next data ahead.
//   A copy to the host that no host code touched until it was overwritten or freed, or the program
// ended, and that no copy and no kernel could have read there (proven): where the trace says so, of
// plain memory, and on emulated devices of pinned memory.
//
// Does not find: copies into buffers that a kernel overwrites without reading them, unless an
// emulated device saw that it did (a kernel that may touch a buffer counts as a reader); buffers of
// a caching allocator, whose blocks are used for something else later; copies to memory whose
// allocation was not seen. Readers that are no kernels and no copies (another process, a network
// card) are not seen.
//
// Cost: O(1) a write that ends; O(log n) a copy from or to the host. Memory: one entry per
// upload freed while no kernel has run since, and per range of the host that was copied to.

#include <map>

#include "detect/detector.h"

namespace xfer {

class UnusedTransfer : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void download(const CopyView& copy) override;
  void ended(const TransferPtr& transfer, const Event& cause) override;
  void forget() override;
  void finish() override;

 private:
  struct Freed {
    TransferPtr transfer;
    std::uint32_t free_site;
  };
  void charge(Transfer& transfer, Reason reason, std::uint32_t other_site);
  bool kernel_since(const Transfer& transfer) const;
  bool is_too_late(const Transfer& transfer) const;
  void settle();
  void read_on_host(ByteRange range);
  void unread(const Event& event);

  std::map<std::uint64_t, TransferPtr> on_host_;  ///< by destination; disjoint
  std::vector<Freed> waiting_;  ///< freed, with no kernel on their device since they were copied
};

}  // namespace xfer
