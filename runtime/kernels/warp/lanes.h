#pragma once
// Which lane a thread is, spelled out: a group of lanes that follow each other in x, and the lane's
// place in it. Then LLVM sees what `threadIdx.x / 32` and `threadIdx.x % 32` are, and the Widener
// what goes up by one from lane to lane.

#include <llvm/IR/Function.h>

#include <optional>

#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// Numbers that such code gets by calls of functions without a body.
enum class LanePart {
  kLane,   ///< of its group
  kGroup,  ///< of the warp
  kWarp,   ///< of the block
  kX,      ///< groups before it in x
};

/// The part that the value is; nothing: it is another value.
std::optional<LanePart> lane_part_of(const llvm::Value* value);

/// Writes threadIdx.x and the thread's number by them. Calls have been inlined.
void spell_lanes(llvm::Function& thread, WarpShape shape);

}  // namespace xfer::kernels
