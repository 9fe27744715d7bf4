#pragma once
// host-access
//
// Finds: host code that reads or writes device memory, at the instruction, with the place of the
// allocation. The evidence is the fault: the tracer's handler saw the address, and it lies in a
// live allocation on a device (proven).
//
// Does not find: accesses by system calls (`write(fd, device_pointer, n)` fails with EFAULT and
// faults nowhere); pointers past the end of an allocation; managed and mapped memory, which the
// host may touch; memory whose allocation was not seen.
//
// Cost: O(log allocations) a fault.

#include "detect/detector.h"

namespace xfer {

class HostAccess : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
};

}  // namespace xfer
