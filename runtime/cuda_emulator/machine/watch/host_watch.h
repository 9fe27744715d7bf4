#pragma once
// Host memory that a device may still be using, as far as the program can know: it must leave those
// bytes alone until something has told it that the work is over, whatever the schedule is. Whoever
// traces the program says which bytes, and when they are free again.
//
// Their pages are closed: code that touches one faults. The fault handler judges the touch by its
// bytes. Bytes that are watched: the touch is told, once for each id. Neighbours on the page (other
// slots of an arena, a counter beside a buffer): the instruction runs by itself with the page open,
// then the page is closed again. The program sees no change but time: two signals for a neighbour.
// A budget bounds that: when faults take more than three quarters of the time, for a tenth of a
// second and longer, pages stay open until the next call of the watch, and touches go unseen
// meanwhile.
//
// watch, release and their kin may be called by any thread; fault, stepped and touched are for
// signal handlers.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "machine/watch/instruction.h"

namespace xfer::emulator {

/// Rows of bytes.
struct WatchedBytes {
  std::uint64_t id = 0;  ///< not 0
  std::uintptr_t begin = 0;
  std::uint64_t width = 0;  ///< bytes of a row
  std::uint64_t pitch = 0;  ///< bytes from row to row
  std::uint64_t rows = 1;
  bool device_writes = false;  ///< else it only reads, and the host may read too

  std::uintptr_t end() const { return begin + (rows - 1) * pitch + width; }
  /// The first part of them that the access touches.
  std::optional<Access> touched_by(const Access& access) const;
};

struct HostTouch {
  std::uint64_t id = 0;
  Access access;
};

class HostWatch {
 public:
  enum class Verdict {
    kNotWatched,  ///< the fault has another cause
    kGoOn,        ///< the instruction can run now
    kTouched,     ///< it can, and touches watched bytes
  };

  HostWatch() = default;
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  /// Whole pages around the bytes must be the emulator's own. False: there is no room for more.
  bool watch(const WatchedBytes& bytes);
  void release(std::uint64_t id);
  /// The memory goes.
  void release(std::uintptr_t begin, std::uintptr_t end);
  void release_all() { release(0, UINTPTR_MAX); }
  /// In a child of fork(), whose parent's threads may have been at work here: nothing is watched.
  void forget_in_child();

  /// In the handler of SIGSEGV. `early_for`: see own_work.h; 0: no code of the program runs here.
  Verdict fault(std::uintptr_t address, void* context, std::uint64_t early_for, HostTouch* touch);
  /// In the handler of SIGTRAP: the trap was the end of a neighbour's instruction.
  bool stepped(void* context);
  /// A system call is about to touch these bytes, whose pages are open until close_again.
  bool touched(const Access& access, std::uint64_t early_for, HostTouch* touch);
  /// Closes what was left open for a while.
  void close_again();
  /// Needs no lock.
  bool is_open_for_a_while() const { return open_count_.load(std::memory_order_relaxed) != 0; }
  /// How many faults there were, and how often the budget was used up.
  struct Account {
    std::uint64_t faults = 0;
    std::uint64_t rests = 0;
  };
  Account account() const { return {faults_.load(), rests_.load()}; }

 private:
  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kMostSteps = 64;
  static constexpr std::size_t kMostOpen = 64;

  struct Pages {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
  };
  struct Watched {
    WatchedBytes bytes;
    Pages pages;
  };
  /// A thread that runs one instruction.
  struct Step {
    int thread = 0;  ///< 0: none
    std::uintptr_t place = 0;
    std::array<Pages, 4> pages{};
    unsigned count = 0;
    bool trap_was_blocked = false;
    std::uint64_t began_ns = 0;
  };
  class Locked;

  static Pages pages_of(const WatchedBytes& bytes);
  /// The protection that the page needs.
  int needed(std::uintptr_t page) const;
  /// Gives the pages the protection that they need.
  void apply(Pages pages);
  void erase(std::size_t index);
  bool find_touched(const Access& access, std::uint64_t early_for, HostTouch* touch);
  void open_for_a_while(Pages pages);
  bool step(std::uintptr_t page, void* context, std::uint64_t began_ns);
  bool is_spent(std::uint64_t now_ns);

  std::atomic<int> owner_{0};  ///< the thread that has the lock
  std::array<Watched, kMost> watched_;
  std::size_t count_ = 0;
  std::array<Step, kMostSteps> steps_;
  std::array<Pages, kMostOpen> open_;
  std::atomic<std::size_t> open_count_{0};
  std::uintptr_t lowest_ = UINTPTR_MAX;  ///< of all that was ever watched
  std::uintptr_t highest_ = 0;
  std::int64_t credit_ns_ = 0;  ///< for faults, as of credited_at_ns_
  std::uint64_t credited_at_ns_ = 0;
  int last_thread_ = 0;  ///< that made a step, and when it was over
  std::uint64_t last_ns_ = 0;
  std::uint64_t least_gap_ns_ = UINT64_MAX;  ///< until its next: that much the system takes
  std::atomic<std::uint64_t> faults_{0};
  std::atomic<std::uint64_t> rests_{0};
};

}  // namespace xfer::emulator
