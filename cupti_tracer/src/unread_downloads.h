#pragma once
// Downloads into pinned memory that no host code has looked at. Asked when their bytes go: another
// copy or fill comes there, the memory is freed, the program ends. Only emulated CUDA can answer.
//
// Thread-safe. Memory: an entry for each range that was downloaded to.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "api_call.h"
#include "xfer/event.h"

namespace xfer::tracer {

/// What host code does with pinned memory. Empty functions: nobody can tell.
struct HostUse {
  /// From now on it did nothing there.
  std::function<void(std::uint64_t address, std::uint64_t bytes)> clear;
  /// True also when it cannot be told.
  std::function<bool(std::uint64_t address, std::uint64_t bytes)> touched;
  /// Where the tracer reads the same memory without being taken for the program.
  std::function<std::uint64_t(std::uint64_t address)> other_view;
};

class UnreadDownloads {
 public:
  explicit UnreadDownloads(HostUse use) : use_(std::move(use)) {}

  /// A copy to host memory is about to be made ...
  void begins(const Event& copy) const;
  /// ... and was.
  void made(const Event& copy);
  /// The bytes from `begin` to `end` go: a kUnread for each copy of which nobody saw anything.
  std::vector<Event> gone(std::uint64_t begin, std::uint64_t end);
  /// The host is about to wait: a kUnseen for each asynchronous copy of which nobody saw anything
  /// so far. The first waits after a copy ask; more would cost and say nothing.
  std::vector<Event> so_far();
  /// The side of a copy as the tracer is to read it.
  CopySide untouched(CopySide side) const;

 private:
  struct Copy {
    Event event;
    unsigned asked = 0;  ///< by waits
  };
  static constexpr unsigned kMostAsked = 4;

  bool is_watched(const Event& copy) const;
  bool is_untouched(const Event& copy) const;

  const HostUse use_;
  std::mutex mutex_;
  std::map<std::uint64_t, Copy> copies_;  // by destination; disjoint
  std::set<std::uint64_t> young_;         // those that waits may ask about
};

}  // namespace xfer::tracer
