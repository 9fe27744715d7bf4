#pragma once
// A grid that one or more threads of the host run: which blocks nobody runs yet, and what went
// wrong.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "grid/launch.h"

namespace xfer::emulator::grid {

class SharedGrid {
 public:
  SharedGrid(const Launch& launch, unsigned parties);

  unsigned parties() const { return parties_; }

  struct Blocks {
    std::uint64_t first, end;
  };
  /// Blocks to run, by their number in the grid: all of them for one that is alone. Nothing: there
  /// are no more.
  std::optional<Blocks> take_blocks();
  /// Some that were taken and that nobody has begun.
  void give_back(Blocks blocks);

  /// One block, to be on the device together with others. Nothing: there are no more, or so many
  /// are on the device already as it holds.
  std::optional<std::uint64_t> begin_block();
  /// A block that was taken is on the device together with others now.
  void keep_block() { add(resident_, 1); }
  /// The device holds another.
  bool has_room() const { return resident_.load(std::memory_order_relaxed) < most_resident_; }
  void end_block() { add(resident_, std::uint64_t(-1)); }

  // Parties that have something to do: not those that wait for others, or for the host.
  void begin_work() { add(working_, 1); }
  void end_work() { add(working_, std::uint64_t(-1)); }
  bool somebody_works() const { return working_.load(std::memory_order_relaxed) != 0; }

  /// Why the grid is given up, and where. True: nobody said so before. Async-signal-safe.
  bool fail(const char* what, const void* at);
  bool failed() const { return state_.load(std::memory_order_relaxed) != State::kFine; }
  /// When all threads have ended.
  Failure failure() const { return {failure_, at_}; }

  // Changes that kernels make to the device's memory by malloc and free.
  void note_heap() { heap_changes_.store(true, std::memory_order_relaxed); }
  /// Another thread may make one now.
  bool heap_may_change() const {
    return parties_ > 1 && heap_changes_.load(std::memory_order_relaxed);
  }

 private:
  enum class State { kFine, kFailed };

  /// Returns the former value. A lone party does without an atomic operation, which is dear.
  std::uint64_t add(std::atomic<std::uint64_t>& to, std::uint64_t number) {
    if (parties_ > 1) return to.fetch_add(number, std::memory_order_relaxed);
    const std::uint64_t before = to.load(std::memory_order_relaxed);
    to.store(before + number, std::memory_order_relaxed);
    return before;
  }

  /// The next of those that were given back.
  std::optional<std::uint64_t> take_returned();

  const unsigned parties_;
  const std::uint64_t blocks_;
  const std::uint64_t together_;  ///< that one takes at once
  const std::uint64_t most_resident_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> resident_{0};
  std::atomic<std::uint64_t> working_{0};
  std::atomic<bool> has_returned_{false};
  std::mutex mutex_;  ///< of:
  std::vector<Blocks> returned_;
  std::atomic<State> state_{State::kFine};
  std::atomic<bool> heap_changes_{false};
  char failure_[256] = "";
  const void* at_ = nullptr;
};

}  // namespace xfer::emulator::grid
