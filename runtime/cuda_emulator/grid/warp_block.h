#pragma once
// A block that runs warp by warp, each until it waits at a barrier or has taken many turns of a
// loop. All that happens there is one call that returns and another that goes on: a warp that waits
// needs no stack.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "grid/grid_run.h"
#include "grid/interrupted.h"
#include "grid/launch.h"
#include "grid/shared_memory.h"
#include "kernels/warp_frame.h"

namespace xfer::emulator::grid {

class WarpBlock {
 public:
  enum class State { kEnded, kTurns };  // kTurns: all that is left does, and nobody got further

  explicit WarpBlock(GridRun& run);
  WarpBlock(const WarpBlock&) = delete;
  WarpBlock& operator=(const WarpBlock&) = delete;
  ~WarpBlock();

  /// For blocks of a launch, one after the other.
  void prepare(const Launch& launch);
  // These two on a stack that kernels run on. They end early if the grid fails.

  /// Becomes the block of that number in the grid, and runs.
  State begin(std::uint64_t number);
  State go_on();
  /// Its warps leave. Their state stays as long as nothing else is prepared.
  void leave(Interrupted& block);
  /// That its warps keep while they wait.
  std::size_t bytes() const;

 private:
  struct Slot;

  bool failed() const { return run_.grid().failed(); }
  void end_pauses();
  bool take_turns();
  bool release_barrier(std::uint32_t barriers, std::size_t live);
  bool gather_at(unsigned barrier, std::size_t live);
  void start(Slot& slot);
  void go_on(Slot& slot);

  GridRun& run_;
  const Launch* launch_ = nullptr;
  kernels::Block frame_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> released_;
  std::size_t warps_ = 0;
  SharedMemory shared_;
};

}  // namespace xfer::emulator::grid
