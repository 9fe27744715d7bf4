#pragma once
// async-source-reuse
//
// Finds: memory that an asynchronous copy between pinned memory and a device still reads, and that
// is written to before the copy is known to have ended (proven)
//   by host code: on emulated devices, which watch pinned memory
//   by a copy or a fill on another stream that nothing puts in order after the first
//   by a kernel there whose code writes to the buffer that the copy reads all of (look-alike: it
//   may not come to that)
//
// Does not find: writes by host code on real devices; copies of less than a page there; kernels
// whose code is not known, or that write to a buffer of which a part is read; what follows a kernel
// that may write where the host can look, since the host may have been told that way; streams whose
// creation was not seen; strided copies. Pageable memory has been read when the call returns.
//
// Cost: O(pending copies) a copy, fill or kernel argument.

#include "detect/too_early.h"

namespace xfer {

class AsyncSourceReuse : public TooEarly {
 public:
  explicit AsyncSourceReuse(Scene& scene)
      : TooEarly(scene, Rule::kAsyncSourceReuse, &PendingCopy::source) {}

  void see(const Event& event) override;
};

}  // namespace xfer
