#pragma once
// repeated-transfer
//
// Finds: a copy to a device (from the host, or from another device) of bytes that the device has.
//   proven             the destination itself held them: the copy changed nothing
//   content-duplicate  the same host range was sent before, and that copy was there all the while,
//                      read-only like the new one; or it was freed unchanged each time (three and
//                      more uploads)
//   look-alike         freed unchanged and uploaded again, once; or the same host range sent, with
//                      the same content, to other memory each time
//                      (EngineOptions::least_sent_again), where kernels of which nothing is known
//                      may have changed it on the device: a tensor that is moved there on every
//                      step; or few bytes that a line sends, and no others, to other memory each
//                      time (EngineOptions::least_constant), from wherever on the host
// and a second download of bytes that the device did not change.
//
// Does not find: content sent again to the same memory after a kernel may have written there (that
// is how an array is reset), or after a kernel was given the device's copy to write to; batches of
// a data set that comes round again (EngineOptions::most_sent_between); the same content from
// different host buffers (arrays of zeros are not the same array), but for a line's few bytes; an
// upload into a buffer that
// served for something else in between; parts of an earlier copy; copies without a content hash;
// graph replays. On emulated devices: content that the host first sent after it had got results
// that a skipped kernel did not write, since it may have been computed from them and would be new
// on a real device.
//
// Cost: O(log n) a copy. Memory: EngineOptions::max_remembered host ranges.

#include "detect/detector.h"
#include "detect/line_contents.h"
#include "detect/remembered.h"

namespace xfer {

class RepeatedTransfer : public Detector {
 public:
  explicit RepeatedTransfer(Scene& scene);

  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override;
  void content(const TransferPtr& transfer) override;
  void ended(const TransferPtr& transfer, const Event& cause) override;
  void forget() override;
  void finish() override;

 private:
  bool note_first_sent(Transfer& transfer, const Transfer* before, const Transfer* holder) const;
  void note_sent_again(Transfer& transfer, bool may_be_new);
  void note_constant(Transfer& transfer);
  void judge_sent_again(const TransferPtr& gone);
  void judge_constant(const TransferPtr& gone);
  void judge_end(const TransferPtr& gone);
  void judge_download(const TransferPtr& again, const TransferPtr& before);
  bool still_held(const Transfer& transfer) const;

  Remembered<RangeKey, TransferPtr, RangeKeyHash> sent_;  // by host range
  /// The content that one host range is sent with, time after time, each time to other memory.
  struct Resends {
    std::uint64_t hash_lo = 0;
    std::uint64_t hash_hi = 0;
    std::uint64_t newest = 0;       ///< allocation that got them: in an older one it is a reset
    std::uint64_t sent_before = 0;  ///< sent_bytes_ then
    std::uint32_t site = 0;
    unsigned ended = 0;
    std::vector<TransferPtr> few{};  ///< not charged yet: it may not go on
  };
  Remembered<RangeKey, Resends, RangeKeyHash> resends_;
  std::uint64_t sent_bytes_ = 0;
  LineContents lines_;
  Remembered<RangeKey, TransferPtr, RangeKeyHash> downloaded_;  // by device range
  /// Downloads whose content is not known yet, with the one before them.
  Remembered<Time, TransferPtr> unverified_;
  /// Uploads of what had been freed unchanged once: advice, unless it goes on.
  Remembered<Time, TransferPtr> seen_twice_;
};

}  // namespace xfer
