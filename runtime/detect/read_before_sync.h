#pragma once
// read-before-sync
//
// Finds: the result of an asynchronous copy between pinned memory and a device that is read or
// overwritten before the copy is known to have ended (proven)
//   by host code: on emulated devices, which watch pinned memory
//   by a copy or a fill on another stream that nothing puts in order after the copy
//   by a kernel there, when the result is all of the buffer that it is given (look-alike: it may
//   leave that buffer alone)
//
// Does not find: reads by host code on real devices; copies of less than a page there; kernels that
// are given a buffer of which a part is on its way, since each may have a part of its own; what
// follows a kernel that may write where the host can look, since the host may have been told that
// way; streams whose creation was not seen; strided copies. A copy to pageable memory has ended
// when the call returns.
//
// Cost: O(pending copies) a copy, fill or kernel argument.

#include "detect/too_early.h"

namespace xfer {

class ReadBeforeSync : public TooEarly {
 public:
  explicit ReadBeforeSync(Scene& scene)
      : TooEarly(scene, Rule::kReadBeforeSync, &PendingCopy::destination) {}

  void see(const Event& event) override;
};

}  // namespace xfer
