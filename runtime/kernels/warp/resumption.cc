#include "kernels/warp/resumption.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <map>

#include "kernels/frame.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"
#include "kernels/warp/lanes.h"
#include "kernels/warp/steps.h"

namespace xfer::kernels {
namespace {

/// Pointers are numbers with a known way to them: each block goes it by itself.
bool is_way(const llvm::Instruction& instruction) {
  return is_reach(&instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction);
}

/// A use in another block of its own function that is no way of a phi.
llvm::BasicBlock* used_elsewhere(const llvm::Instruction& value) {
  for (const llvm::User* user : value.users()) {
    const auto* used = llvm::cast<llvm::Instruction>(user);
    if (used->getParent() != value.getParent() && !llvm::isa<llvm::PHINode>(used))
      return const_cast<llvm::BasicBlock*>(used->getParent());
  }
  return nullptr;
}

/// Makes the pointer once more in each block that uses it.
void repeat_ways(llvm::Function& thread) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction& instruction : llvm::instructions(thread)) {
      if (!is_way(instruction)) continue;
      while (llvm::BasicBlock* block = used_elsewhere(instruction)) {
        llvm::Instruction* copy = instruction.clone();
        copy->insertBefore(block->getFirstInsertionPt());
        instruction.replaceUsesWithIf(copy, [&](llvm::Use& use) {
          const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
          return user->getParent() == block && user != copy && !llvm::isa<llvm::PHINode>(user);
        });
        changed = true;
      }
    }
  }
}

/// A part that lanes.h spells, as a thread reads it.
llvm::Value* lane_part(llvm::IRBuilder<>& ir, llvm::Value* thread, LanePart part, WarpShape shape) {
  const std::uint32_t in_group = kLanes / groups_of(shape);
  const auto field = [&](std::size_t offset) {
    return fixed_field(ir, thread, offset, ir.getInt32Ty());
  };
  llvm::Value* number = field(offsetof(Thread, number));
  switch (part) {
    case LanePart::kLane: return ir.CreateAnd(number, in_group - 1);
    case LanePart::kGroup:
      return ir.CreateAnd(ir.CreateLShr(number, llvm::Log2_32(in_group)), groups_of(shape) - 1);
    case LanePart::kWarp: return ir.CreateLShr(number, llvm::Log2_32(kLanes));
    case LanePart::kX:
      return ir.CreateLShr(field(offsetof(Thread, index)), llvm::Log2_32(in_group));
  }
  return number;
}

void lower_lane_parts(llvm::Function& function, llvm::IRBuilder<>& ir, WarpShape shape) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (const auto part = lane_part_of(&instruction)) {
      instruction.replaceAllUsesWith(lane_part(ir, function.getArg(0), *part, shape));
      instruction.eraseFromParent();
    }
}

/// The lane's part of a kept value.
llvm::Value* of_lane(llvm::IRBuilder<>& ir, llvm::Value* lanes, llvm::Value* lane,
                     const llvm::Instruction& value, llvm::Type* type) {
  llvm::Type* number = kept_type(value);
  if (number->isIntegerTy(1)) {
    llvm::Value* mask = ir.CreateLoad(ir.getInt32Ty(), lanes);
    return ir.CreateTrunc(ir.CreateLShr(mask, lane), number);
  }
  llvm::Value* its = ir.CreateLoad(number, ir.CreateGEP(number, lanes, lane));
  return type->isPointerTy() ? ir.CreateIntToPtr(its, type) : ir.CreateBitCast(its, type);
}

}  // namespace

bool waits_at(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || call->getCalledFunction() == nullptr) return false;
  const auto service = service_of(*call->getCalledFunction());
  return is_turn(call) || (service && (*service == offsetof(Services, barrier) ||
                                       *service == offsetof(Services, barrier_count) ||
                                       *service == offsetof(Services, pause)));
}

bool has_turns(const llvm::Function& thread) {
  return llvm::any_of(llvm::instructions(thread),
                      [](const llvm::Instruction& instruction) { return is_turn(&instruction); });
}

void split_at_waits(llvm::Function& thread) {
  std::vector<llvm::Instruction*> waits;
  for (llvm::Instruction& instruction : llvm::instructions(thread))
    if (waits_at(instruction) && &*instruction.getParent()->begin() != &instruction)
      waits.push_back(&instruction);
  for (llvm::Instruction* wait : waits) llvm::SplitBlock(wait->getParent(), wait);
  repeat_ways(thread);
}

std::optional<std::string> wrong_for_resumption(const llvm::Function& thread) {
  for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
    if (!llvm::isa<llvm::AllocaInst>(instruction)) continue;
    const llvm::BasicBlock* home = nullptr;
    for (const llvm::User* user : instruction.users()) {
      const auto* used = llvm::cast<llvm::Instruction>(user);
      if (home != nullptr && used->getParent() != home)
        return "its threads wait for each other in loops, with variables in memory";
      home = used->getParent();
    }
  }
  return std::nullopt;
}

void write_resumption(llvm::Function& thread, const Kept& kept, llvm::Function& target,
                      WarpShape shape) {
  const std::vector<llvm::Instruction*> values = values_between_blocks(thread);
  std::map<const llvm::Instruction*, std::size_t> numbers;
  for (const llvm::Instruction* value : kept.values()) numbers.emplace(value, numbers.size());
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : thread) blocks.push_back(&block);
  llvm::BasicBlock& first = thread.getEntryBlock();
  target.splice(target.begin(), &thread);
  thread.getArg(0)->replaceAllUsesWith(target.getArg(0));

  auto* enter = llvm::BasicBlock::Create(target.getContext(), "enter", &target, &first);
  llvm::IRBuilder<> ir(enter);
  llvm::Value* lane = ir.CreateAnd(
      fixed_field(ir, target.getArg(0), offsetof(Thread, number), ir.getInt32Ty()), kLanes - 1);
  llvm::Value* state = target.getArg(1);
  llvm::Value* at = ir.CreateLoad(
      ir.getInt32Ty(),
      ir.CreateGEP(ir.getInt32Ty(),
                   ir.CreateConstGEP1_64(ir.getInt8Ty(), state, offsetof(WarpState, at)), lane));
  lower_lane_parts(target, ir, shape);
  auto* unknown = llvm::BasicBlock::Create(target.getContext(), "unknown", &target);
  new llvm::UnreachableInst(target.getContext(), unknown);
  auto* choice = ir.CreateSwitch(at, unknown, static_cast<unsigned>(blocks.size()));
  for (std::uint32_t number = 0; number < blocks.size(); ++number)
    choice->addCase(ir.getInt32(number), blocks[number]);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(first))
    if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(choice->getIterator());

  // From here on they are variables in memory, whose first values are what the lane knew. Of a phi
  // there are two: what it gives may have to live on as well.
  const auto fill = [&](llvm::AllocaInst* place, const llvm::Instruction* value) {
    const auto number = numbers.find(value);
    if (number == numbers.end()) return;
    ir.SetInsertPoint(choice);
    llvm::Value* lanes = ir.CreateConstGEP1_64(ir.getInt8Ty(), state, kept.offset(number->second));
    ir.CreateStore(of_lane(ir, lanes, lane, *value, place->getAllocatedType()), place);
  };
  for (llvm::Instruction* value : values)
    if (lives_on(*value)) fill(llvm::DemoteRegToStack(*value, false, choice->getIterator()), value);
  for (llvm::Instruction* value : values)
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      fill(llvm::DemotePHIToStack(phi, choice->getIterator()), value);
}

}  // namespace xfer::kernels
