#pragma once
// pageable-async
//
// Finds: a copy that was asked for as asynchronous, of pageable memory, so that the host waits in
// it although it has other work to give: to the host (the call returns when the bytes are there),
// or to a device and larger than the driver stages at once. Measured: its cost is the time in the
// call.
//
// Does not find: copies that are better left out (repeated-transfer, round-trip); such copies after
// which the host waits for the stream anyway, so that nothing is lost (a value that is read back);
// uploads of up to EngineOptions::staged_bytes.
//
// Cost: O(1) an event. Memory: one copy per thread.

#include <unordered_map>

#include "detect/detector.h"

namespace xfer {

class PageableAsync : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void download(const CopyView& copy) override;
  void forget() override { last_.clear(); }

 private:
  std::unordered_map<std::uint32_t, TransferPtr>
      last_;  ///< by thread: what the next call decides on
};

}  // namespace xfer
