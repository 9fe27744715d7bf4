#pragma once
// hidden-sync
//
// Finds: a line that frees device memory while the device is at work, so that the host waits for
// all of that work, twice or more and for long enough to matter
// (EngineOptions::least_hidden_wait_ns on average): measured, its cost is the time in the calls;
// and a line whose synchronous uploads wait for kernels given to the stream before, longer than for
// the copy itself, three times or more, when the host has that much to do until it waits again
// (look-alike: the copy could be asynchronous, if the program can spare the buffer that long). Its
// cost is the time beyond the copy's own.
//
// Does not find: the wait of an asynchronous copy (pageable-async has it), and of one that brings
// results, which the host asked for; uploads whose time on the device is not known (the report
// leaves out those of emulated devices, whose times are estimates); the first call's initialisation
// of the device, which has to be somewhere; memory that is freed in stream order (cudaFreeAsync).
//
// Cost: O(streams of the device) a free, O(1) an upload. Memory: EngineOptions::max_remembered
// uploads, until it is known how long the device took.

#include <deque>

#include "detect/detector.h"

namespace xfer {

class HiddenSync : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void ended(const TransferPtr& transfer, const Event& cause) override;
  void forget() override { uploads_.clear(); }
  void finish() override;

 private:
  void judge(const Transfer& upload);

  std::deque<TransferPtr> uploads_;  ///< that waited
};

}  // namespace xfer
