// Operations that each lane does for itself: the same instruction on vectors.

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>

#include "kernels/frame.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"
#include "kernels/translate/touch.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {

void Widener::emit(llvm::Instruction& instruction) {
  if (matrix_place(&instruction)) return;  // whoever uses it knows where that is
  if (lane_part_of(&instruction) && uniform(&instruction))
    return define(instruction, steps_of_part(*lane_part_of(&instruction))->first[0]);
  if (const auto steps = uniform(&instruction) ? std::nullopt : find_steps(instruction)) {
    keep_steps(instruction, *steps);
    if (steps->exact()) return;
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return emit_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return emit_store(*store);
  if (auto* place = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return emit_alloca(*place);
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return emit_atomic(instruction);
  if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return define(instruction, parts_[part]);
  if (llvm::isa<llvm::AssumeInst>(instruction) || instruction.isLifetimeStartOrEnd() ||
      llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
    return;
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (const auto service = service_of(*callee)) return emit_service(*call, *service);
    if (is_reach(call)) {
      llvm::Value* address = call->getArgOperand(1);
      if (uniform(call)) return define(*call, reach(scalar(address)));
      // Accesses through the pointer look at the argument; for all other uses:
      llvm::Value* numbers = reached(ir_, wide(address), splat(base_), splat(span_));
      return define(*call, ir_.CreateIntToPtr(numbers, wide_type(ir_.getPtrTy())));
    }
    if (is_turn(call)) return emit_turn(*call);
    if (is_touch(call)) return emit_touch(*call);
    if (is_matrix_function(*callee)) return emit_matrix(*call);
    if (call->getIntrinsicID() == llvm::Intrinsic::memcpy) return emit_memcpy(*call);
    if (!callee->isIntrinsic()) {
      // A function of the C library has no effects, and is asked once where once is enough.
      if (uniform(call)) return emit_uniform(instruction);
      return emit_call_by_lane(*call, false);
    }
  }
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    ir_.CreateFence(fence->getOrdering());
    return;
  }
  if (uniform(&instruction)) return emit_uniform(instruction);
  emit_wide(instruction);
}

/// A copy of the instruction, on values of the new function.
void Widener::emit_uniform(llvm::Instruction& instruction) {
  std::vector<llvm::Value*> operands;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const unsigned count = call != nullptr ? call->arg_size() : instruction.getNumOperands();
  for (unsigned i = 0; i < count; ++i) operands.push_back(scalar(instruction.getOperand(i)));
  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < count; ++i) copy->setOperand(i, operands[i]);
  ir_.Insert(copy);
  if (!instruction.getType()->isVoidTy()) define(instruction, copy);
}

llvm::Value* Widener::field_of_thread(std::size_t offset, llvm::Type* type) {
  if (offset == offsetof(Thread, block)) return block_;
  llvm::Type* words = wide_type(type);
  const auto load = [&](std::size_t from) {
    llvm::LoadInst* value = fixed_field(ir_, warp(), from, words);
    value->setAlignment(llvm::Align(8));
    return value;
  };
  if (offset == offsetof(Thread, local)) return load(offsetof(Warp, local));
  // Where the lanes are in steps, all but x is the same; for x see spell_lanes().
  const std::size_t part = (offset - offsetof(Thread, index)) / sizeof(std::uint32_t);
  const std::size_t place = offsetof(Warp, index) + part * sizeof(Warp::index[0]);
  return shape_ == WarpShape::kRows ? fixed_field(ir_, warp(), place, type) : load(place);
}

llvm::Value* Widener::wide_intrinsic(llvm::CallInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  std::vector<llvm::Value*> arguments;
  std::vector<llvm::Type*> types;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Value* argument = call.getArgOperand(i);
    // Flags, such as "zero is poison", stay.
    arguments.push_back(llvm::isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr) ? scalar(argument)
                                                                                 : wide(argument));
  }
  if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat ||
      id == llvm::Intrinsic::scmp || id == llvm::Intrinsic::ucmp)
    types.push_back(wide_type(call.getType()));
  types.push_back(arguments[0]->getType());
  return ir_.CreateIntrinsic(id, types, arguments);
}

void Widener::emit_wide(llvm::Instruction& instruction) {
  using llvm::dyn_cast;
  llvm::Value* result = nullptr;
  if (auto* binary = dyn_cast<llvm::BinaryOperator>(&instruction)) {
    llvm::Value* by = wide(binary->getOperand(1));
    // Lanes that are elsewhere may hold a 0, at which the CPU would trap.
    if (binary->isIntDivRem())
      by = ir_.CreateSelect(mask_vector(mask_), by, llvm::ConstantInt::get(by->getType(), 1));
    result = ir_.CreateBinOp(binary->getOpcode(), wide(binary->getOperand(0)), by);
  } else if (auto* unary = dyn_cast<llvm::UnaryOperator>(&instruction)) {
    result = ir_.CreateUnOp(unary->getOpcode(), wide(unary->getOperand(0)));
  } else if (auto* compare = dyn_cast<llvm::CmpInst>(&instruction)) {
    result = ir_.CreateCmp(compare->getPredicate(), wide(compare->getOperand(0)),
                           wide(compare->getOperand(1)));
  } else if (auto* cast = dyn_cast<llvm::CastInst>(&instruction)) {
    result =
        ir_.CreateCast(cast->getOpcode(), wide(cast->getOperand(0)), wide_type(cast->getType()));
  } else if (auto* select = dyn_cast<llvm::SelectInst>(&instruction)) {
    llvm::Value* condition = uniform(select->getCondition()) ? scalar(select->getCondition())
                                                             : wide(select->getCondition());
    result =
        ir_.CreateSelect(condition, wide(select->getTrueValue()), wide(select->getFalseValue()));
  } else if (auto* step = dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    std::vector<llvm::Value*> indices;
    for (llvm::Value* index : step->indices())
      indices.push_back(uniform(index) ? scalar(index) : wide(index));
    result = ir_.CreateGEP(step->getSourceElementType(), wide(step->getPointerOperand()), indices);
  } else if (auto* freeze = dyn_cast<llvm::FreezeInst>(&instruction)) {
    result = ir_.CreateFreeze(wide(freeze->getOperand(0)));
  } else {
    result = wide_intrinsic(llvm::cast<llvm::CallInst>(instruction));
  }
  // Without the flags that promise something of lanes that are elsewhere.
  define(instruction, result);
}

}  // namespace xfer::kernels
