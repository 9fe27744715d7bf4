#pragma once
// async-source-reuse
//
// Finds: pinned memory that an asynchronous copy to a device still reads, and that is written to
// before the copy is known to have ended (proven)
//   by host code: on emulated devices, which watch that memory
//   by a copy from a device on another stream that nothing puts in order after the first
//
// Does not find: writes by host code on real devices; copies of less than a page there; what
// follows a kernel that may write where the host can look, since the host may have been told that
// way; streams whose creation was not seen; strided copies. Pageable memory has been read when the
// call returns.
//
// Cost: O(pending copies) a download to pinned memory.

#include "detect/detector.h"

namespace xfer {

class AsyncSourceReuse : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
};

}  // namespace xfer
