#include "kernels/warp/widener.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>

#include "kernels/frame.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"
#include "kernels/warp/resumption.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

/// An access through a pointer goes back to the number that it was made of: address_of.
bool is_used_outside(const llvm::Instruction& value, const llvm::BasicBlock& block) {
  for (const llvm::User* user : value.users()) {
    const auto* used = llvm::cast<llvm::Instruction>(user);
    if (used->getParent() != &block || llvm::isa<llvm::PHINode>(used)) return true;
    if ((is_reach(used) || llvm::isa<llvm::GetElementPtrInst>(used)) &&
        is_used_outside(*used, block))
      return true;
  }
  return false;
}

}  // namespace

Widener::Widener(llvm::Function& source, llvm::Function& target, WarpShape shape)
    : source_(source),
      target_(target),
      shape_(shape),
      dominators_(source),
      loops_(dominators_),
      uniformity_(source, shape),
      ir_(target.getContext()) {}

llvm::BasicBlock* Widener::new_block(const char* name) {
  return llvm::BasicBlock::Create(target_.getContext(), name, &target_);
}

llvm::AllocaInst* Widener::place_for(llvm::Type* type) {
  llvm::BasicBlock& first = target_.getEntryBlock();
  return llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(type);
}

llvm::AllocaInst* Widener::slot(llvm::Type* type, llvm::Value* first) {
  llvm::AllocaInst* place = place_for(type);
  llvm::IRBuilder<> ir(entry_->getTerminator());
  // A lane that has not come by must not find what is undefined: it may divide by it.
  ir.CreateStore(first != nullptr ? first : llvm::Constant::getNullValue(type), place);
  return place;
}

llvm::Value* Widener::warp_field(std::size_t offset, llvm::Type* type) {
  return ir_.CreateLoad(type, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), warp(), offset));
}

void Widener::set_warp_field(std::size_t offset, llvm::Value* value) {
  ir_.CreateStore(value, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), warp(), offset));
}

/// The function's beginning: a coroutine's frame, and what is read once.
void Widener::begin() {
  llvm::LLVMContext& context = target_.getContext();
  llvm::BasicBlock* first = new_block("first");
  entry_ = new_block("entry");
  ir_.SetInsertPoint(first);
  if (llvm::any_of(llvm::instructions(source_), waits_at)) {
    target_.setPresplitCoroutine();
    llvm::Value* null = llvm::ConstantPointerNull::get(ir_.getPtrTy());
    llvm::Value* id =
        ir_.CreateIntrinsic(llvm::Intrinsic::coro_id, {}, {word(0), null, null, null});
    llvm::Value* size = ir_.CreateIntrinsic(llvm::Intrinsic::coro_size, {ir_.getInt64Ty()}, {});
    const llvm::FunctionCallee frame = target_.getParent()->getOrInsertFunction(
        "xfer_warp_frame",
        llvm::FunctionType::get(ir_.getPtrTy(), {ir_.getPtrTy(), ir_.getInt64Ty()}, false));
    llvm::Value* memory = ir_.CreateCall(frame, {warp(), size});
    handle_ = ir_.CreateIntrinsic(llvm::Intrinsic::coro_begin, {}, {id, memory});
    suspended_ = new_block("suspended");
    cleanup_ = new_block("cleanup");
    llvm::IRBuilder<> end(cleanup_);
    end.CreateBr(suspended_);
    end.SetInsertPoint(suspended_);
    end.CreateIntrinsic(llvm::Intrinsic::coro_end, {},
                        {handle_, ir_.getFalse(), llvm::ConstantTokenNone::get(context)});
    end.CreateRet(handle_);
  }
  ir_.CreateBr(entry_);
  ir_.SetInsertPoint(entry_);
  block_ = fixed_field(ir_, warp(), offsetof(Warp, block), ir_.getPtrTy());
  base_ = fixed_field(ir_, block_, offsetof(Block, device_base), ir_.getInt64Ty());
  span_ = fixed_field(ir_, block_, offsetof(Block, device_span), ir_.getInt64Ty());
}

void Widener::run() {
  const auto order = order_of(source_, loops_);
  if (resumption_ != nullptr) kept_.emplace(source_, loops_, *order);
  begin();
  llvm::Value* all = warp_field(offsetof(Warp, lanes), ir_.getInt32Ty());
  llvm::BasicBlock* start = new_block("start");
  ir_.CreateBr(start);
  for (const OrderedBlock& ordered : *order) {
    places_.emplace(ordered.block, places_.size());
    const bool is_first = ordered.block == &source_.getEntryBlock();
    masks_[ordered.block] = slot(ir_.getInt32Ty(), is_first ? all : nullptr);
    entries_[ordered.block] = new_block();
  }
  ir_.SetInsertPoint(start);
  ir_.CreateBr(entries_[order->front().block]);
  last_ = new_block("last");
  for (std::size_t i = 0; i < order->size(); ++i)
    emit_block((*order)[i], i + 1 < order->size() ? entries_[(*order)[i + 1].block] : last_);
  ir_.SetInsertPoint(last_);
  finish();
}

