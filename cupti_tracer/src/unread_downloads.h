#pragma once
// Downloads that no host code has looked at. Asked when their bytes go: another copy or fill comes
// there, the memory is freed, the program ends. For pinned memory only emulated CUDA can answer;
// for plain memory the system can, on any CUDA, of downloads that are not tiny: see AccessedPages.
//
// Thread-safe. Memory: an entry for each range that was downloaded to.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "accessed_pages.h"
#include "api_call.h"
#include "xfer/event.h"

namespace xfer::tracer {

/// Host code's uses of pinned memory. Empty functions: they are not known.
struct HostUse {
  /// From now on it did nothing there.
  std::function<void(std::uint64_t address, std::uint64_t bytes)> clear;
  /// True also when it cannot be told.
  std::function<bool(std::uint64_t address, std::uint64_t bytes)> touched;
  /// Where the tracer reads the same memory without being taken for the program.
  std::function<std::uint64_t(std::uint64_t address)> other_view;
};

/// The event about a copy's call: kUnread or kUnseen.
Event told_of(const Event& call, EventKind kind);

class UnreadDownloads {
 public:
  /// `pageable`: plain memory is to be watched too, for so many percent of the run's time.
  UnreadDownloads(HostUse use, bool pageable, std::uint64_t percent = 2)
      : use_(std::move(use)), pageable_(pageable), accessed_(percent) {}

  /// A copy to host memory is about to be made ...
  void begins(const Event& copy);
  /// ... and was; the tracer reads nothing there any more.
  void made(const Event& copy);
  /// The bytes from `begin` to `end` go: a kUnread for each copy of which nobody saw anything.
  std::vector<Event> gone(std::uint64_t begin, std::uint64_t end);
  /// The C library is about to free the plain memory at `address`: told with what goes next. Not
  /// by a thread that is in one of the functions here.
  void freed(std::uint64_t address);
  /// How many downloads to plain memory were not watched, for want of time or of the system's help.
  std::uint64_t unwatched() const { return unwatched_.load(std::memory_order_relaxed); }
  /// Something was freed that was not looked at.
  bool has_news() const { return has_news_.load(std::memory_order_relaxed); }
  /// Whether a download to that address may be watched. O(1), no locks; safe at any time.
  static bool may_begin_at(std::uint64_t address);
  /// The host is about to wait: a kUnseen for each asynchronous copy of which nobody saw anything
  /// so far. The first waits after a copy ask; more would cost and say nothing.
  std::vector<Event> so_far();
  /// The side of a copy as the tracer is to read it.
  CopySide untouched(CopySide side) const;

 private:
  struct Copy {
    Event event;
    unsigned asked = 0;                            ///< by waits
    std::optional<AccessedPages::Marked> pages{};  ///< of a copy to plain memory
    std::uint64_t quiet_before = 0;  ///< correlation of the copy before which it was asked about

    bool shares_page_with(const AccessedPages::Marked& other) const {
      return pages && pages->shares_page_with(other);
    }
  };
  using Copies = std::map<std::uint64_t, Copy>;
  static constexpr unsigned kMostAsked = 4;
  static constexpr std::uint64_t kLeastPageable = 4096;  ///< smaller ones have no page of their own

  bool is_watched(const Event& copy) const;
  bool is_watched_plain(const Event& copy) const;
  bool is_untouched(const Event& copy) const;
  void begins_pageable(const Event& copy);
  void made_pageable(const Event& copy);
  /// The first that shares a page with these; behind it are the others.
  Copies::iterator first_sharing(const AccessedPages::Marked& pages);
  /// Their pages are as all others again, but those that they share.
  void release(const AccessedPages::Marked& pages);
  void take(std::uint64_t begin, std::uint64_t end);
  /// Notes what was not looked at of these copies, of which nobody asks any more.
  void judge(const std::vector<Copy>& pageable);

  const HostUse use_;
  const bool pageable_;
  AccessedPages accessed_;
  std::mutex mutex_;
  Copies copies_;                      // by destination; disjoint
  std::set<std::uint64_t> young_;      // those that waits may ask about
  std::vector<Event> unread_;          // to be told
  std::atomic<bool> has_news_{false};  // in it
  std::atomic<std::uint64_t> unwatched_{0};
};

}  // namespace xfer::tracer
