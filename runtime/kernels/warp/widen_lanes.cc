// Operations that lanes do one after the other: atomics, and calls.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {

void Widener::each_lane(const std::function<void(llvm::Value* lane)>& body) {
  llvm::BasicBlock* before = ir_.GetInsertBlock();
  llvm::BasicBlock* loop = new_block("lane");
  llvm::BasicBlock* after = new_block();
  ir_.CreateBr(loop);  // there is a lane
  ir_.SetInsertPoint(loop);
  auto* left = ir_.CreatePHI(ir_.getInt32Ty(), 2);
  left->addIncoming(mask_, before);
  body(ir_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, ir_.getTrue()));
  llvm::Value* rest = ir_.CreateAnd(left, ir_.CreateSub(left, word(1)));
  left->addIncoming(rest, ir_.GetInsertBlock());
  ir_.CreateCondBr(ir_.CreateICmpEQ(rest, word(0)), after, loop);
  ir_.SetInsertPoint(after);
}

llvm::AllocaInst* Widener::in_memory(llvm::Value* vector) {
  llvm::AllocaInst* place = place_for(vector->getType());
  ir_.CreateStore(vector, place);
  return place;
}

llvm::Value* Widener::of_lane(llvm::AllocaInst* memory, llvm::Value* lane) {
  llvm::Type* type = memory->getAllocatedType()->getScalarType();
  return ir_.CreateLoad(type, ir_.CreateGEP(type, memory, lane));
}

void Widener::set_lane(llvm::AllocaInst* memory, llvm::Value* lane, llvm::Value* value) {
  ir_.CreateStore(value, ir_.CreateGEP(value->getType(), memory, lane));
}

llvm::Value* Widener::thread_of(llvm::Value* lane) {
  llvm::Value* threads = warp_field(offsetof(Warp, threads), ir_.getPtrTy());
  return ir_.CreateGEP(llvm::ArrayType::get(ir_.getInt8Ty(), sizeof(Thread)), threads, lane);
}

void Widener::emit_atomic(llvm::Instruction& instruction) {
  std::vector<llvm::AllocaInst*> operands;
  for (llvm::Value* operand : instruction.operands()) operands.push_back(in_memory(wide(operand)));
  llvm::Type* type = instruction.getType();
  const bool used = !instruction.use_empty();
  // Of a compare-exchange, what was there; its success follows from that.
  auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  if (exchange != nullptr) type = exchange->getCompareOperand()->getType();
  llvm::AllocaInst* results =
      used ? in_memory(llvm::Constant::getNullValue(wide_type(type))) : nullptr;
  each_lane([&](llvm::Value* lane) {
    llvm::Instruction* copy = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, of_lane(operands[i], lane));
    ir_.Insert(copy);
    if (used) set_lane(results, lane, exchange != nullptr ? ir_.CreateExtractValue(copy, 0) : copy);
  });
  if (!used) return;
  llvm::Value* result = ir_.CreateLoad(wide_type(type), results);
  if (exchange == nullptr) return define(instruction, result);
  for (llvm::User* user : instruction.users()) {
    auto* part = llvm::cast<llvm::ExtractValueInst>(user);
    parts_[part] = part->getIndices()[0] == 0
                       ? result
                       : ir_.CreateICmpEQ(result, wide(exchange->getCompareOperand()));
  }
}

/// Calls the function for each lane; with the lane's Thread for its first argument if `of_thread`.
void Widener::emit_call_by_lane(llvm::CallInst& call, bool of_thread) {
  std::vector<llvm::AllocaInst*> arguments;
  for (unsigned i = of_thread ? 1 : 0; i < call.arg_size(); ++i)
    arguments.push_back(in_memory(wide(call.getArgOperand(i))));
  llvm::Type* type = call.getType();
  llvm::AllocaInst* results =
      type->isVoidTy() ? nullptr : in_memory(llvm::Constant::getNullValue(wide_type(type)));
  each_lane([&](llvm::Value* lane) {
    std::vector<llvm::Value*> values;
    if (of_thread) values.push_back(thread_of(lane));
    for (llvm::AllocaInst* argument : arguments) values.push_back(of_lane(argument, lane));
    llvm::Value* result = ir_.CreateCall(call.getCalledFunction(), values);
    if (results != nullptr) set_lane(results, lane, result);
  });
  if (results != nullptr) define(call, ir_.CreateLoad(wide_type(type), results));
}

}  // namespace xfer::kernels