void Widener::emit_block(const OrderedBlock& ordered, llvm::BasicBlock* next) {
  // Behind the last block of a loop: again, while lanes came back to its first.
  for (llvm::Loop* loop : llvm::reverse(ordered.ends)) {
    llvm::BasicBlock* header = loop->getHeader();
    llvm::BasicBlock* again = new_block("again");
    ir_.SetInsertPoint(again);
    llvm::Value* left = ir_.CreateLoad(ir_.getInt32Ty(), masks_[header]);
    ir_.CreateCondBr(ir_.CreateICmpNE(left, word(0)), entries_[header], next);
    next = again;
  }
  ir_.SetInsertPoint(entries_[ordered.block]);
  forget_values(*ordered.block);
  llvm::AllocaInst* mask = masks_[ordered.block];
  mask_ = ir_.CreateLoad(ir_.getInt32Ty(), mask);
  ir_.CreateStore(word(0), mask);
  llvm::BasicBlock* run = new_block();
  ir_.CreateCondBr(ir_.CreateICmpNE(mask_, word(0)), run, next);
  ir_.SetInsertPoint(run);
  here_.clear();
  steps_here_.clear();
  for (llvm::Instruction& instruction : *ordered.block) {
    ir_.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (!instruction.isTerminator() && !llvm::isa<llvm::PHINode>(instruction)) emit(instruction);
  }
  forget_turns(*ordered.block);
  emit_terminator(*ordered.block);
  ir_.CreateBr(next);
}

/// The block's values from the warp's earlier visits are of no use, which LLVM cannot see.
void Widener::forget_values(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.getType()->isVoidTy() ||
        !lives_on(instruction) || lane_part_of(&instruction))
      continue;
    llvm::AllocaInst* place = place_of(&instruction);
    ir_.CreateStore(llvm::PoisonValue::get(place->getAllocatedType()), place);
  }
}

void Widener::emit_terminator(llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr) return;  // these lanes have ended
  if (branch->isUnconditional()) return emit_edge(block, *branch->getSuccessor(0), mask_);
  llvm::Value* condition = branch->getCondition();
  llvm::Value* taken = nullptr;
  llvm::Value* other = nullptr;
  if (uniform(condition)) {
    llvm::Value* holds = scalar(condition);
    taken = ir_.CreateSelect(holds, mask_, word(0));
    other = ir_.CreateSelect(holds, word(0), mask_);
  } else {
    llvm::Value* holds = mask_of(wide(condition));
    taken = ir_.CreateAnd(mask_, holds);
    other = ir_.CreateAnd(mask_, ir_.CreateNot(holds));
  }
  emit_edge(block, *branch->getSuccessor(0), taken);
  emit_edge(block, *branch->getSuccessor(1), other);
}

/// No lane waits in `to` when lanes go there from `from`: other lanes' values there are of no use.
bool Widener::comes_first(llvm::BasicBlock& from, llvm::BasicBlock& to) {
  const llvm::Loop* loop = loops_.getLoopFor(&to);
  // A loop in simplified form has one way in, and one way back.
  if (loop != nullptr && loop->getHeader() == &to) return true;
  // Out of a loop lanes come in each of its turns.
  return loops_.getLoopFor(&from) == loop &&
         llvm::all_of(llvm::predecessors(&to), [&](const llvm::BasicBlock* other) {
           return places_[&from] <= places_[other];
         });
}

/// The lanes of the mask go on in `to`.
void Widener::emit_edge(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* mask) {
  std::vector<std::pair<llvm::AllocaInst*, llvm::Value*>> writes;
  const bool first = comes_first(from, to);
  for (llvm::PHINode& phi : to.phis()) {
    const bool same = uniform(&phi);
    llvm::AllocaInst* place = place_of(&phi);
    llvm::Value* incoming = phi.getIncomingValueForBlock(&from);
    if (first) {
      writes.emplace_back(place, same ? scalar(incoming) : wide(incoming));
      continue;
    }
    llvm::Value* old = ir_.CreateLoad(place->getAllocatedType(), place);
    writes.emplace_back(
        place, same ? ir_.CreateSelect(ir_.CreateICmpNE(mask, word(0)), scalar(incoming), old)
                    : ir_.CreateSelect(mask_vector(mask), wide(incoming), old));
  }
  for (const auto& [place, value] : writes) ir_.CreateStore(value, place);
  llvm::AllocaInst* place = masks_[&to];
  ir_.CreateStore(ir_.CreateOr(ir_.CreateLoad(ir_.getInt32Ty(), place), mask), place);
}

