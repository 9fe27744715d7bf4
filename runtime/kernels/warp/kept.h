#pragma once
// Facts about the lanes of a warp where it may leave for threads: see resumption.h.

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <vector>

#include "kernels/warp/order.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// Of a function that split_at_waits() has been through.
class Kept {
 public:
  /// Where a warp waits.
  struct Wait {
    std::vector<llvm::BasicBlock*> blocks;  ///< where its lanes may be then
    std::vector<std::size_t> values;        ///< what lanes in these need: indices of values()
  };

  Kept(llvm::Function& thread, const llvm::LoopInfo& loops, const std::vector<OrderedBlock>& order);

  /// Of the block with the wait.
  const Wait& at(const llvm::BasicBlock& wait) const { return waits_.at(&wait); }

  /// All that lanes need in any of the waits.
  const std::vector<llvm::Instruction*>& values() const { return values_; }

  /// Where a WarpState has the lanes' values, one behind the other; those of one bit in a word.
  std::size_t offset(std::size_t value) const { return offsets_[value]; }
  std::size_t bytes() const { return bytes_; }  ///< of the whole WarpState

 private:
  std::vector<llvm::BasicBlock*> where_lanes_are(llvm::BasicBlock& wait,
                                                 const llvm::LoopInfo& loops) const;
  std::size_t place_of(const llvm::BasicBlock& block) const;

  std::map<const llvm::BasicBlock*, std::size_t> places_;  ///< in the order of blocks
  std::map<const llvm::BasicBlock*, Wait> waits_;
  std::vector<llvm::Instruction*> values_;
  std::vector<std::size_t> offsets_;
  std::size_t bytes_ = sizeof(WarpState);
};

/// As it is kept: a number of the same size.
llvm::Type* kept_type(const llvm::Instruction& value);

/// Values that a lane carries from block to block.
std::vector<llvm::Instruction*> values_between_blocks(llvm::Function& thread);

/// Other blocks, or phis, use what it gives.
bool lives_on(const llvm::Instruction& instruction);

/// Of the function's blocks, by which number a lane says where it is.
std::uint32_t number_of(const llvm::BasicBlock& block);

}  // namespace xfer::kernels
