#pragma once
// hidden-sync
//
// Finds: a line that frees device memory while the device is at work, so that the host waits for all
// of that work, twice or more and for long enough to matter (EngineOptions::least_hidden_wait_ns on
// average): measured, its cost is the time in the calls.
//
// Does not find: the wait of a copy (pageable-async has it); the first call's initialisation of the
// device, which has to be somewhere; memory that is freed in stream order (cudaFreeAsync).
//
// Cost: O(streams of the device) a free.

#include "detect/detector.h"

namespace xfer {

class HiddenSync : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
};

}  // namespace xfer
