#pragma once
// round-trip
//
// Finds: data that goes out and comes back although neither side changed it.
//   host to device and back     a range is uploaded, no kernel and no copy may have changed it, and
//   the
//                               very same range is downloaded with the same content (proven). When
//                               nothing but the way back used the upload, its cost counts as well
//   device to host and back     a range is downloaded, and uploaded again from where it was put,
//   with
//                               the same content: to the same range, which is unmodified (proven),
//                               or to another range of the device while the first is still there,
//                               unmodified, or was freed and no kernel has run since
//                               (content-duplicate)
// Ranges tie the two copies together, so arrays that merely look alike (all zeros) never pair up.
//
// Does not find: trips of a part of what was sent; data parked on the host while kernels run in
// its place; trips through a second host buffer; copies that nobody hashed, except as a look-alike.
//
// Cost: O(log n) a copy. Memory: EngineOptions::max_remembered downloads.

#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class RoundTrip : public Detector {
 public:
  explicit RoundTrip(Scene& scene);

  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override;
  void content(const TransferPtr& transfer) override;
  void ended(const TransferPtr& transfer, const Event& cause) override;
  void forget() override;

 private:
  void judge_return(const TransferPtr& back, const TransferPtr& sent);

  Remembered<RangeKey, TransferPtr, RangeKeyHash> by_device_range_;  // downloads
  Remembered<RangeKey, TransferPtr, RangeKeyHash> by_host_range_;
  /// Downloads whose content is not known yet, with the upload that they bring back.
  Remembered<Time, TransferPtr> unverified_;
};

}  // namespace xfer
