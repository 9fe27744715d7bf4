#pragma once
// Work of devices on host memory that the program cannot know to be over, as it stands while the
// program runs: copies between pinned memory and a device, kernels that touch host memory, graphs.
//
// Emulated CUDA watches their bytes until an event tells the host that they are free. The content
// of an upload's source at the call is compared with its content when the program first learns
// that the copy is over, on real devices too: if they differ, something wrote there too early,
// whatever the timing was. Sources that the device or a host function may write meanwhile are not
// compared. The content of a download is read once it has certainly arrived, before the program
// gets to see it.
//
// Thread-safe. Cost: an event O(1) and a lock, and where nothing is in flight most often not even
// that; one that makes the host wait O(what is in flight), and the reading of sources. Memory: a
// fixed number of entries; the oldest goes.

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api_call.h"
#include "order/stream_order.h"
#include "xfer/content_hash.h"

namespace xfer::tracer {

/// Rows of host memory that a device is using.
struct WatchedBytes {
  std::uint64_t id = 0;  ///< the correlation of the call that asked for it
  std::uint64_t begin = 0;
  std::uint64_t width = 0;
  std::uint64_t pitch = 0;  ///< bytes from row to row
  std::uint64_t rows = 1;
  bool device_writes = false;

  std::uint64_t extent() const { return (rows - 1) * pitch + width; }
};

/// Touches of watched bytes fault, with the id. Empty functions: nobody can watch.
struct HostWatch {
  std::function<bool(const WatchedBytes&)> watch;
  std::function<void(std::uint64_t id)> release;
};

/// A copy of a graph between pinned memory and a device.
struct GraphSide {
  CopyCall transfer;
  bool to_host = false;
  std::optional<ContentHash> held{};  ///< by the source when the launch was asked for
};

/// A download, whose bytes have come.
struct Download {
  Event event;  ///< of the copy
  CopyCall transfer;
};

/// The content of an upload's source now; nothing: it cannot be read, or there is no time.
using SourceReader = std::function<std::optional<ContentHash>(const CopyCall&)>;

class InFlight {
 public:
  explicit InFlight(HostWatch watch, SourceReader read = {})
      : watch_(std::move(watch)), read_(std::move(read)) {}

  /// Something is watched, in this process. Needs no lock.
  static bool is_any() noexcept { return any_.load(std::memory_order_relaxed); }

  /// Details of a call that has returned, besides its event.
  struct Details {
    const CopyCall* transfer = nullptr;  ///< of a copy
    bool awaits_content = false;         ///< a download, which `arrived` shall tell of
    std::span<const Event> arguments{};  ///< of a kernel's launch
    std::span<const GraphSide> sides{};  ///< of a graph's
    /// A graph that writes to no host memory but what spoil() was called for, and whose nodes tell
    /// the host nothing before its end.
    bool is_plain_graph = false;
  };
  struct News {
    std::vector<Event> changed;  ///< a kSourceChanged for each upload whose source is another now
    std::vector<Download> arrived;
  };
  /// A call has returned.
  News see(const Event& event, const Details& details);
  News see(const Event& event) { return see(event, {}); }
  /// Work of a device, or a host function, may still write to these bytes: when later work reads
  /// them, their content may be another than now.
  bool may_write(std::uint64_t begin, std::uint64_t end);
  /// A call begins by which a device may write to these bytes, or that frees them.
  void spoil(std::uint64_t begin, std::uint64_t end);
  /// A call begins by which a host function, or a graph, may write anywhere.
  void spoil_all() { spoil(0, UINT64_MAX); }

 private:
  static constexpr std::size_t kMost = 512;
  static constexpr unsigned kMostOfLaunch = 16;

  struct Source {
    CopyCall transfer;
    ContentHash held;
    Event call;
    bool unsure = false;  ///< a kernel whose accesses are not known may have told the host since
  };
  struct Use {
    std::uint64_t id = 0;
    Work work;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool device_writes = false;
    bool watched = false;
    std::optional<Source> source{};
    std::optional<Download> download{};
  };
  bool is_written(std::uint64_t begin, std::uint64_t end) const;
  /// Nothing is in flight, the event puts nothing there, and it changes no order of what comes.
  bool says_nothing(const Event& event, const Details& details) const;
  void order(const Event& event, const Details& details);
  void learn(const Event& event, std::span<const Event> arguments, News* news);
  /// A host thread that waits as the event's call did finds the work's bytes there.
  bool is_over(const Event& event, const Work& work);
  void add_copy(const Event& copy, const CopyCall& transfer, bool awaits_content);
  void add_side(const Event& launch, const GraphSide& side);
  Use use_of(const Event& call, const CopyCall& transfer, bool to_host);
  void add_kernel(const Event& launch, std::span<const Event> arguments);
  /// Its host side is watched, where somebody can.
  void add(Use use, const CopyCall& transfer);
  /// Watched as far as that can be. Let go where nothing of it matters.
  void add(Use use, std::span<const WatchedBytes> parts);
  std::optional<Source> source_of(const Event& copy, const CopyCall& transfer,
                                  const ContentHash& held) const;
  std::optional<Event> compared(const Use& use) const;

  static inline std::atomic<bool> any_{false};

  const HostWatch watch_;
  const SourceReader read_;
  std::atomic<bool> empty_{true};  ///< nothing is in flight
  std::mutex mutex_;
  StreamOrder order_;
  Time now_ = 0;
  std::deque<Use> uses_;
  std::vector<Work> opaque_;  ///< host functions and graphs that may not be over
};

}  // namespace xfer::tracer
