#pragma once
// Asynchronous downloads whose bytes are not there yet. What they carried may be read only after a
// sync that covers them; the first such sync hands them out, and the tracer hashes the host memory
// before the program gets to see it. Whatever makes that memory doubtful first (a free, another
// copy into it, a host function) drops them.
//
// Thread-safe. Bounded: beyond the limit the oldest is dropped.

#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "api_call.h"
#include "xfer/event.h"

namespace xfer::tracer {

/// The default stream of a thread, as events name it.
inline constexpr std::uint64_t kThreadStream = 2;

struct Download {
  Event event;  ///< of the copy
  Transfer transfer;
};

class PendingDownloads {
 public:
  explicit PendingDownloads(std::size_t limit = 1024) : limit_(limit) {}

  void add(const Download& download);

  /// An event was recorded on a stream: syncing with it covers what is pending there now.
  void record_event(const Event& recorded);

  std::vector<Download> take_device(std::int16_t device);
  /// `thread` tells apart the default streams that threads have of their own.
  std::vector<Download> take_stream(std::int16_t device, std::uint64_t stream,
                                    std::uint32_t thread);
  std::vector<Download> take_event(std::uint64_t event_id);

  /// Those that store into [begin, end).
  void drop_range(std::uint64_t begin, std::uint64_t end);
  void drop_all();

 private:
  struct Entry {
    Download download;
    std::uint64_t order;
  };
  struct Recorded {
    std::int16_t device;
    std::uint64_t stream;
    std::uint32_t thread;
    std::uint64_t order;
  };
  template <typename Covered>
  std::vector<Download> take_if(Covered covered);

  std::mutex mutex_;
  std::size_t limit_;
  std::uint64_t order_ = 0;
  std::deque<Entry> entries_;
  std::unordered_map<std::uint64_t, Recorded> recorded_;
};

/// Bytes from the first to the last that a side of a transfer touches.
std::uint64_t extent(const Transfer& transfer, const CopySide& side);

}  // namespace xfer::tracer
