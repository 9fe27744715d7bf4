#pragma once
// Kernels in managed memory, and whether the host has looked there since: what a wait for them was
// for, if anything. Only emulated CUDA can answer.
//
// Thread-safe. Cost: where kernels use managed memory, a question a block and launch. Memory: a
// fixed number of launches; the oldest goes.

#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "unread_downloads.h"
#include "xfer/event.h"

namespace xfer::tracer {

class ManagedUse {
 public:
  struct Block {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };

  explicit ManagedUse(HostUse use) : use_(std::move(use)) {}

  /// A kernel is about to run, which touches pages as the host does.
  void launch_begins();
  /// It ran, and may have touched these blocks; nothing else of managed memory.
  void launched(const Event& launch, std::vector<Block> blocks);
  /// Of a kernel nobody knows what it touched.
  void forget();
  /// The host is about to wait: a kUnseen for each launch whose blocks nobody looked at so far. The
  /// first waits after it ask.
  std::vector<Event> so_far();

 private:
  struct Launch {
    Event event;
    std::vector<Block> blocks;
    unsigned asked = 0;
  };
  static constexpr std::size_t kMost = 64;
  static constexpr unsigned kMostAsked = 4;

  bool is_touched(const Launch& launch) const;

  const HostUse use_;
  std::mutex mutex_;
  std::deque<Launch> launches_;
};

}  // namespace xfer::tracer
