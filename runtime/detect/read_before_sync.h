#pragma once
// read-before-sync
//
// Finds: the result of an asynchronous copy to pinned memory that is read before the copy is known
// to have ended (proven)
//   by host code: on emulated devices, which watch that memory
//   by an upload on another stream that nothing puts in order after the copy
//
// Does not find: reads by host code on real devices; copies of less than a page there; what follows
// a kernel that may write where the host can look, since the host may have been told that way;
// streams whose creation was not seen; strided copies. A copy to pageable memory has ended when the
// call returns.
//
// Cost: O(pending copies) an upload from pinned memory.

#include "detect/detector.h"

namespace xfer {

class ReadBeforeSync : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
};

}  // namespace xfer
