#pragma once
// hidden-sync
//
// Finds: a line that frees device memory while the device is at work, so that the host waits for
// all of that work, twice or more and for long enough to matter
// (EngineOptions::least_hidden_wait_ns on average): measured, its cost is the time in the calls;
// and a line whose synchronous uploads wait for kernels given to the stream before, longer than for
// the copy itself, three times or more, when the host has that much to do until it waits again
// (look-alike: the copy could be asynchronous, if the program can spare the buffer that long). Its
// cost is the time that the device was at such work meanwhile: the rest of a call is the copy's
// own, which from pageable memory is much more than the device's, or the wait for other processes.
//
// Does not find: the wait of an asynchronous copy (pageable-async has it), and of one that brings
// results, which the host asked for; uploads whose time on the device is not known, or that of the
// work before them (the report leaves out those of emulated devices, whose times are estimates);
// the first call's initialisation of the device, which has to be somewhere; memory that is freed in
// stream order (cudaFreeAsync).
//
// Cost: O(1) a launch, O(streams of the device) a free and an upload. Memory:
// EngineOptions::max_remembered uploads, until it is known how long the device took.

#include <deque>
#include <unordered_map>
#include <vector>

#include "detect/detector.h"
#include "detect/remembered.h"

namespace xfer {

class HiddenSync : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void see_unplaced(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void ended(const TransferPtr& transfer, const Event& cause) override;
  void forget() override;
  void finish() override;

 private:
  void free(const Event& event);
  void free_on(std::int16_t device, const Event& event);
  void given(const Event& work);
  /// The stream's last work is known to have been over by then.
  bool ended_before(StreamId stream, std::uint64_t ns);
  void judge(const Transfer& upload);

  static constexpr std::size_t kLast = 8;  ///< of a stream's works: they tell whether it was busy

  /// By the correlation of its call, the work that uploads wait for.
  using Awaited = Remembered<std::uint64_t, std::vector<TransferPtr>>;

  std::deque<TransferPtr> uploads_;  ///< that waited
  /// Of each stream the last kLast, by their calls.
  std::unordered_map<StreamId, std::deque<std::uint64_t>> last_;
  std::vector<std::uint64_t> under_way_;  ///< at this call
  /// When the device's works ended, by their calls: in time for traces that give times in order.
  Remembered<std::uint64_t, std::uint64_t> ended_{std::size_t{1} << 12};
  Awaited awaited_{scene_.options.max_remembered};
};

}  // namespace xfer
