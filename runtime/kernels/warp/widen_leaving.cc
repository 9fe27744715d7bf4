// Lanes that wait for others in a loop, and how a warp leaves them to threads: see resumption.h.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/warp/resumption.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

constexpr std::uint32_t kPatience = 64;

}  // namespace

/// Behind a turn of a loop: others have a go after so many since the warp came to the loop.
void Widener::emit_turn(llvm::CallInst& call) {
  llvm::AllocaInst* count = turns_of(loops_.getLoopFor(call.getParent()));
  llvm::Value* turns = ir_.CreateAdd(ir_.CreateLoad(ir_.getInt32Ty(), count), word(1));
  ir_.CreateStore(turns, count);
  llvm::BasicBlock* tired = new_block("tired");
  llvm::BasicBlock* on = new_block();
  ir_.CreateCondBr(ir_.CreateICmpEQ(ir_.CreateAnd(turns, word(kPatience - 1)), word(0)), tired, on);
  ir_.SetInsertPoint(tired);
  set_warp_field(offsetof(Warp, stop), word(static_cast<std::uint32_t>(WarpStop::kTurn)));
  suspend();
  leave_or_go_on(call);
  ir_.CreateBr(on);
  ir_.SetInsertPoint(on);
}

/// How many turns of the loop there were. Null stands for what is no loop any more.
llvm::AllocaInst* Widener::turns_of(const llvm::Loop* loop) {
  llvm::AllocaInst*& count = turns_[loop];
  if (count == nullptr) count = slot(ir_.getInt32Ty());
  return count;
}

/// Where the warp comes to loops: their turns begin anew.
void Widener::forget_turns(const llvm::BasicBlock& before) {
  const llvm::BasicBlock* next = before.getSingleSuccessor();
  const llvm::Loop* loop = next == nullptr ? nullptr : loops_.getLoopFor(next);
  if (loop != nullptr && loop->getLoopPreheader() == &before && resumption_ != nullptr)
    ir_.CreateStore(word(0), turns_of(loop));
}

/// Where a warp that waited is resumed. The call is the first of its block, to which the lanes go
/// back if the warp leaves.
void Widener::leave_or_go_on(llvm::CallInst& call) {
  if (resumption_ == nullptr) return;
  llvm::BasicBlock* leave = new_block("leave");
  llvm::BasicBlock* on = new_block();
  llvm::Value* leaves = warp_field(offsetof(Warp, leaves), ir_.getInt32Ty());
  ir_.CreateCondBr(ir_.CreateICmpNE(leaves, word(0)), leave, on);
  ir_.SetInsertPoint(leave);
  write_state(*call.getParent());
  ir_.CreateBr(last_);
  ir_.SetInsertPoint(on);
}

/// Where each lane is, and all that it needs to go on from there.
void Widener::write_state(const llvm::BasicBlock& wait) {
  const Aside aside(*this);
  const Kept::Wait& its = kept_->at(wait);
  const llvm::FunctionCallee make = target_.getParent()->getOrInsertFunction(
      "xfer_warp_state",
      llvm::FunctionType::get(ir_.getPtrTy(), {ir_.getPtrTy(), ir_.getInt64Ty()}, false));
  llvm::Value* state = ir_.CreateCall(make, {warp(), ir_.getInt64(kept_->bytes())});
  const auto store = [&](llvm::Value* value, std::size_t offset) {
    ir_.CreateAlignedStore(value, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), state, offset),
                           llvm::Align(8));
  };
  llvm::Value* at = splat(word(WarpState::kEnded));
  for (const llvm::BasicBlock* block : its.blocks) {
    llvm::Value* here = block == &wait ? mask_ : ir_.CreateLoad(ir_.getInt32Ty(), masks_.at(block));
    at = ir_.CreateSelect(mask_vector(here), splat(word(number_of(*block))), at);
  }
  store(at, offsetof(WarpState, at));
  for (const std::size_t number : its.values) {
    llvm::Instruction* kept = kept_->values()[number];
    llvm::Value* value = wide(kept);
    llvm::Type* type = kept_type(*kept);
    value = kept->getType()->isPointerTy() ? ir_.CreatePtrToInt(value, wide_type(type))
                                           : ir_.CreateBitCast(value, wide_type(type));
    store(type->isIntegerTy(1) ? mask_of(value) : value, kept_->offset(number));
  }
  set_warp_field(offsetof(Warp, go_on), resumption_);
}

}  // namespace xfer::kernels
