#pragma once
// Numbers that go up by the same step from lane to lane. Code for all lanes keeps the first and the
// step alone, and whether lanes touch places one behind the other is one comparison, not one a
// lane.

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include <array>

#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// How many groups of lanes in a warp follow each other in x.
inline constexpr unsigned kMostGroups = 4;
constexpr unsigned groups_of(WarpShape shape) {
  if (shape == WarpShape::kQuarters) return 4;
  return shape == WarpShape::kHalves ? 2 : 1;
}

/// Lane k of group g has first[g] + k * step, in the width of its type, if `holds`. A pointer's are
/// numbers of 64 bits.
struct Steps {
  std::array<llvm::Value*, kMostGroups> first{};
  llvm::Value* step = nullptr;
  llvm::Value* holds = nullptr;  ///< an i1; null: always

  bool same_in_group() const {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step);
    return constant != nullptr && constant->isZero();
  }
  /// It stands for the lanes' vector, at little cost.
  bool exact() const { return holds == nullptr && llvm::isa<llvm::ConstantInt>(step); }
};

}  // namespace xfer::kernels
