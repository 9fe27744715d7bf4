#pragma once
// A block whose warps left, to go on as threads.

#include <vector_types.h>

#include <cstdint>
#include <vector>

#include "grid/shared_memory.h"
#include "kernels/warp_frame.h"

namespace xfer::emulator::grid {

/// All of it stays until the grid is over.
struct Interrupted {
  dim3 index;
  std::uint32_t multiprocessor = 0;
  SharedMemory shared;
  std::vector<const kernels::Warp*> warps;  ///< with their states; null: one that has ended

  /// Where the thread goes on; null: it has ended.
  const kernels::WarpState* state_of(unsigned thread) const {
    const kernels::Warp* const warp = warps[thread / kernels::kLanes];
    return warp == nullptr ||
                   warp->state->at[thread % kernels::kLanes] == kernels::WarpState::kEnded
               ? nullptr
               : warp->state;
  }
};

}  // namespace xfer::emulator::grid
