#pragma once
// implicit-transfer
//
// Finds: a copy between the host and a device, or between devices, that an operation made for
// itself because its operands were in different places (proven): the library that made it says so,
// by xfer/annotate.h. tensorlib does, under its implicit operand policy. A copy told of here is not
// told of again as a repeat: moving the operand where it is needed ends both.
//
// Does not find: what libraries copy without saying so, such as pages of managed memory; a few
// bytes (EngineOptions::small_bytes), as of a number on the host; reading a value back
// (sync-in-loop).
//
// Cost: O(1) a copy.

#include "detect/detector.h"

namespace xfer {

class ImplicitTransfer : public Detector {
 public:
  using Detector::Detector;

  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override { charge(*copy.transfer); }

 private:
  void charge(Transfer& transfer);
};

}  // namespace xfer
