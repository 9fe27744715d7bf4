#pragma once
// read-before-sync
//
// Finds: the result of an asynchronous copy between pinned memory and a device, or of a kernel or
// graph whose bytes are known, that is read or overwritten before that is known to have ended
//   by host code (proven): on emulated devices, which watch pinned and managed memory to the byte
//   by a copy or a fill on another stream that nothing puts in order after it (proven)
//   by a kernel there that reads those bytes (proven), or that is given the buffer that the copy
//   writes all of (look-alike: it may leave that buffer alone)
//
// Does not find: reads by host code on real devices, or on the first and last page of registered
// memory; two kernels that both write, which may do so by atomic operations; kernels that are given
// a buffer of which a part is on its way, since each may have a part of its own; what follows a
// kernel that may write where the host can look and tell it something, since the host may have been
// told that way; streams whose creation was not seen. A copy to pageable memory has ended when the
// call returns.
//
// Cost: O(pending copies and kernels' ranges) a copy, fill or kernel argument.

#include "detect/too_early.h"

namespace xfer {

class ReadBeforeSync : public TooEarly {
 public:
  explicit ReadBeforeSync(Scene& scene)
      : TooEarly(scene, Rule::kReadBeforeSync, &PendingUse::destination) {}

  void see(const Event& event) override;
};

}  // namespace xfer