void Widener::finish() {
  if (suspended_ == nullptr) {
    ir_.CreateRet(llvm::ConstantPointerNull::get(ir_.getPtrTy()));
    return;
  }
  set_warp_field(offsetof(Warp, stop), word(static_cast<std::uint32_t>(WarpStop::kEnd)));
  llvm::Value* how =
      ir_.CreateIntrinsic(llvm::Intrinsic::coro_suspend, {},
                          {llvm::ConstantTokenNone::get(target_.getContext()), ir_.getTrue()});
  llvm::BasicBlock* never = new_block("never");
  auto* choice = ir_.CreateSwitch(how, suspended_, 2);
  choice->addCase(ir_.getInt8(0), never);
  choice->addCase(ir_.getInt8(1), cleanup_);
  ir_.SetInsertPoint(never);
  ir_.CreateUnreachable();
}

void Widener::suspend() {
  llvm::Value* how =
      ir_.CreateIntrinsic(llvm::Intrinsic::coro_suspend, {},
                          {llvm::ConstantTokenNone::get(target_.getContext()), ir_.getFalse()});
  llvm::BasicBlock* on = new_block("resumed");
  auto* choice = ir_.CreateSwitch(how, suspended_, 2);
  choice->addCase(ir_.getInt8(0), on);
  choice->addCase(ir_.getInt8(1), cleanup_);
  ir_.SetInsertPoint(on);
}

bool Widener::uniform(const llvm::Value* value) const { return uniformity_.same(value); }

bool Widener::lives_on(const llvm::Instruction& instruction) const {
  return is_used_outside(instruction, *instruction.getParent());
}

void Widener::define(llvm::Instruction& instruction, llvm::Value* value) {
  here_[&instruction] = value;
  if (lives_on(instruction)) ir_.CreateStore(value, place_of(&instruction));
}

/// Where the value is from block to block.
llvm::AllocaInst* Widener::place_of(const llvm::Value* value) {
  llvm::AllocaInst*& place = slots_[value];
  if (place == nullptr) {
    llvm::Type* type = uniform(value) ? value->getType() : wide_type(value->getType());
    place = llvm::isa<llvm::PHINode>(value) ? slot(type) : place_for(type);
  }
  return place;
}

/// As it is kept: scalar or wide.
llvm::Value* Widener::current(llvm::Value* value) {
  if (llvm::isa<llvm::Constant>(value)) return value;
  if (const auto here = here_.find(value); here != here_.end()) return here->second;
  llvm::Value* found = nullptr;
  if (const auto steps = uniform(value) ? std::nullopt : steps_of(value); steps && steps->exact()) {
    found = in_steps(*steps, value->getType());
  } else {
    llvm::AllocaInst* place = place_of(value);
    found = ir_.CreateLoad(place->getAllocatedType(), place);
  }
  here_[value] = found;
  if (aside_ != nullptr) aside_->values_.push_back(value);
  return found;
}

llvm::Value* Widener::scalar(llvm::Value* value) { return current(value); }

llvm::Value* Widener::wide(llvm::Value* value) {
  return uniform(value) ? splat(current(value)) : current(value);
}

llvm::Value* Widener::splat(llvm::Value* value) { return ir_.CreateVectorSplat(kLanes, value); }

llvm::Type* Widener::wide_type(llvm::Type* type) const {
  return llvm::FixedVectorType::get(type, kLanes);
}

llvm::Value* Widener::all_are_here() { return ir_.CreateICmpEQ(mask_, word(0xFFFFFFFF)); }

/// Writes code on two paths and goes on behind both. Returns the blocks that these end with.
std::pair<llvm::BasicBlock*, llvm::BasicBlock*> Widener::either(
    llvm::Value* holds, const char* name, llvm::function_ref<void()> then,
    llvm::function_ref<void()> otherwise) {
  llvm::BasicBlock* first = new_block(name);
  llvm::BasicBlock* second = new_block();
  llvm::BasicBlock* behind = new_block();
  ir_.CreateCondBr(holds, first, second);
  const auto write = [&](llvm::BasicBlock* block, llvm::function_ref<void()> body) {
    const Aside aside(*this);
    ir_.SetInsertPoint(block);
    body();
    block = ir_.GetInsertBlock();
    ir_.CreateBr(behind);
    return block;
  };
  const std::pair ends{write(first, then), write(second, otherwise)};
  ir_.SetInsertPoint(behind);
  return ends;
}

llvm::Value* Widener::mask_vector(llvm::Value* mask) {
  return ir_.CreateBitCast(mask, llvm::FixedVectorType::get(ir_.getInt1Ty(), kLanes));
}

llvm::Value* Widener::mask_of(llvm::Value* vector) {
  return ir_.CreateBitCast(vector, ir_.getInt32Ty());
}

llvm::Value* Widener::lane_numbers(unsigned bits) {
  llvm::SmallVector<llvm::Constant*, kLanes> numbers;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    numbers.push_back(llvm::ConstantInt::get(ir_.getIntNTy(bits), lane));
  return llvm::ConstantVector::get(numbers);
}

}  // namespace xfer::kernels
